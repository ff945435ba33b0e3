package sqlite_test

import (
	"context"
	"fmt"
	"testing"

	"confab/history"
	"confab/history/sqlstore"
	"confab/history/storetest"
)

// BenchmarkEditChain reads one chain of ten edits out of 10,000.
func BenchmarkEditChain(b *testing.B) {
	ctx := context.Background()
	s := openBench(b)
	in, err := s.CreateSession(ctx, "pictures")
	must(b, err)
	last := int64(0)
	err = s.Write(ctx, "fill", func(tx *sqlstore.Tx) {
		w := storetest.NewWords()
		for i := range 10_000 {
			a := history.Answer{Model: "edit", Kind: history.KindEdit, State: history.Done, Version: 1,
				Picture: &history.Picture{Path: fmt.Sprintf("/p/%d.png", i)}}
			if i%10 > 0 {
				a.Picture.Parent = last
			}
			t := tx.AddTurn(history.Turn{Session: in.ID, Prompt: w.Text(12), Answers: []history.Answer{a}})
			last = t.Answers[0].ID
		}
	})
	must(b, err)
	for b.Loop() {
		if c, err := s.EditChain(ctx, last); err != nil || len(c.Links) != 10 {
			b.Fatalf("got %d links, %v", len(c.Links), err)
		}
	}
}
