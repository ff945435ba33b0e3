package service

import (
	"context"

	"confab/history"
)

// The types of a chain of edits.

// EditChain returns what the picture of an answer was made from and all that was made from it; see
// [history.Store.EditChain]. Answers are as they stand now.
func (s *Service) EditChain(ctx context.Context, answer int64) (history.Chain, error) {
	c, err := from(ctx, s, func(store history.Store) (history.Chain, error) { return store.EditChain(ctx, answer) })
	if err != nil {
		return history.Chain{}, err
	}
	for i, l := range c.Links {
		if l.Source == nil {
			c.Links[i].Answer = s.asShown(history.Turn{ID: l.Turn.ID, Answers: []history.Answer{l.Answer}}).Answers[0]
		}
	}
	return c, nil
}
