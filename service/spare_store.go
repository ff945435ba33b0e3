package service

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"sync"

	"confab/history"
	"confab/service/api"
	"confab/service/problem"
)

// spareStore stands in for a history that cannot be opened or written. It is a copy of what can be read of that, or
// empty, and is lost with the process. [Service.Reopen] moves the turns that it was given to the history.
type spareStore struct {
	history.Store
	folder  string     // that holds the copy, removed with it; empty for a store that began empty
	cause   *api.Error // why the history cannot be used
	mu      sync.Mutex
	added   []int64         // turns, in their order, that are not in the history
	turns   map[int64]int64 // the ids in the history of turns that were moved to it
	answers map[int64]int64 // of their answers
	moved   map[int64]int64 // of their sessions
	isAdded map[int64]bool  // turns that were added, moved ones as well
}

// openSpare opens a spare store after the history could not be opened.
func (s *Service) openSpare(ctx context.Context, cause *api.Error) (*spareStore, error) {
	spare := &spareStore{cause: cause, turns: map[int64]int64{}, answers: map[int64]int64{},
		moved: map[int64]int64{}, isAdded: map[int64]bool{}}
	if s.o.OpenCopy != nil {
		folder, err := s.process.MakeTempFolder()
		if err == nil {
			if spare.Store, err = s.o.OpenCopy(ctx, folder); err == nil {
				spare.folder = folder
				return spare, nil
			}
			_ = os.RemoveAll(folder) // the next start sweeps what is left
		}
		s.o.Log.Warn("Could not read the history", "error", err)
	}
	var err error
	spare.Store, err = s.o.OpenMemory(ctx)
	return spare, err
}

// Close implements [history.Maintainer].
func (s *spareStore) Close() error {
	err := s.Store.Close()
	if s.folder != "" {
		err = errors.Join(err, os.RemoveAll(s.folder))
	}
	return err
}

func (s *spareStore) note(t history.Turn, err error) {
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.added = append(s.added, t.ID)
	s.isAdded[t.ID] = true
}

// AddTurn implements [history.TurnStore].
func (s *spareStore) AddTurn(ctx context.Context, t history.Turn) (history.Turn, error) {
	t, err := s.Store.AddTurn(ctx, t)
	s.note(t, err)
	return t, err
}

// AddTurnToSession implements [history.TurnStore].
func (s *spareStore) AddTurnToSession(ctx context.Context, name string, t history.Turn) (history.Turn, error) {
	t, err := s.Store.AddTurnToSession(ctx, name, t)
	s.note(t, err)
	return t, err
}

// StartRun implements [history.RunStore].
func (s *spareStore) StartRun(ctx context.Context, r history.Run, c history.Cell, t history.Turn) (history.Run,
	history.Cell, history.Turn, error) {
	r, c, t, err := s.Store.StartRun(ctx, r, c, t)
	s.note(t, err)
	return r, c, t, err
}

// AddCell implements [history.CellStore].
func (s *spareStore) AddCell(ctx context.Context, c history.Cell, t history.Turn) (history.Cell, history.Turn, error) {
	c, t, err := s.Store.AddCell(ctx, c, t)
	s.note(t, err)
	return c, t, err
}

// DeleteSession implements [history.TrashStore]: a deletion in a copy would delete nothing.
func (s *spareStore) DeleteSession(ctx context.Context, id int64) (history.Trash, error) {
	return s.unlessCopied(func() (history.Trash, error) { return s.Store.DeleteSession(ctx, id) })
}

// DeleteTurn implements [history.TrashStore].
func (s *spareStore) DeleteTurn(ctx context.Context, id int64) (history.Trash, error) {
	return s.unlessCopied(func() (history.Trash, error) { return s.Store.DeleteTurn(ctx, id) })
}

// DeleteAnswer implements [history.TrashStore].
func (s *spareStore) DeleteAnswer(ctx context.Context, id int64) (history.Trash, error) {
	return s.unlessCopied(func() (history.Trash, error) { return s.Store.DeleteAnswer(ctx, id) })
}

