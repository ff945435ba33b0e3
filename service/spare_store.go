package service

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync"

	"confab/history"
	"confab/service/api"
)

// spareStore replaces a history that cannot be opened or written. It is a copy of its readable content, or empty, and
// is lost when the process ends. [Service.Reopen] moves added turns, runs and settings to the history. Other changes,
// such as those of existing entries, return the reason why the history cannot be used.
//
// It is a store of its own because a prompt needs an id before it is sent, and what follows it (memory, branches,
// edits, runs) reads it by that id; a queue of unsaved turns would need the same reads, and the same new ids later.
type spareStore struct {
	history.Store
	folder    string     // folder of the copy, removed on Close; empty without a copy
	cause     *api.Error // why the history cannot be used
	mu        sync.Mutex
	added     []int64                // turns, in order, that are not in the history
	turns     map[int64]int64        // ids in the history of moved turns
	answers   map[int64]int64        // the same of their answers
	moved     map[int64]int64        // the same of their sessions
	isAdded   map[int64]bool         // all added turns, including moved ones
	runs      map[int64]bool         // started here
	movedRuns map[int64]int64        // ids in the history of runs whose first cell was moved
	cells     map[int64]history.Cell // cells as moved, by the turns of this store
	chosen    map[string]bool        // changed settings
}

// openSpare opens a spare store after opening the history failed.
func (s *Service) openSpare(ctx context.Context, cause *api.Error) (*spareStore, error) {
	spare := &spareStore{cause: cause, turns: map[int64]int64{}, answers: map[int64]int64{},
		moved: map[int64]int64{}, isAdded: map[int64]bool{}, runs: map[int64]bool{}, movedRuns: map[int64]int64{},
		cells: map[int64]history.Cell{}, chosen: map[string]bool{}}
	if s.o.History.OpenCopy != nil {
		folder, err := s.process.MakeTempFolder()
		if err == nil {
			if spare.Store, err = s.o.History.OpenCopy(ctx, folder); err == nil {
				spare.folder = folder
				return spare, nil
			}
			_ = os.RemoveAll(folder) // the next start removes the rest
		}
		s.o.Log.Warn("Could not read the history", "error", err)
	}
	var err error
	spare.Store, err = s.o.History.OpenMemory(ctx)
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
	if err == nil {
		s.mu.Lock()
		s.runs[r.ID] = true
		s.mu.Unlock()
	}
	return r, c, t, err
}

// AddCell implements [history.CellStore].
func (s *spareStore) AddCell(ctx context.Context, c history.Cell, t history.Turn) (history.Cell, history.Turn, error) {
	if !s.isStarted(c.Run) {
		return c, t, s.cause
	}
	c, t, err := s.Store.AddCell(ctx, c, t)
	s.note(t, err)
	return c, t, err
}

// RenewCell implements [history.CellStore].
func (s *spareStore) RenewCell(ctx context.Context, c history.Cell, a history.Answer) (history.Cell, history.Answer,
	error) {
	if !s.isStarted(c.Run) || !s.canChange(c.Turn) {
		return c, a, s.cause
	}
	return s.Store.RenewCell(ctx, c, a)
}

func (s *spareStore) isStarted(run int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs[run]
}

// PutRun implements [history.RunStore].
func (s *spareStore) PutRun(ctx context.Context, r history.Run) error {
	if !s.isStarted(r.ID) {
		return s.cause
	}
	return s.Store.PutRun(ctx, r)
}

// PutCell implements [history.CellStore].
func (s *spareStore) PutCell(ctx context.Context, c history.Cell) error {
	if !s.isStarted(c.Run) {
		return s.cause
	}
	return s.Store.PutCell(ctx, c)
}

// SetSetting implements [history.SettingStore].
func (s *spareStore) SetSetting(ctx context.Context, name, value string) error {
	err := s.Store.SetSetting(ctx, name, value)
	if err == nil {
		s.mu.Lock()
		s.chosen[name] = true
		s.mu.Unlock()
	}
	return err
}

// canChange reports whether a turn was added here and is not moved yet.
func (s *spareStore) canChange(turn int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isAdded[turn] && s.turns[turn] == 0
}

// AddAnswers implements [history.TurnStore].
func (s *spareStore) AddAnswers(ctx context.Context, turn int64, answers []history.Answer) ([]history.Answer, error) {
	if !s.canChange(turn) {
		return nil, s.cause
	}
	return s.Store.AddAnswers(ctx, turn, answers)
}

// ForkSession implements [history.SessionStore].
func (s *spareStore) ForkSession(context.Context, int64, int64, string) (history.Session, error) {
	return history.Session{}, s.cause
}

// ImportSession implements [history.ImportStore].
func (s *spareStore) ImportSession(ctx context.Context, in history.ImportedSession, isDry bool) (history.Import,
	error) {
	if !isDry {
		return history.Import{}, s.cause
	}
	return s.Store.ImportSession(ctx, in, true)
}

// ShowBranch implements [history.TurnStore].
func (s *spareStore) ShowBranch(ctx context.Context, turn int64) error {
	if !s.canChange(turn) {
		return s.cause
	}
	return s.Store.ShowBranch(ctx, turn)
}

// AddVote implements [history.VoteStore].
func (s *spareStore) AddVote(context.Context, history.Vote) (history.Vote, error) {
	return history.Vote{}, s.cause
}

// UndoVote implements [history.VoteStore].
func (s *spareStore) UndoVote(context.Context, int64) error { return s.cause }

// DeleteSession implements [history.TrashStore]. Deleting from a copy would have no effect.
func (s *spareStore) DeleteSession(ctx context.Context, id int64) (history.Trash, error) {
	if s.folder != "" || s.isMoved(s.moved, id) {
		return 0, s.cause
	}
	return s.Store.DeleteSession(ctx, id)
}

// DeleteTurn implements [history.TrashStore].
func (s *spareStore) DeleteTurn(ctx context.Context, id int64) (history.Trash, error) {
	if s.folder != "" || s.isMoved(s.turns, id) {
		return 0, s.cause
	}
	return s.Store.DeleteTurn(ctx, id)
}

// DeleteAnswer implements [history.TrashStore].
func (s *spareStore) DeleteAnswer(ctx context.Context, id int64) (history.Trash, error) {
	if s.folder != "" || s.isMoved(s.answers, id) {
		return 0, s.cause
	}
	return s.Store.DeleteAnswer(ctx, id)
}

func (s *spareStore) isMoved(ids map[int64]int64, id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ids[id] != 0
}

// Judge implements [history.AnswerStore].
func (s *spareStore) Judge(ctx context.Context, id int64, rating history.Rating, isWinner bool, note string) (
	history.Answer, error) {
	a, err := s.Store.Answer(ctx, id)
	if err != nil || !s.canChange(a.Turn) {
		return a, cmp.Or(err, error(s.cause))
	}
	return s.Store.Judge(ctx, id, rating, isWinner, note)
}

// RenameSession implements [history.SessionStore].
func (s *spareStore) RenameSession(ctx context.Context, id int64, name string) error {
	if isNew, err := s.isNew(ctx, id); err != nil || !isNew || s.isMoved(s.moved, id) {
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

// isNew reports whether a session was added here.
func (s *spareStore) isNew(ctx context.Context, session int64) (bool, error) {
	first, err := s.Store.Turns(ctx, session, history.Page{Around: 1, Limit: 1, HasHidden: true}) // ids begin at 1
	s.mu.Lock()
	defer s.mu.Unlock()
	return err == nil && len(first) > 0 && s.isAdded[first[0].ID], err
}
