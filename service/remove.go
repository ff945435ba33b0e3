package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"confab/history"
	"confab/service/problem"
)

// DeleteSession hides a session at once and stops what runs in it. Until it is purged, [Service.Undelete] brings it
// back.
func (s *Service) DeleteSession(ctx context.Context, id int64) (history.Trash, error) {
	t, err := from(ctx, s, func(store history.Store) (history.Trash, error) { return store.DeleteSession(ctx, id) })
	if err == nil {
		s.stopWhere(func(t history.Turn) bool { return t.Session == id })
	}
	return s.trash(t, err)
}

// DeleteTurn hides a turn; see [Service.DeleteSession].
func (s *Service) DeleteTurn(ctx context.Context, id int64) (history.Trash, error) {
	t, err := from(ctx, s, func(store history.Store) (history.Trash, error) { return store.DeleteTurn(ctx, id) })
	if err == nil {
		s.stopWhere(func(t history.Turn) bool { return t.ID == id })
	}
	return s.trash(t, err)
}

// DeleteAnswer hides an answer; see [Service.DeleteSession].
func (s *Service) DeleteAnswer(ctx context.Context, id int64) (history.Trash, error) {
	t, err := from(ctx, s, func(store history.Store) (history.Trash, error) { return store.DeleteAnswer(ctx, id) })
	if err == nil {
		s.Stop(id)
	}
	return s.trash(t, err)
}

// stopWhere stops the answers of this process for which it holds.
func (s *Service) stopWhere(holds func(history.Turn) bool) {
	s.mu.Lock()
	var ids []int64
	for id, c := range s.live {
		if holds(c.b.turn) {
			ids = append(ids, id)
		}
	}
	s.mu.Unlock()
	s.Stop(ids...)
}

// trash remembers that this service deleted something, so that Close really deletes it.
func (s *Service) trash(t history.Trash, err error) (history.Trash, error) {
	if err == nil {
		s.mu.Lock()
		s.hasDeleted = true
		s.mu.Unlock()
	}
	return t, err
}

// Undelete brings back what was deleted, unless it has been purged.
func (s *Service) Undelete(ctx context.Context, t history.Trash) error {
	return s.withStore(ctx, func(store history.Store) error { return store.Undelete(ctx, t) })
}

// Purge deletes for good what this service deleted longer ago than that, and what processes that were killed had
// deleted: from the history, the picture folder and the drafts. It returns how many pictures it deleted. What can still
// be undone on another screen stays.
func (s *Service) Purge(ctx context.Context, olderThan time.Duration) (int, error) {
	store, err := s.history(ctx)
	if err != nil {
		return 0, err
	}
	deleted, err := store.DeletedSessions(ctx)
	if err != nil {
		return 0, problem.Store(err)
	}
	removed := 0
	var removeErr error
	err = store.Purge(ctx, olderThan, func(files []string) {
		n, err := s.files.Remove(ctx, files)
		removed += n
		if removeErr == nil {
			removeErr = err
		}
	})
	if err != nil {
		return removed, problem.Store(err)
	}
	left, err := store.DeletedSessions(ctx)
	if err != nil {
		return removed, problem.Store(err)
	}
	for _, id := range deleted {
		if _, err := store.Session(ctx, id); errors.Is(err, history.ErrNotFound) && !slices.Contains(left, id) {
			s.dropDraft(id)
		}
	}
	return removed, removeErr
}
