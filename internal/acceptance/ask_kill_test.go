//go:build !windows

package acceptance

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/internal/testflags"
)

// askKills is how many processes of confab ask are killed; CONFAB_TEST_KILLS says another number.
const askKills = 6

// The answers of the engine: so many tokens, each so long after the one before.
const (
	killedTokens = 60
	killedPause  = 10 * time.Millisecond
)

// killedAsk is a process that asked.
type killedAsk struct {
	hasPrinted, hasEnded bool // a part of the answer; the whole of it
}

// TestKilledAsksLoseNothing kills processes of confab ask at any moment while they record in PostgreSQL. Every prompt
// whose answer began to be printed is there, none is there twice, and answers that did not end are interrupted.
func TestKilledAsksLoseNothing(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("starts a database and kills processes")
	}
	kills, err := strconv.Atoi(os.Getenv("CONFAB_TEST_KILLS"))
	if err != nil {
		kills = askKills
	}
	d := startDatabase(t, safely...)
	h := newTokenEngine(t, killedTokens, killedPause).home(t, 1, d.environ("anna")...)
	asked := map[string]killedAsk{}
	ask := func(prompt string, killAfter time.Duration) (took time.Duration) {
		t.Helper()
		out := newOutputBuffer()
		cmd := h.command("ask", "-m", "m1", "--session", "kills", prompt)
		cmd.Stdout = out
		began := time.Now()
		must(t, cmd.Start())
		if killAfter > 0 {
			defer time.AfterFunc(killAfter, func() { _ = cmd.Process.Kill() }).Stop()
		}
		err := cmd.Wait()
		if err != nil && killAfter == 0 {
			t.Fatalf("%s: %v\n%s", prompt, err, out)
		}
		asked[prompt] = killedAsk{strings.Contains(out.String(), "a1 "), err == nil}
		return time.Since(began)
	}
	longest := ask("first", 0)
	for n := range kills {
		ask(fmt.Sprint("killed ", n), rand.N(longest)+time.Millisecond)
	}
	must(t, d.Execute(pgtest.Superuser, "confab", "update confab.leases set expires = now()"))
	ask("last", 0) // marks the answers of those that are gone
	wantAsked(t, d.url(), asked)
}

// wantAsked looks into the history for what was asked.
func wantAsked(t *testing.T, url string, asked map[string]killedAsk) {
	t.Helper()
	server, err := postgres.Connect(t.Context(), postgres.Options{URL: url})
	must(t, err)
	defer server.Close()
	store, err := server.Store("anna", postgres.StoreOptions{})
	must(t, err)
	defer store.Close()
	in, err := store.SessionNamed(t.Context(), "kills")
	must(t, err)
	turns, err := store.Turns(t.Context(), in.ID, history.Page{Limit: 1 << 20})
	must(t, err)
	whole := ""
	for i := range killedTokens {
		whole += fmt.Sprintf("a%d ", i+1)
	}
	states := map[history.State]int{}
	for _, turn := range turns {
		p, isKnown := asked[turn.Prompt]
		if !isKnown || len(turn.Answers) != 1 {
			t.Errorf("%q is there twice, or was never asked: %+v", turn.Prompt, turn.Answers)
			continue
		}
		delete(asked, turn.Prompt)
		a := turn.Answers[0]
		states[a.State]++
		isWhole := a.State == history.Done && a.Text == whole
		isPart := a.State == history.Interrupted && strings.HasPrefix(whole, a.Text) && !p.hasEnded
		if !isWhole && !isPart {
			t.Errorf("%q, which has ended: %v, is %s with %q", turn.Prompt, p.hasEnded, a.State, a.Text)
		}
	}
	for prompt, p := range asked {
		if p.hasPrinted {
			t.Errorf("%q is missing", prompt)
		}
	}
	t.Logf("%d turns: %v; %d were killed before they were recorded", len(turns), states, len(asked))
	must(t, store.Check(t.Context()))
}
