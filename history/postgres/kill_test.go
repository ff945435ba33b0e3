package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/internal/testflags"
)

// serverKills is how often a server is killed; CONFAB_TEST_KILLS overrides it.
const serverKills = 4

// startWriting starts writers that record turns of a user until stop is called, which checks that every acknowledged
// turn exists once. wait returns when every writer has recorded more.
func startWriting(t *testing.T, url string) (wait, stop func()) {
	t.Helper()
	c, err := postgres.Connect(t.Context(), postgres.Options{URL: url})
	must(t, err)
	store, err := c.Store("anna", postgres.StoreOptions{})
	must(t, err)
	t.Cleanup(func() { store.Close(); c.Close() })
	ctx, end := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	acknowledged := make([][]int64, 4)
	counts := make([]atomic.Int64, len(acknowledged))
	for i := range acknowledged {
		writers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				turn, err := store.AddTurnToSession(t.Context(), fmt.Sprint("s", i),
					history.Turn{Prompt: fmt.Sprint("prompt ", n), Answers: []history.Answer{{Model: "alpha"}}})
				if err != nil {
					t.Error(err)
					end()
					return
				}
				acknowledged[i] = append(acknowledged[i], turn.ID)
				counts[i].Add(1)
			}
		})
	}
	wait = func() {
		for i := range counts {
			for want := counts[i].Load() + 5; counts[i].Load() < want && ctx.Err() == nil; {
				time.Sleep(5 * time.Millisecond) // real: another process works
			}
		}
	}
	return wait, func() {
		end()
		writers.Wait()
		for i, want := range acknowledged {
			in, err := store.SessionNamed(t.Context(), fmt.Sprint("s", i))
			must(t, err)
			turns, err := store.Turns(t.Context(), in.ID, history.Page{Limit: 1 << 20})
			must(t, err)
			var got []int64
			for n, turn := range turns {
				got = append(got, turn.ID)
				if turn.Prompt != fmt.Sprint("prompt ", n) {
					t.Fatalf("session %d: turn %d is %q: one is missing or there twice", i, n, turn.Prompt)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("session %d holds %d turns, %d were acknowledged", i, len(got), len(want))
			}
		}
	}
}

// safely are the settings of a server that loses nothing when it is killed.
var safely = []string{"fsync=on", "synchronous_commit=on", "full_page_writes=on"}

// Acknowledged turns exist exactly once after the server was killed several times.
func TestLostServer(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("kills a server for some seconds")
	}
	kills, err := strconv.Atoi(os.Getenv("CONFAB_TEST_KILLS"))
	if err != nil {
		kills = serverKills
	}
	s := ownServer(t, safely...)
	migrateTo(t, s)
	wait, stop := startWriting(t, s.URL(pgtest.Program, "confab"))
	for range kills {
		wait()
		must(t, errors.Join(s.Down("immediate"), s.Up()))
	}
	wait()
	stop()
}

// A standby replaces a killed server. The URL contains the addresses of both.
func TestFailover(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("copies a server and kills it")
	}
	s := ownServer(t, safely...)
	migrateTo(t, s)
	standby, err := s.Standby()
	must(t, err)
	t.Cleanup(standby.Remove)
	wait, stop := startWriting(t, s.URLWith(standby, pgtest.Program, "confab"))
	wait()
	must(t, s.Down("immediate"))
	began := time.Now()
	must(t, standby.Promote())
	promoted := time.Since(began)
	wait()
	t.Logf("promoted after %v, everybody records again after %v", promoted, time.Since(began))
	stop()
}
