package service

import (
	"context"

	"confab/history"
	"confab/service/problem"
)

// Judge keeps a person's judgement of an answer and returns the answer with it. A turn has one winner: another one is
// none any more. Only an answer that is done becomes the winner.
func (s *Service) Judge(ctx context.Context, answer int64, rating history.Rating, isWinner bool,
	note string) (history.Answer, error) {
	note = s.o.Mask.String(note)
	if isWinner {
		a, err := s.Answer(ctx, answer)
		if err != nil {
			return history.Answer{}, err
		}
		if a.State != history.Done && !a.IsWinner {
			return history.Answer{}, problem.Usage("the winner of a turn is an answer that is done; this one is %s",
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
		c.applyJudgement(judged) // or its next event would show the answer without it
	}
	return s.asShownNow(judged), nil
}

// clearUnsavedWinners takes the mark of the winner from the turn's other answers that are not in the store yet. The
// caller holds the lock.
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

// AddVote keeps a person's choice between two answers and returns it with its id, for undoing it, and the models, which
// are those of the answers.
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

// UndoVote forgets a vote.
func (s *Service) UndoVote(ctx context.Context, id int64) error {
	return s.withStore(ctx, func(store history.Store) error { return store.UndoVote(ctx, id) })
}

// Wins counts the votes of the whole history, per model and per pair of models.
func (s *Service) Wins(ctx context.Context) (history.Wins, error) {
	return fromStore(ctx, s, func(store history.Store) (history.Wins, error) { return store.Wins(ctx) })
}
