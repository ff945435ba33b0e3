package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/testflags"
)

// TestKilled kills writing processes at random moments and checks that the store has every acknowledged row.
// CONFAB_TEST_KILLS sets the number of kills.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills, err := strconv.Atoi(os.Getenv("CONFAB_TEST_KILLS"))
	if err != nil {
		kills = 20
	}
	if !testflags.IsLong() {
		kills = min(kills, 4)
	}
	path := t.TempDir() + "/history.db"
	random := rand.New(rand.NewPCG(uint64(os.Getpid()), 7))
	recovered, acknowledged := 0, 0
	for round := range kills {
		said := map[string]string{} // "turn 5" to its text
		n := 1 + round%2            // every other time two processes in parallel
		results := make(chan map[string]string)
		for range n {
			c, after := child(t, "write", path), 1+random.IntN(40)
			go func() { results <- killAfter(t, c, after) }()
		}
		for range n {
			for row, text := range <-results {
				said[row] = text
			}
		}
		acknowledged += len(said)
		recovered += checkKilledStore(t, path, said)
		if t.Failed() {
			t.Fatalf("after round %d", round)
		}
	}
	if acknowledged == 0 || recovered == 0 {
		t.Errorf("nothing was at stake: %d rows acknowledged, %d answers recovered", acknowledged, recovered)
	}
}

// killAfter kills a process after a number of output lines and returns these.
func killAfter(t *testing.T, c *exec.Cmd, after int) map[string]string {
	said := map[string]string{}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Error(err)
		return nil
	}
	for line := range lines(t, out) {
		what, rest, _ := strings.Cut(line, " ")
		id, text, _ := strings.Cut(rest, " ")
		if what == "error" {
			t.Errorf("a process failed: %s", line)
		}
		said[what+" "+id] = text
		if after--; after == 0 {
			if err := c.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	_ = c.Wait() // it was killed
	return said
}

// checkKilledStore checks the store and returns the number of recovered answers.
func checkKilledStore(t *testing.T, path string, said map[string]string) int {
	t.Helper()
	ctx := t.Context()
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	must(t, err)
	defer s.Close()
	recovered, err := s.Recover(ctx)
	must(t, err)
	for row, text := range said {
		what, number, _ := strings.Cut(row, " ")
		id, err := strconv.ParseInt(number, 10, 64)
		must(t, err)
		if what == "turn" {
			turn, err := s.Turn(ctx, id)
			if err != nil || turn.Prompt != text {
				t.Errorf("%s: got %q, %v, want %q", row, turn.Prompt, err, text)
			}
			for _, a := range turn.Answers {
				if !a.State.HasEnded() {
					t.Errorf("answer %d of a dead process is %s", a.ID, a.State)
				}
			}
			continue
		}
		a, err := s.Answer(ctx, id)
		if err != nil || a.Text != text || a.State != history.Done {
			t.Errorf("%s: got %q %s, %v, want %q done", row, a.Text, a.State, err, text)
		}
	}
	db, err := rawOpen(path)
	must(t, err)
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(ctx, `pragma integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity_check: %s, %v", verdict, err)
	}
	if err := checkCounts(s, t); err != nil {
		t.Error(err)
	}
	return recovered
}

// checkCounts compares the stored counts of sessions with their content.
func checkCounts(s *sqlite.Store, t *testing.T) error {
	hits, _, err := s.Sessions(t.Context(), history.Query{Limit: 1000})
	if err != nil {
		return err
	}
	for _, h := range hits {
		turns, err := s.Turns(t.Context(), h.ID, history.Page{Limit: 100000})
		if err != nil {
			return err
		}
		answers := 0
		for _, turn := range turns {
			answers += len(turn.Answers)
		}
		if len(turns) != h.Turns || answers != h.Answers {
			return fmt.Errorf("session %d: counts %d %d, holds %d %d", h.ID, h.Turns, h.Answers, len(turns), answers)
		}
	}
	return nil
}
