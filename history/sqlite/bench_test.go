package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"confab/history"
	"confab/history/sqlite"
	"confab/history/storetest"
)

// benchTurns is the number of turns with one answer in benchmarks; CONFAB_BENCH_TURNS overrides it.
func benchTurns() int {
	n, err := strconv.Atoi(os.Getenv("CONFAB_BENCH_TURNS"))
	if err != nil {
		return 20_000
	}
	return n
}

// fillSession adds turns of one answer each.
func fillSession(tb testing.TB, s *sqlite.Store, turns int) history.Session {
	tb.Helper()
	return storetest.AddTurns(tb, s, turns, 160)
}

func openBench(b *testing.B) *sqlite.Store {
	b.Helper()
	dir := os.Getenv("CONFAB_BENCH_FOLDER") // keeps a large store between runs
	if dir == "" {
		dir = b.TempDir()
	}
	s, err := sqlite.Open(context.Background(), filepath.Join(dir, "history.db"), sqlite.Options{})
	must(b, err)
	b.Cleanup(func() { s.Close() })
	return s
}

// filledBench returns a store with at least that many turns.
func filledBench(b *testing.B, turns int) (*sqlite.Store, history.Session) {
	s := openBench(b)
	if found, err := s.LastSession(context.Background()); err == nil && found.Turns >= turns {
		return s, found
	}
	return s, fillSession(b, s, turns)
}

func BenchmarkHistory(b *testing.B) {
	s, _ := filledBench(b, benchTurns())
	storetest.Bench(b, s)
}

func BenchmarkOpen(b *testing.B) {
	ctx := context.Background()
	s, in := filledBench(b, benchTurns())
	for b.Loop() {
		again, err := sqlite.Open(ctx, s.Path(), sqlite.Options{})
		must(b, err)
		must(b, errorOf(again.Session(ctx, in.ID)))
		again.Close()
	}
}

func BenchmarkFindInSession(b *testing.B) {
	ctx := context.Background()
	s, in := filledBench(b, 10000)
	for b.Loop() {
		must(b, errorOf(s.FindInSession(ctx, in.ID, "nowhere to be found")))
	}
}

func BenchmarkPurge(b *testing.B) {
	ctx := context.Background()
	for _, turns := range []int{10, 90, 2000} {
		b.Run(strconv.Itoa(turns), func(b *testing.B) {
			s := openBench(b)
			fillSession(b, s, 5000)
			for b.Loop() {
				b.StopTimer()
				gone := fillSession(b, s, turns)
				must(b, errorOf(s.DeleteSession(ctx, gone.ID)))
				b.StartTimer()
				must(b, s.Purge(ctx, 0, nil))
			}
		})
	}
}
