package service

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"confab/history"
	"confab/service/api"
	"confab/service/problem"
)

// maxUnsaved is the maximum size in bytes of pictures kept in memory after the disk refused them.
const maxUnsaved = 128 << 20

// maxUnsavedServed is maxUnsaved for one of several users of a server, who share its memory.
const maxUnsavedServed = 16 << 20

// unsaved is an ended answer that could not be saved.
type unsaved struct {
	turn     history.Turn
	answer   history.Answer // as to be stored
	exchange history.Exchange
	image    []byte // of a picture that is not on disk
}

// shown returns the answer for display: with the path of its picture in memory and the failure of saving.
func (u unsaved) shown(failure history.Failure) history.Answer {
	a := u.answer
	if u.image != nil && a.Picture != nil {
		picture := *a.Picture
		picture.Path = history.UnsavedPicturePath(a.ID)
		a.Picture = &picture
	}
	if a.Failure == nil {
		a.Failure = &failure
	}
	return a
}

// keep saves an ended answer and returns it for display with the path of its picture. If that fails, it keeps the
// answer for [Service.SaveAgain] and adds a failure to it.
func (s *Service) keep(ctx context.Context, t history.Turn, a history.Answer, e history.Exchange,
	r api.Response) history.Answer {
	u := unsaved{turn: t, answer: a, exchange: e, image: r.Image}
	if a.Picture == nil {
		u.image = nil
	}
	saved, err := s.save(ctx, &u)
	if errors.Is(err, history.ErrNotFound) {
		// The answer was purged while it ran.
		s.discard(ctx, &u)
		return u.answer
	}
	if err == nil {
		return saved
	}
	if u.image != nil {
		s.markUnsaved(ctx, &u, err)
	}
	return s.keepUnsaved(u, err)
}

// markUnsaved records that an answer has ended whose picture could not be saved, so that other screens do not show it
// as running. Saving it later replaces this record.
func (s *Service) markUnsaved(ctx context.Context, u *unsaved, cause error) {
	known := problem.Store(cause).(*api.Error)
	a := u.answer
	a.State, a.Picture, a.Version = history.Failed, nil, a.Version+1
	a.Failure = &history.Failure{Code: string(known.Code), Message: s.o.Mask.String(problem.Sentence(
		"the picture came and is not saved yet: " + problem.Clause(known.Message)))}
	store, err := s.history(ctx)
	if err == nil {
		err = store.SaveAnswer(ctx, a)
	}
	if err == nil {
		u.answer.Version = a.Version + 1
	}
}

// save saves the picture, then the exchange and the answer, so that a done answer is always complete. It can be
// called again with the same u.
func (s *Service) save(ctx context.Context, u *unsaved) (history.Answer, error) {
	store, err := s.history(ctx)
	if err != nil {
		return u.answer, err
	}
	if size := len(u.image) + len(u.answer.Text); size > 0 {
		if err := s.o.Limits.Quota.ReserveBytes(int64(size)); err != nil {
			return u.answer, err
		}
	}
	if u.image != nil {
		name := ""
		if session, err := store.Session(ctx, u.turn.Session); err == nil && session.NameTurn == 0 {
			name = session.Name // not the prompt, which may be deleted later
		}
		turn, answer := s.withIDs(u.turn, u.answer)
		path, err := s.files.Save(turn, answer, u.image, name)
		if err != nil {
			return u.answer, err
		}
		picture := *u.answer.Picture
		picture.Path = path
		u.answer.Picture, u.image = &picture, nil
	}
	if err := store.SaveExchange(ctx, u.answer.ID, u.exchange); err != nil {
		return u.answer, fmt.Errorf("store the exchange: %w", err)
	}
	if err := store.SaveAnswer(ctx, u.answer); err != nil {
		return u.answer, fmt.Errorf("store the answer: %w", err)
	}
	if u.answer.Picture != nil {
		s.wakeUploader()
	}
	return u.answer, nil
}

// discard deletes the picture of a purged answer.
func (s *Service) discard(ctx context.Context, u *unsaved) {
	if u.answer.Picture == nil || u.answer.Picture.Path == "" {
		return
	}
	_, err := s.files.Remove(ctx, []string{u.answer.Picture.Path})
	if err != nil {
		s.o.Log.Warn("Left the picture of a deleted answer", "error", err)
	}
	u.answer.Picture = nil
}