func (s *spareStore) unlessCopied(do func() (history.Trash, error)) (history.Trash, error) {
	if s.folder != "" {
		return 0, s.cause
	}
	return do()
}

// Judge implements [history.AnswerStore].
func (s *spareStore) Judge(ctx context.Context, id int64, rating history.Rating, isWinner bool, note string) (
	history.Answer, error) {
	a, err := s.Store.Answer(ctx, id)
	s.mu.Lock()
	isAdded := s.isAdded[a.Turn]
	s.mu.Unlock()
	if err != nil || !isAdded {
		return a, cmp.Or(err, error(s.cause))
	}
	return s.Store.Judge(ctx, id, rating, isWinner, note)
}

// RenameSession implements [history.SessionStore].
func (s *spareStore) RenameSession(ctx context.Context, id int64, name string) error {
	if isNew, err := s.isNew(ctx, id); err != nil || !isNew {
		return cmp.Or(err, error(s.cause))
	}
	return s.Store.RenameSession(ctx, id, name)
}

// SavePersona implements [history.PersonaStore].
func (s *spareStore) SavePersona(context.Context, history.Persona) (history.Persona, error) {
	return history.Persona{}, s.cause
}

// DeletePersona implements [history.PersonaStore].
func (s *spareStore) DeletePersona(context.Context, int64) error { return s.cause }

// isNew tells whether a session was made here.
func (s *spareStore) isNew(ctx context.Context, session int64) (bool, error) {
	first, err := s.Store.Turns(ctx, session, history.Page{Around: 1, Limit: 1}) // no turn is older than the first
	s.mu.Lock()
	defer s.mu.Unlock()
	return err == nil && len(first) > 0 && s.isAdded[first[0].ID], err
}

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

func (s *spareStore) moveTurn(ctx context.Context, to history.Store, t history.Turn) error {
	in, err := s.Store.Session(ctx, t.Session)
	if err != nil {
		return err
	}
	isNew, err := s.isNew(ctx, t.Session)
	if err != nil {
		return err
	}
	added := s.withMovedIDs(t)
	session, isMoved := s.moved[t.Session]
	switch {
	case isMoved || !isNew:
		added.Session = cmp.Or(session, t.Session)
		added, err = to.AddTurn(ctx, added)
		if !errors.Is(err, history.ErrNotFound) {
			break
		}
		fallthrough // it was deleted there meanwhile
	default:
		added.Session = 0
		added, err = to.AddTurnToSession(ctx, "", added)
		if err == nil && in.NameTurn == 0 && in.Name != "" {
			err = to.RenameSession(ctx, added.Session, in.Name)
		}
	}
	if err != nil {
		return err
	}
	s.moved[t.Session], s.turns[t.ID] = added.Session, added.ID
	for i, a := range t.Answers {
		s.answers[a.ID] = added.Answers[i].ID
		e, err := s.Store.Exchange(ctx, a.ID)
		if err == nil {
			err = to.SaveExchange(ctx, added.Answers[i].ID, e)
		}
		if err != nil && !errors.Is(err, history.ErrNotFound) {
			return err
		}
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
	real, err := s.o.Open(ctx)
	if err != nil {
		return r, problem.Store(err)
	}
	if !s.recording.TryLock() {
		return r, real.Close()
	}
	defer s.recording.Unlock()
	s.mu.Lock()
	isBusy := len(s.live) > 0 || len(s.runs) > 0
	s.mu.Unlock()
	if isBusy {
		return r, real.Close()
	}
	r.Turns = len(spare.unmoved())
	if err := spare.moveTo(ctx, real); err != nil {
		return ReopenReport{}, errors.Join(problem.Store(err), real.Close())
	}
	s.store.replace(real)
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
	r.IsSaving, r.Sessions = true, spare.moved
	return r, nil
}
