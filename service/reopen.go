package service

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"confab/history"
	"confab/service/problem"
)

// unmoved returns the turns that were not moved to the history.
func (s *spareStore) unmoved() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.added)
}

// moveTo moves the added turns, runs and settings to the history. A later call continues after an error.
func (s *spareStore) moveTo(ctx context.Context, to history.Store) error {
	cells, err := s.startedCells(ctx)
	if err != nil {
		return err
	}
	for _, id := range s.unmoved() {
		t, err := s.Store.Turn(ctx, id)
		if err == nil {
			err = s.moveTurn(ctx, to, t, cells[id])
		}
		if err != nil && !errors.Is(err, history.ErrNotFound) { // the turn was deleted
			return err
		}
		s.mu.Lock()
		s.added = s.added[1:]
		s.mu.Unlock()
	}
	if err := s.updateRuns(ctx, to, cells); err != nil {
		return err
	}
	return s.moveSettings(ctx, to)
}

// startedCells returns the cells of the runs that were started here, by turn.
func (s *spareStore) startedCells(ctx context.Context) (map[int64]*history.Cell, error) {
	cells := map[int64]*history.Cell{}
	for run := range s.runs {
		for after := int64(0); ; {
			page, err := s.Store.Cells(ctx, run, after, 0)
			if err != nil {
				return nil, err
			}
			if len(page) == 0 {
				break
			}
			for _, c := range page {
				cells[c.Turn] = &c
			}
			after = page[len(page)-1].ID
		}
	}
	return cells, nil
}

// moveTurn moves a turn, which may be a cell of a run, with its exchanges. A later call continues after an error.
func (s *spareStore) moveTurn(ctx context.Context, to history.Store, t history.Turn, c *history.Cell) error {
	if s.turns[t.ID] == 0 {
		if err := s.copyTurn(ctx, to, t, c); err != nil {
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
	copied := s.withMovedIDs(t)
	for i, a := range t.Answers {
		if s.answers[a.ID] == 0 { // adding a cell adds only its first answer
			if err := s.addAnswer(ctx, to, t.ID, a.ID, copied.Answers[i], c); err != nil {
				return err
			}
		}
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

// copyTurn adds a turn to the history and records its new ids. It adds its session if the history lacks it.
func (s *spareStore) copyTurn(ctx context.Context, to history.Store, t history.Turn, c *history.Cell) error {
	isNew, err := s.isNew(ctx, t.Session)
	if err != nil {
		return err
	}
	copied, session := s.withMovedIDs(t), s.moved[t.Session]
	if session == 0 && !isNew {
		session = t.Session
	}
	add := func(session int64) (history.Turn, error) {
		copied.Session = session
		switch {
		case c != nil && (session != 0 || s.movedRuns[c.Run] == 0):
			return s.copyCell(ctx, to, copied, *c)
		case session != 0:
			return to.AddTurn(ctx, copied)
		}
		return to.AddTurnToSession(ctx, "", copied)
	}
	stored, err := add(session)
	if session != 0 && errors.Is(err, history.ErrNotFound) {
		stored, err = add(0)
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved[t.Session], s.turns[t.ID] = stored.Session, stored.ID
	for i, a := range stored.Answers {
		s.answers[t.Answers[i].ID] = a.ID
	}
	return nil
}

// copyCell adds a turn as a cell of its run, with its first answer. The first cell adds the run.
func (s *spareStore) copyCell(ctx context.Context, to history.Store, t history.Turn, c history.Cell) (history.Turn,
	error) {
	here, run := c.Turn, c.Run
	t.Answers = t.Answers[:1]
	var err error
	if c.ID, c.Run = 0, s.movedRuns[run]; c.Run == 0 {
		var r history.Run
		if r, err = s.Store.Run(ctx, run); err == nil {
			r.ID, r.Session = 0, t.Session
			r, c, t, err = to.StartRun(ctx, r, c, t)
			s.movedRuns[run] = r.ID
		}
	} else {
		c, t, err = to.AddCell(ctx, c, t)
	}
	if err == nil {
		s.cells[here] = c
	}
	return t, err
}

// addAnswer adds a further answer to a moved turn or cell.
func (s *spareStore) addAnswer(ctx context.Context, to history.Store, turn, answer int64, copied history.Answer,
	c *history.Cell) error {
	var added history.Answer
	if cell, isCell := s.cells[turn]; isCell && c.Answer == answer {
		renewed, a, err := to.RenewCell(ctx, cell, copied)
		if err != nil {
			return err
		}
		s.cells[turn], added = renewed, a
	} else {
		all, err := to.AddAnswers(ctx, s.turns[turn], []history.Answer{copied})
		if err != nil {
			return err
		}
		added = all[0]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[answer] = added.ID
	return nil
}

// updateRuns stores the current state of moved runs and their cells.
func (s *spareStore) updateRuns(ctx context.Context, to history.Store, cells map[int64]*history.Cell) error {
	for turn, moved := range s.cells {
		c := cells[turn]
		if c == nil { // the cell was deleted
			continue
		}
		put := *c
		put.ID = moved.ID
		if err := to.PutCell(ctx, put); err != nil && !errors.Is(err, history.ErrNotFound) {
			return err
		}
	}
	for here, there := range s.movedRuns {
		r, err := s.Store.Run(ctx, here)
		if r.ID = there; err == nil {
			err = to.PutRun(ctx, r)
		}
		if err != nil && !errors.Is(err, history.ErrNotFound) {
			return err
		}
	}
	return nil
}

func (s *spareStore) moveSettings(ctx context.Context, to history.Store) error {
	s.mu.Lock()
	names := slices.Collect(maps.Keys(s.chosen))
	s.mu.Unlock()
	for _, name := range names {
		value, err := s.Store.Setting(ctx, name)
		if id, notID := strconv.ParseInt(value, 10, 64); name == OpenSessionSetting && notID == nil {
			value = strconv.FormatInt(cmp.Or(s.moved[id], id), 10)
		}
		if err == nil {
			err = to.SetSetting(ctx, name, value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// withMovedIDs returns a turn without its own ids, and with references that use the ids of the history.
func (s *spareStore) withMovedIDs(t history.Turn) history.Turn {
	answer := func(id int64) int64 { return cmp.Or(s.answers[id], id) }
	var siblings []int64
	for _, id := range t.Siblings {
		if moved := s.turns[id]; id < t.ID && (moved != 0 || !s.isAdded[id]) {
			siblings = append(siblings, cmp.Or(moved, id))
		}
	}
	t.ID, t.Siblings = 0, siblings
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

// UnsavedTurns returns the number of turns that are only in memory, because the history could not be opened or
// written.
func (s *Service) UnsavedTurns() int {
	if store, ok := s.store.peek(); ok {
		if spare, ok := store.(*spareStore); ok {
			return len(spare.unmoved())
		}
	}
	return 0
}

// ReopenReport is the result of [Service.Reopen].
type ReopenReport struct {
	IsSaving bool            // the history is in use
	Turns    int             // number of moved turns
	Sessions map[int64]int64 // new ids of the sessions of moved turns, by old ids
	Runs     map[int64]int64 // new ids of moved runs, by old ids
}

// Reopen tries to open a history that could not be opened before, and moves turns in memory to it. It does nothing
// while answers are running. The error tells why the history still cannot be used.
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
	if !s.store.set(opened) {
		return ReopenReport{}, closing()
	}
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
	r.IsSaving, r.Sessions, r.Runs = true, spare.moved, spare.movedRuns
	return r, nil
}