// keepUnsaved keeps an answer for another attempt and returns it with the failure of saving.
func (s *Service) keepUnsaved(u unsaved, err error) history.Answer {
	failure := problem.Store(err).(*api.Error)
	s.o.Log.Error("Could not save an answer", "answer", u.answer.ID, "code", failure.Code, "error", err)
	code := failure.Code
	if code != api.CodeDisk {
		code = api.CodeStore
	}
	why := s.o.Mask.String(problem.Clause(failure.Message))

	s.mu.Lock()
	defer s.mu.Unlock()
	bound := int64(maxUnsaved)
	if s.o.Limits.IsServed {
		bound = maxUnsavedServed
	}
	if s.unsavedBytes+int64(len(u.image)) > bound {
		u.answer.State, u.answer.Picture, u.image = history.Failed, nil, nil
		u.answer.Failure = &history.Failure{Code: string(code), Message: problem.Sentence("the picture came but " +
			"could not be saved, and there are too many unsaved ones to keep it: " + why)}
	}
	s.unsavedBytes += int64(len(u.image))
	s.unsaved[u.answer.ID] = u
	return u.shown(history.Failure{Code: string(code),
		Message: problem.Sentence("this answer is not saved yet: " + why)})
}

// Unsaved returns the number of answers that are only in memory because saving failed.
func (s *Service) Unsaved() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.unsaved)
}

// SaveAgain retries saving answers. It returns an event for each saved one, and the error of those that still fail.
func (s *Service) SaveAgain(ctx context.Context) ([]history.Event, error) {
	s.again.Lock() // prevents saving a picture twice
	defer s.again.Unlock()
	s.mu.Lock()
	ids := slices.Sorted(maps.Keys(s.unsaved))
	s.mu.Unlock()
	var events []history.Event
	var failed error
	for _, id := range ids {
		s.mu.Lock()
		u, ok := s.unsaved[id]
		s.mu.Unlock()
		if !ok {
			continue
		}
		size := int64(len(u.image))
		u.answer.Version++
		a, err := s.save(ctx, &u)
		if errors.Is(err, history.ErrNotFound) {
			s.discard(ctx, &u)
		}
		s.mu.Lock()
		switch {
		case errors.Is(err, history.ErrNotFound):
			delete(s.unsaved, id) // the answer was deleted
			s.unsavedBytes -= size
		case err != nil:
			// The picture may be on disk now, and the version is higher.
			s.unsaved[id] = u
			s.unsavedBytes -= size - int64(len(u.image))
			if failed == nil {
				failed = err
			}
		default:
			delete(s.unsaved, id)
			s.unsavedBytes -= size
			events = append(events, history.Event{Turn: u.turn.ID, Answer: a})
		}
		s.mu.Unlock()
	}
	return events, problem.Store(failed)
}

// unsavedImage returns a picture in memory by its path.
func (s *Service) unsavedImage(path string) ([]byte, bool) {
	if !history.IsUnsavedPicture(path) {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, u := range s.unsaved {
		if history.UnsavedPicturePath(id) == path && u.image != nil {
			return u.image, true
		}
	}
	return nil, false
}

// asShown returns the turn with answers of this process that are newer than those in the store: running and unsaved
// ones.
func (s *Service) asShown(t history.Turn) history.Turn {
	for _, a := range t.Answers {
		s.mu.Lock()
		c, running := s.live[a.ID]
		u, waiting := s.unsaved[a.ID]
		s.mu.Unlock()
		switch {
		case running:
			t = history.Apply(t, history.Event{Turn: t.ID, Answer: c.current()})
		case waiting:
			shown := u.shown(history.Failure{Code: string(api.CodeStore),
				Message: "This answer is not saved yet; save it again."})
			t = history.Apply(t, history.Event{Turn: t.ID, Answer: shown})
		}
	}
	return t
}

func (s *Service) asShownNow(a history.Answer) history.Answer {
	return s.asShown(history.Turn{ID: a.Turn, Answers: []history.Answer{a}}).Answers[0]
}

// IsSaving reports whether the history is permanent. It is known after the first use of the history.
func (s *Service) IsSaving() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isSaving
}

// StoreProblem returns why the history could not be opened, so that nothing is saved; nil if it could or was not used
// yet.
func (s *Service) StoreProblem() *api.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.problem
}

// Stored returns a turn and one of its answers with their ids in the permanent history, or without ids if they are
// only in memory. It reports whether the history holds the answer, or will hold it when it has ended.
func (s *Service) Stored(t history.Turn, a history.Answer) (history.Turn, history.Answer, bool) {
	s.mu.Lock()
	_, refused := s.unsaved[a.ID]
	isSaved := s.isSaving && !refused
	s.mu.Unlock()
	t, a = s.withIDs(t, a)
	return t, a, isSaved
}

// withIDs returns a turn and one of its answers for export: with the ids of the permanent history, or without ids if
// they are only in memory.
func (s *Service) withIDs(t history.Turn, a history.Answer) (history.Turn, history.Answer) {
	if s.IsSaving() {
		return t, a
	}
	t.Session, t.ID, a.ID, a.Turn, a.SentTurns.Turns = 0, 0, 0, 0, nil
	if t.Source != nil && t.Source.Answer != 0 {
		source := *t.Source
		source.Answer = 0
		t.Source = &source
	}
	if a.Picture != nil && a.Picture.Parent != 0 {
		picture := *a.Picture
		picture.Parent = 0
		a.Picture = &picture
	}
	return t, a
}
