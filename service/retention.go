package service

import (
	"context"
	"math"
	"time"

	"confab/history"
	"confab/service/problem"
)

// pruneStep is how many sessions and turns are deleted before others can write.
const pruneStep = 100

// pruneSetting holds the day on which old entries were last looked for at a start.
const pruneSetting = "retention.day"

// Expired returns what [Service.Prune] would delete.
func (s *Service) Expired(ctx context.Context, before time.Time) (history.Expired, error) {
	return fromStore(ctx, s,
		func(store history.Store) (history.Expired, error) { return store.Expired(ctx, before, math.MaxInt32) })
}

// Prune deletes for good what is older than a time, with its pictures, in steps between which others can write. It
// returns what it has deleted, also when the context or an error ends it before everything is.
func (s *Service) Prune(ctx context.Context, before time.Time) (pruned history.Expired, err error) {
	for {
		step, err := s.deleteExpired(ctx, before)
		if err != nil || len(step.Sessions)+len(step.Turns) == 0 {
			return pruned, err
		}
		if _, err := s.Purge(ctx, 0); err != nil {
			return pruned, err
		}
		pruned.Add(step)
	}
}

// deleteExpired hides some of what is older than a time.
func (s *Service) deleteExpired(ctx context.Context, before time.Time) (e history.Expired, err error) {
	if err := s.o.CheckDelete(ctx); err != nil {
		return e, err
	}
	e, err = fromStore(ctx, s,
		func(store history.Store) (history.Expired, error) { return store.DeleteExpired(ctx, before, pruneStep) })
	for what, ids := range map[string][]int64{"session": e.Sessions, "turn": e.Turns} {
		for _, id := range ids {
			s.o.OnAction(ActionDelete, nameEntry(what, id))
		}
	}
	return e, err
}

// pruneOnceADay prunes at the first start of a day what is older than Options.Keep.
func (s *Service) pruneOnceADay(ctx context.Context, store history.Store) error {
	if s.o.Keep <= 0 {
		return nil
	}
	today := s.o.Now().UTC().Format(time.DateOnly)
	last, err := store.Setting(ctx, pruneSetting)
	if err != nil || last == today {
		return problem.Store(err)
	}
	if _, err := s.Prune(ctx, s.o.Now().Add(-s.o.Keep)); err != nil {
		return err
	}
	return problem.Store(store.SetSetting(ctx, pruneSetting, today))
}
