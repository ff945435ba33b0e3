package service

import (
	"context"
	"errors"
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
	return s.expired(ctx, before, math.MaxInt32)
}

func (s *Service) expired(ctx context.Context, before time.Time, limit int) (history.Expired, error) {
	return fromStore(ctx, s,
		func(store history.Store) (history.Expired, error) { return store.Expired(ctx, before, limit) })
}

// Prune deletes for good what is older than a time, with its pictures, in steps between which others can write. It
// returns what it has deleted, also when the context or an error ends it before everything is.
func (s *Service) Prune(ctx context.Context, before time.Time) (pruned history.Expired, err error) {
	for {
		step, err := s.expired(ctx, before, pruneStep)
		if err != nil || len(step.Sessions)+len(step.Turns) == 0 {
			return pruned, err
		}
		if err := deleteEach(ctx, step.Sessions, s.DeleteSession); err != nil {
			return pruned, err
		}
		if err := deleteEach(ctx, step.Turns, s.DeleteTurn); err != nil {
			return pruned, err
		}
		if _, err := s.Purge(ctx, 0); err != nil {
			return pruned, err
		}
		pruned.Add(step)
	}
}

// deleteEach deletes entries. Those that another process has deleted count as deleted.
func deleteEach(ctx context.Context, ids []int64, remove func(context.Context, int64) (history.Trash, error)) error {
	for _, id := range ids {
		if _, err := remove(ctx, id); err != nil && !errors.Is(err, history.ErrNotFound) {
			return err
		}
	}
	return nil
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
