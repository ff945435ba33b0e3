package service

import (
	"context"

	"confab/history"
	"confab/service/problem"
)

// Judge stores a person's judgement of an answer and returns the answer. A new winner replaces the turn's former one.
// Only a done answer can be the winner.
func (s *Service) Judge(ctx context.Context, answer int64, rating history.Rating, isWinner bool,
	note string) (history.Answer, error) {
	note = s.o.Mask.String(note)
	if isWinner {
		a, err := s.Answer(ctx, answer)
		if err != nil {
			return history.Answer{}, err
		}
		if a.State != history.Done && !a.IsWinner {
			return history.Answer{}, problem.Usage("the best answer of a turn is one that is done; this one is %s",
				a.State)
		}
	}
	judged, err := fromStore(ctx, s, func(store history.Store) (history.Answer, error) {
		return store.Judge(ctx, answer, rating, isWinner, note)
	})
	if err != nil {
		return history.Answer{}, err
	}
	s.mu.Lock()
	c := s.live[answer]
	if u, ok := s.unsaved[answer]; ok {
		u.answer.Rating, u.answer.IsWinner, u.answer.Note = rating, isWinner, note
		u.answer.Version = max(u.answer.Version, judged.Version)
		s.unsaved[answer] = u
	}
	s.clearUnsavedWinners(judged)
	s.mu.Unlock()
	if c != nil {
		c.applyJudgement(judged) // so that its next event contains the judgement
	}
	return s.asShownNow(judged), nil
}

// clearUnsavedWinners removes the mark of the winner from the turn's other unsaved answers. The caller holds the
// lock.
func (s *Service) clearUnsavedWinners(judged history.Answer) {
	if !judged.IsWinner {
		return
	}
	for id, u := range s.unsaved {
		if id != judged.ID && u.answer.Turn == judged.Turn {
			u.answer.IsWinner = false
			s.unsaved[id] = u
		}
	}
}

// AddVote stores a choice between two answers and returns the vote with its id and the models of the answers.
func (s *Service) AddVote(ctx context.Context, v history.Vote) (history.Vote, error) {
	switch {
	case v.AnswerA == v.AnswerB:
		return history.Vote{}, problem.Usage("a vote is between two answers")
	case !v.Preference.IsValid():
		return history.Vote{}, problem.Usage("a vote is for the first answer, the second, both as equal or neither")
	}
	for _, id := range []int64{v.AnswerA, v.AnswerB} {
		a, err := s.Answer(ctx, id)
		if err != nil {
			return history.Vote{}, err
		}
		if a.State != history.Done {
			return history.Vote{}, problem.Usage("a vote is between answers that are done, and one is %s", a.State)
		}
	}
	return callStore(ctx, s, history.Store.AddVote, v)
}

// UndoVote removes a vote.
func (s *Service) UndoVote(ctx context.Context, id int64) error {
	return s.withStore(ctx, func(store history.Store) error { return store.UndoVote(ctx, id) })
}
