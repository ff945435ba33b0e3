package service

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"confab/history"
	"confab/service/problem"
)

// unmoved returns the turns that are not in the history.
func (s *spareStore) unmoved() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.added)
}

// moveTo moves the turns that were added to the history. What was moved before an error is not moved again.
func (s *spareStore) moveTo(ctx context.Context, to history.Store) error {
	for _, id := range s.unmoved() {
		t, err := s.Store.Turn(ctx, id)
		if err == nil {
			err = s.moveTurn(ctx, to, t)
		}
		if err != nil && !errors.Is(err, history.ErrNotFound) { // deleted meanwhile
			return err
		}
		s.mu.Lock()
		s.added = s.added[1:]
		s.mu.Unlock()
	}
	return nil
}

// moveTurn moves a turn with what its service was asked. After an error the next call goes on where it ended.
func (s *spareStore) moveTurn(ctx context.Context, to history.Store, t history.Turn) error {
	if s.turns[t.ID] == 0 {
		if err := s.copyTurn(ctx, to, t); err != nil {
			return err
		}
	}
	in, err := s.Store.Session(ctx, t.Session)
	if err != nil {
		return err
	}
	isNew, err := s.isNew(ctx, t.Session)
	if err == nil && isNew && in.NameTurn == 0 && in.Name != "" {
		err = to.RenameSession(ctx, s.moved[t.Session], in.Name)
	}
	if err != nil {
		return err
	}
	for _, a := range t.Answers {
		e, err := s.Store.Exchange(ctx, a.ID)
		if err == nil {
			err = to.SaveExchange(ctx, s.answers[a.ID], e)
		}
		if err != nil && !errors.Is(err, history.ErrNotFound) {
			return err
		}
	}
	return nil
}

// copyTurn adds a turn to the history and notes its ids there. Its session is made where the history does not have it,
// or not any more.
func (s *spareStore) copyTurn(ctx context.Context, to history.Store, t history.Turn) error {
	isNew, err := s.isNew(ctx, t.Session)
	if err != nil {
		return err
	}
	copied, session := s.withMovedIDs(t), s.moved[t.Session]
	if session == 0 && !isNew {
		session = t.Session
	}
	stored, err := history.Turn{}, history.ErrNotFound
	if copied.Session = session; session != 0 {
		stored, err = to.AddTurn(ctx, copied)
	}
	if errors.Is(err, history.ErrNotFound) {
		copied.Session = 0
		stored, err = to.AddTurnToSession(ctx, "", copied)
	}
	if err != nil {
		return err
	}
	s.moved[t.Session], s.turns[t.ID] = stored.Session, stored.ID
	for i, a := range t.Answers {
		s.answers[a.ID] = stored.Answers[i].ID
	}
	return nil
}

// withMovedIDs returns a turn without ids of its own, and with the ids in the history of what it names.
func (s *spareStore) withMovedIDs(t history.Turn) history.Turn {
	answer := func(id int64) int64 { return cmp.Or(s.answers[id], id) }
	t.ID = 0
	if t.Source != nil {
		source := *t.Source
		source.Answer = answer(source.Answer)
		t.Source = &source
	}
	t.Answers = slices.Clone(t.Answers)
	for i := range t.Answers {
		a := &t.Answers[i]
		a.ID, a.Turn = 0, 0
		a.SentTurns.Turns = slices.Clone(a.SentTurns.Turns)
		for j, sent := range a.SentTurns.Turns {
			turn := cmp.Or(s.turns[sent.Turn], sent.Turn)
			a.SentTurns.Turns[j] = history.SentTurn{Turn: turn, Answer: answer(sent.Answer)}
		}
		if a.Picture != nil {
			picture := *a.Picture
			picture.Parent = answer(picture.Parent)
			a.Picture = &picture
		}
	}
	return t
}

// UnsavedTurns returns how many turns are in memory only because the history could not be opened or written.
func (s *Service) UnsavedTurns() int {
	if store, ok := s.store.peek(); ok {
		if spare, ok := store.(*spareStore); ok {
			return len(spare.unmoved())
		}
	}
	return 0
}

// ReopenReport is what [Service.Reopen] did.
type ReopenReport struct {
	IsSaving bool            // the history is used from now on, or was all along
	Turns    int             // that were moved to it
	LostRuns int             // tables of runs that were not, only their turns
	Sessions map[int64]int64 // the ids that the sessions of these turns have now
}

// Reopen opens the history again after it could not be, and moves what was kept in memory to it. While answers are
// written, that waits for a later call. The error tells why the history still cannot be used.
func (s *Service) Reopen(ctx context.Context) (r ReopenReport, err error) {
	s.again.Lock()
	defer s.again.Unlock()
	store, _ := s.store.peek()
	spare, ok := store.(*spareStore)
	if !ok {
		return ReopenReport{IsSaving: s.IsSaving()}, nil
	}
	opened, err := s.o.History.Open(ctx)
	if err != nil {
		return r, problem.Store(err)
	}
	if !s.recording.TryLock() {
		return r, opened.Close()
	}
	defer s.recording.Unlock()
	s.mu.Lock()
	isBusy := len(s.live) > 0 || len(s.runs) > 0
	s.mu.Unlock()
	if isBusy {
		return r, opened.Close()
	}
	r.Turns = len(spare.unmoved())
	if err := spare.moveTo(ctx, opened); err != nil {
		return ReopenReport{}, errors.Join(problem.Store(err), opened.Close())
	}
	s.store.replace(opened)
	s.mu.Lock()
	s.isSaving, s.problem = true, nil
	unsavedAnswers := map[int64]unsaved{}
	for id, u := range s.unsaved {
		u.turn.Session, u.turn.ID = cmp.Or(spare.moved[u.turn.Session], u.turn.Session),
			cmp.Or(spare.turns[u.turn.ID], u.turn.ID)
		u.answer.ID, u.answer.Turn = cmp.Or(spare.answers[id], id), u.turn.ID
		unsavedAnswers[u.answer.ID] = u
	}
	s.unsaved = unsavedAnswers
	s.mu.Unlock()
	if err := spare.Close(); err != nil {
		s.o.Log.Warn("Could not remove the copy of the history", "error", err)
	}
	r.IsSaving, r.Sessions, r.LostRuns = true, spare.moved, len(spare.runs)
	return r, nil
}
