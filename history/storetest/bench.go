package storetest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlstore"
)

// Words generates texts with the word frequencies of a language.
type Words struct {
	All  []string // the most frequent first
	zipf *rand.Zipf
}

// NewWords returns the same words each time.
func NewWords() *Words {
	r := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("com pa re in ter pro con ti on al de ment ing un ly st ra mo ne sy")
	w := &Words{All: make([]string, 30000)}
	for i := range w.All {
		for range 1 + r.IntN(4) {
			w.All[i] += syllables[r.IntN(len(syllables))]
		}
	}
	w.zipf = rand.NewZipf(r, 1.1, 4, uint64(len(w.All)-1))
	return w
}

// Text returns a text of a number of words.
func (w *Words) Text(words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(w.All[w.zipf.Uint64()] + " ")
	}
	return b.String()
}

// Writer is a store that can write several rows in one transaction.
type Writer interface {
	history.Store
	Write(ctx context.Context, step string, work func(tx *sqlstore.Tx)) error
}

// AddTurns adds turns, each with one answer of a number of words, to a new session, many in one transaction.
func AddTurns(tb testing.TB, s Writer, turns, words int) history.Session {
	tb.Helper()
	w, ctx, id := NewWords(), context.Background(), int64(0)
	for done := 0; id == 0 || done < turns; {
		err := s.Write(ctx, "fill", func(tx *sqlstore.Tx) {
			if id == 0 {
				id = tx.AddSession("filled", 0)
			}
			for range min(1000, turns-done) {
				done++
				tx.AddTurn(history.Turn{Session: id, Prompt: w.Text(12), Answers: []history.Answer{{
					Model: fmt.Sprintf("model-%d", done%15), Kind: history.KindText, State: history.Done, Version: 1,
					Text: w.Text(words), Elapsed: time.Second}}})
			}
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	in, err := s.Session(ctx, id)
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// measured is a benchmarked operation.
type measured struct {
	name string
	do   func(context.Context) error
}

// Bench measures operations that a user waits for in a store filled by AddTurns. It prints the 50th and 95th
// percentile in milliseconds.
func Bench(b *testing.B, s history.Store) {
	last, err := s.LastSession(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	w := NewWords()
	for _, m := range slices.Concat(searches(s, w), lists(s), recordings(s, w, last.ID)) {
		b.Run(m.name, func(b *testing.B) { measure(b, m.do) })
	}
}

func searches(s history.Store, w *Words) (all []measured) {
	rng := rand.New(rand.NewPCG(3, 4))
	pick := func(from, to int) string { return w.All[from+rng.IntN(to-from)] + " " }
	letters := func(n int) string { return (strings.TrimSpace(pick(0, 5000)) + "aaaa")[:n] }
	search := func(name string, query func() history.Query) {
		all = append(all, measured{name, func(ctx context.Context) error {
			_, err := s.Search(ctx, query())
			return err
		}})
	}
	texts := benchTexts(pick, letters)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		search(name, func() history.Query { return history.Query{Text: text()} })
		if strings.Contains(name, "two") || name == "phrase" {
			continue
		}
		all = append(all, measured{"sessions " + name, func(ctx context.Context) error {
			_, _, err := s.Sessions(ctx, history.Query{Text: text(), Limit: 200})
			return err
		}})
	}
	search("model", func() history.Query { return history.Query{Models: []string{"model-3"}} })
	search("word many of a model", func() history.Query {
		return history.Query{Text: pick(0, 20), Models: []string{"model-3"}}
	})
	return all
}

func lists(s history.Store) []measured {
	return []measured{
		{"open newest", func(ctx context.Context) error {
			in, err := s.LastSession(ctx)
			if err == nil {
				_, err = s.Turns(ctx, in.ID, history.Page{Limit: 40})
			}
			return err
		}},
		{"list sessions", func(ctx context.Context) error {
			_, _, err := s.Sessions(ctx, history.Query{Limit: 200})
			return err
		}},
		{"stats", func(ctx context.Context) error {
			_, err := s.Stats(ctx)
			return err
		}},
	}
}

func recordings(s history.Store, w *Words, session int64) []measured {
	record := func(ctx context.Context) (history.Turn, error) {
		return s.AddTurn(ctx, history.Turn{Session: session, Prompt: w.Text(12),
			Answers: []history.Answer{{Model: "model-1", Kind: history.KindText}}})
	}
	return []measured{
		{"record", func(ctx context.Context) error {
			_, err := record(ctx)
			return err
		}},
		{"record and end", func(ctx context.Context) error {
			t, err := record(ctx)
			if err != nil {
				return err
			}
			a := t.Answers[0]
			a.Version, a.State, a.Text = 1, history.Done, w.Text(60)
			return s.SaveAnswer(ctx, a)
		}},
	}
}

// benchTexts returns texts to search by name.
func benchTexts(pick func(from, to int) string, letters func(n int) string) map[string]func() string {
	return map[string]func() string{
		"1 letter":       func() string { return letters(1) },
		"2 letters":      func() string { return letters(2) },
		"3 letters":      func() string { return letters(3) },
		"word many":      func() string { return pick(0, 20) },
		"word some":      func() string { return pick(100, 2000) },
		"word few":       func() string { return pick(10000, 30000) },
		"two words some": func() string { return pick(20, 400) + pick(20, 400) },
		"two words few":  func() string { return pick(20, 400) + pick(2000, 10000) },
		"two, one begun": func() string { return pick(20, 400) + letters(2) },
		"phrase":         func() string { return `"` + pick(0, 100) + pick(0, 100) + `"` },
	}
}

func measure(b *testing.B, do func(context.Context) error) {
	var took []float64
	for b.Loop() {
		began := time.Now()
		if err := do(b.Context()); err != nil {
			b.Fatal(err)
		}
		took = append(took, float64(time.Since(began).Microseconds())/1000)
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "p50-ms")
	b.ReportMetric(took[min(len(took)-1, len(took)*95/100)], "p95-ms")
	b.ReportMetric(0, "ns/op")
}
