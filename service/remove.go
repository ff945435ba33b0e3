package service

import (
	"context"
	"maps"
	"time"

	"confab/history"
	"confab/service/problem"
)

// DeleteSession hides a session at once and stops what runs in it. Until it is
// purged, [Service.Undelete] brings it back.
func (s *Service) DeleteSession(ctx context.Context, id int64) (history.Trash, error) {
	t, err := from(ctx, s, func(store history.Store) (history.Trash, error) { return store.DeleteSession(ctx, id) })
	if err == nil {
		s.stopWhere(func(t history.Turn) bool { return t.Session == id })
	}
	return s.trash(t, id, err)
}

// DeleteTurn hides a turn; see [Service.DeleteSession].
func (s *Service) DeleteTurn(ctx context.Context, id int64) (history.Trash, error) {
	t, err := from(ctx, s, func(store history.Store) (history.Trash, error) { return store.DeleteTurn(ctx, id) })
	if err == nil {
		s.stopWhere(func(t history.Turn) bool { return t.ID == id })
	}
	return s.trash(t, 0, err)
}

// DeleteAnswer hides an answer; see [Service.DeleteSession].
func (s *Service) DeleteAnswer(ctx context.Context, id int64) (history.Trash, error) {
	t, err := from(ctx, s, func(store history.Store) (history.Trash, error) { return store.DeleteAnswer(ctx, id) })
	if err == nil {
		s.Stop(id)
	}
	return s.trash(t, 0, err)
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

// trash remembers what this service deleted, so that Close really deletes it.
func (s *Service) trash(t history.Trash, session int64, err error) (history.Trash, error) {
	if err == nil {
		s.mu.Lock()
		s.trashed[t] = session
		s.mu.Unlock()
	}
	return t, err
}

// Undelete brings back what was deleted, unless it has been purged.
func (s *Service) Undelete(ctx context.Context, t history.Trash) error {
	err := s.tell(ctx, func(store history.Store) error { return store.Undelete(ctx, t) })
	if err == nil {
		s.mu.Lock()
		delete(s.trashed, t)
		s.mu.Unlock()
	}
	return err
}

// Purge really deletes what this service deleted longer ago than that, and what
// processes that were killed left deleted, from the store, from the picture
// folder and from the drafts, and returns how many pictures went. What can still
// be undone on another screen stays.
func (s *Service) Purge(ctx context.Context, olderThan time.Duration) (int, error) {
	store, err := s.history(ctx)
	if err != nil {
		return 0, err
	}
	return s.purge(ctx, store, olderThan)
}

// purge is Purge on a store.
func (s *Service) purge(ctx context.Context, store history.Store, olderThan time.Duration) (int, error) {
	s.mu.Lock()
	var own map[history.Trash]int64
	if olderThan <= 0 {
		own = maps.Clone(s.trashed)
	}
	s.mu.Unlock()

	removed := 0
	var removeErr error
	err := store.Purge(ctx, olderThan, func(files []string) {
		n, err := s.files.Remove(ctx, files)
		removed += n
		if removeErr == nil {
			removeErr = err
		}
	})
	if err != nil {
		return removed, problem.Store(err)
	}
	for t, session := range own {
		if session != 0 {
			s.dropDraft(session)
		}
		s.mu.Lock()
		delete(s.trashed, t)
		s.mu.Unlock()
	}
	return removed, removeErr
}
