//go:build !windows

package acceptance

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
)

// TestMoveIsKilled kills confab history move at random moments, to a file elsewhere and to a database, and runs it
// again until it ends. Then both histories tell the same.
func TestMoveIsKilled(t *testing.T) {
	t.Run("to a file", func(t *testing.T) {
		t.Parallel()
		copied := newHome(t)
		killMoves(t, copied, filepath.Join(copied.dir, ".local", "share", "confab", "history.db"))
	})
	t.Run("to a database", func(t *testing.T) {
		t.Parallel()
		d := startDatabase(t)
		killMoves(t, newHome(t, "CONFAB_HISTORY_URL="+d.url()), d.url())
	})
}

func killMoves(t *testing.T, copied *home, target string) {
	t.Helper()
	h := newHome(t)
	fillHistory(t, filepath.Join(h.dir, ".local", "share", "confab", "history.db"))
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	kills := 0
	for wait := 30 * time.Millisecond; kills < 100; wait = wait * 3 / 2 {
		cmd := h.command("history", "move", "--to", target)
		var said strings.Builder
		cmd.Stderr = &said
		must(t, cmd.Start())
		kill := time.AfterFunc(time.Duration(random.Int64N(int64(2*wait))), func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		if kill.Stop(); err == nil {
			break
		}
		if strings.Contains(said.String(), "holds something already") && kills > 0 {
			break // it was killed once all was there; what follows compares it
		}
		if strings.Contains(said.String(), "confab: ") {
			t.Fatal(said.String())
		}
		kills++
	}
	if kills < 3 || kills == 100 {
		t.Errorf("it was killed %d times", kills)
	}
	for _, args := range [][]string{{"history", "list", "--json"}, {"history", "show", "s1", "--json"},
		{"history", "stats", "--json"}, {"history", "search", "lighthouse", "--json"}} {
		want, err := h.command(args...).Output()
		must(t, err)
		if got, err := copied.command(args...).Output(); err != nil || string(got) != string(want) {
			t.Errorf("%q: %v\n got %.300s\nwant %.300s", args, err, got, want)
		}
	}
	t.Logf("killed %d times", kills)
}

// fillHistory makes a history whose copying takes some time.
func fillHistory(t *testing.T, path string) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	must(t, err)
	for turn := range 10 {
		asked := history.Turn{Prompt: fmt.Sprint("lighthouse ", turn)}
		for n := range 100 {
			asked.Answers = append(asked.Answers, history.Answer{Model: "alpha", Kind: history.KindText,
				State: history.Done,
				Text:  fmt.Sprint(strings.Repeat("words of an answer ", 30), n)})
		}
		must(t, errorOf(s.AddTurnToSession(t.Context(), "plans", asked)))
	}
	must(t, s.Close())
}
