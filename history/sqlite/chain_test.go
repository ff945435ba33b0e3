package sqlite

import (
	"context"
	"fmt"
	"testing"

	"confab/history"
)

// BenchmarkEditChain reads one chain of ten edits out of 10,000.
func BenchmarkEditChain(b *testing.B) {
	ctx := context.Background()
	s := openBench(b)
	in, err := s.CreateSession(ctx, "pictures")
	if err != nil {
		b.Fatal(err)
	}
	last := int64(0)
	err = s.write(ctx, "fill", func(tx *transaction) {
		w := newWriter()
		for i := range 10_000 {
			a := history.Answer{Model: "edit", Kind: history.KindEdit, State: history.Done, Version: 1,
				Picture: &history.Picture{Path: fmt.Sprintf("/p/%d.png", i)}}
			if i%10 > 0 {
				a.Picture.Parent = last
			}
			t := tx.insertTurn(history.Turn{Session: in.ID, Prompt: w.text(12)},
				filterTokens([]history.Answer{a}))
			a.Turn = t.ID
			last = tx.insertAnswer(rowOfAnswer(a)).ID
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if c, err := s.EditChain(ctx, last); err != nil || len(c.Links) != 10 {
			b.Fatalf("got %d links, %v", len(c.Links), err)
		}
	}
}
