package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlstore"
)

// benchTurns is how many turns of one answer the benchmarks search in; the
// environment may ask for more: CONFAB_BENCH_TURNS=1000000.
func benchTurns(b *testing.B) int {
	n, err := strconv.Atoi(os.Getenv("CONFAB_BENCH_TURNS"))
	if err != nil {
		return 20000
	}
	return n
}

// writer makes texts whose words are spread as those of a language are.
type writer struct {
	zipf  *rand.Zipf
	words []string
}

func newWriter() *writer {
	r := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("com pa re in ter pro con ti on al de ment ing un ly st ra mo ne sy")
	w := &writer{words: make([]string, 30000)}
	for i := range w.words {
		for range 1 + r.IntN(4) {
			w.words[i] += syllables[r.IntN(len(syllables))]
		}
	}
	w.zipf = rand.NewZipf(r, 1.1, 4, uint64(len(w.words)-1))
	return w
}

func (w *writer) text(words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(w.words[w.zipf.Uint64()])
		b.WriteByte(' ')
	}
	return b.String()
}

// fillSession adds turns of one answer each, many to a transaction.
func fillSession(tb testing.TB, s *Store, turns int) history.Session {
	tb.Helper()
	ctx := context.Background()
	in, err := s.CreateSession(ctx, "filled")
	if err != nil {
		tb.Fatal(err)
	}
	w := newWriter()
	for done := 0; done < turns; {
		err := s.Write(ctx, "fill", func(tx *sqlstore.Tx) {
			for range 1000 {
				if done == turns {
					break
				}
				done++
				a := history.Answer{Model: fmt.Sprintf("model-%d", done%15), Kind: history.KindText,
					State: history.Done, Version: 1, Text: w.text(160),
					Elapsed: time.Second}
				tx.AddTurn(history.Turn{Session: in.ID, Prompt: w.text(12), Answers: []history.Answer{a}})
			}
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return in
}

func openBench(b *testing.B) *Store {
	b.Helper()
	dir := os.Getenv("CONFAB_BENCH_FOLDER") // keeps a large store between runs
	if dir == "" {
		dir = b.TempDir()
	}
	s, err := Open(context.Background(), filepath.Join(dir, "history.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

// filledBench returns a store with at least the wanted number of turns in it.
func filledBench(b *testing.B, turns int) (*Store, history.Session) {
	s := openBench(b)
	if found, err := s.LastSession(context.Background()); err == nil && found.Turns >= turns {
		return s, found
	}
	return s, fillSession(b, s, turns)
}

func BenchmarkOpen(b *testing.B) {
	ctx := context.Background()
	s, in := filledBench(b, benchTurns(b))
	for b.Loop() {
		again, err := Open(ctx, s.db.path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := again.Session(ctx, in.ID); err != nil {
			b.Fatal(err)
		}
		again.Close()
	}
}

func BenchmarkNewestPage(b *testing.B) {
	ctx := context.Background()
	s, in := filledBench(b, max(10000, benchTurns(b)))
	for b.Loop() {
		turns, err := s.Turns(ctx, in.ID, history.Page{Limit: 20})
		if err != nil || len(turns) != 20 {
			b.Fatal(len(turns), err)
		}
	}
}

func BenchmarkFindInSession(b *testing.B) {
	ctx := context.Background()
	s, in := filledBench(b, 10000)
	for b.Loop() {
		if _, err := s.FindInSession(ctx, in.ID, "nowhere to be found"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	ctx := context.Background()
	s, _ := filledBench(b, benchTurns(b))
	w := newWriter()
	rare := w.words[25000]
	queries := map[string]history.Query{
		"1 letter":      {Text: "c"},
		"2 letters":     {Text: "co"},
		"3 letters":     {Text: "com"},
		"4 letters":     {Text: "comp"},
		"5 letters":     {Text: "compa"},
		"8 letters":     {Text: "interpro"},
		"common word":   {Text: w.words[0] + " "},
		"rare word":     {Text: rare + " "},
		"no word":       {Text: "zebra"},
		"two words":     {Text: w.words[3] + " " + w.words[40] + " co"},
		"common, model": {Text: w.words[0] + " ", Models: []string{"model-3"}},
		"model, none":   {Models: []string{"model-3"}, State: history.Failed},
		"model":         {Models: []string{"model-3"}},
		"signs":         {Text: "++"},
	}
	for name, q := range queries {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Search(ctx, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("sessions", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := s.Sessions(ctx, history.Query{Text: "com"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("stats", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Stats(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAddTurn(b *testing.B) {
	ctx := context.Background()
	s := openBench(b)
	in, err := s.CreateSession(ctx, "")
	if err != nil {
		b.Fatal(err)
	}
	w := newWriter()
	answers := []history.Answer{{Model: "model-1", Kind: history.KindText}, {Model: "model-2", Kind: history.KindText},
		{Model: "model-3", Kind: history.KindText}}
	for b.Loop() {
		t, err := s.AddTurn(ctx, history.Turn{Session: in.ID, Prompt: w.text(20), Answers: answers})
		if err != nil {
			b.Fatal(err)
		}
		for _, a := range t.Answers {
			a.Version, a.State, a.Text = 1, history.Done, w.text(160)
			if err := s.SaveAnswer(ctx, a); err != nil {
				b.Fatal(err)
			}
		}
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
				if _, err := s.DeleteSession(ctx, gone.ID); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if err := s.Purge(ctx, 0, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
