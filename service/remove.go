package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"confab/history"
	"confab/service/problem"
)

// DeleteSession hides a session and stops its running answers. [Service.Undelete] restores it until it is purged.
func (s *Service) DeleteSession(ctx context.Context, id int64) (history.Trash, error) {
	return s.delete(ctx, history.Store.DeleteSession, id,
		func(t history.Turn, _ int64) bool { return t.Session == id })
}

// DeleteTurn hides a turn; see [Service.DeleteSession].
func (s *Service) DeleteTurn(ctx context.Context, id int64) (history.Trash, error) {
	return s.delete(ctx, history.Store.DeleteTurn, id, func(t history.Turn, _ int64) bool { return t.ID == id })
}

// DeleteAnswer hides an answer; see [Service.DeleteSession].
func (s *Service) DeleteAnswer(ctx context.Context, id int64) (history.Trash, error) {
	return s.delete(ctx, history.Store.DeleteAnswer, id,
		func(_ history.Turn, a int64) bool { return a == id })
}

// delete hides an entry by a method of the store and stops its calls in this process.
func (s *Service) delete(ctx context.Context,
	hide func(history.Store, context.Context, int64) (history.Trash, error), id int64,
	belongs func(t history.Turn, answer int64) bool) (history.Trash, error) {
	trash, err := callStore(ctx, s, hide, id)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	s.hasDeleted = true // Close purges it
	var running []int64
	for id, c := range s.live {
		if belongs(c.b.turn, id) {
			running = append(running, id)
		}
	}
	s.mu.Unlock()
	s.Stop(running...)
	return trash, nil
}

// Undelete restores a deleted entry that is not purged.
func (s *Service) Undelete(ctx context.Context, t history.Trash) error {
	return s.withStore(ctx, func(store history.Store) error { return store.Undelete(ctx, t) })
}

// Purge deletes for good what this service, or processes that were killed, deleted longer ago than olderThan: from
// the history, the picture folder and the drafts. It returns the number of deleted pictures. It leaves what another
// screen can still undo.
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
			s.dropDraft(ctx, id)
		}
	}
	return removed, removeErr
}
