package service

import (
	"context"

	"confab/history"
	"confab/service/api"
	"confab/service/problem"
)

// Again asks for an answer once more and adds what comes as a further sample; none is overwritten. The request is
// exactly the one that was sent, or, when fresh, one with a new nonce, which only pictures have. It returns the whole
// turn with the new sample, and the events as [Service.Send] does.
func (s *Service) Again(ctx context.Context, answer int64, fresh bool) (history.Turn, <-chan history.Event, error) {
	store, err := s.history(ctx)
	if err != nil {
		return history.Turn{}, nil, err
	}
	before, err := store.Answer(ctx, answer)
	if err != nil {
		return history.Turn{}, nil, problem.Store(err)
	}
	return s.addSamples(ctx, before.Turn, func(a history.Answer) bool { return a.ID == answer }, fresh)
}

// Resume asks once more for every answer of a turn that failed or was interrupted, as far as further samples of its
// model have not made up for it yet. They are added as further samples; none is overwritten. What a person cancelled
// stays so.
func (s *Service) Resume(ctx context.Context, turn int64) (history.Turn, <-chan history.Event, error) {
	return s.addSamples(ctx, turn, nil, false)
}

// addSamples adds a sample for each answer that is wanted, or, when wanted is nil, for each that is missing.
func (s *Service) addSamples(ctx context.Context, id int64, wanted func(history.Answer) bool, fresh bool) (history.Turn,
	<-chan history.Event,
	error) {
	release, err := s.hold()
	if err != nil {
		return history.Turn{}, nil, err
	}
	defer release()
	store, err := s.history(ctx)
	if err != nil {
		return history.Turn{}, nil, err
	}
	turn, err := store.Turn(ctx, id)
	if err != nil {
		return history.Turn{}, nil, problem.Store(err)
	}
	turn = s.asShown(turn)
	if wanted == nil {
		missing := MissingAnswers(turn)
		wanted = func(a history.Answer) bool { return missing[a.ID] }
	}
	var added []history.Answer
	last := map[string]int{}
	for _, a := range turn.Answers {
		last[a.Model] = max(last[a.Model], a.Sample)
	}
	edits := false
	for _, a := range turn.Answers {
		if !wanted(a) {
			continue
		}
		m, err := s.model(a.Model)
		if err != nil {
			return history.Turn{}, nil, err
		}
		last[a.Model]++
		next := history.Answer{
			Turn: turn.ID, Model: a.Model, Kind: a.Kind, Sample: last[a.Model],
			State: history.Queued, Version: 1, Queued: s.o.Now(), SentPrompt: a.SentPrompt, SentNonce: a.SentNonce,
		}
		if fresh && m.Kind == api.Image {
			next.SentNonce = sentNonce(history.Nonce{Mode: history.NonceFresh})
		}
		edits = edits || m.Kind == api.Edit
		added = append(added, next)
	}
	if len(added) == 0 {
		return history.Turn{}, nil, problem.Usage("every answer of the turn is there already; nothing to run again")
	}
	if edits {
		if _, err := s.files.CheckSource(ctx, turn.Source); err != nil {
			return history.Turn{}, nil, err
		}
	}
	began, err := s.o.Quota.ReserveAnswers(len(added), true)
	if err != nil {
		return history.Turn{}, nil, err
	}
	if added, err = store.AddAnswers(ctx, turn.ID, added); err != nil {
		began(0)
		return history.Turn{}, nil, problem.Store(err)
	}
	began(turn.ID)
	for _, a := range added {
		turn = history.Apply(turn, history.Event{Turn: turn.ID, Answer: a})
	}
	calls, err := s.callsFor(turn, added)
	if err != nil {
		return history.Turn{}, nil, err
	}
	events, err := s.start(ctx, turn, calls)
	return turn, events, err
}

// MissingAnswers returns the answers of a turn that should be run again: of each model, as many as its failed ones that
// are not yet made up for by later samples.
func MissingAnswers(t history.Turn) map[int64]bool {
	missing := map[int64]bool{}
	good := map[string]int{} // samples of a model that came or are on their way
	for _, a := range t.Answers {
		if a.State == history.Done || !a.State.Ended() {
			good[a.Model]++
		}
	}
	asked := map[string]int{}
	for _, a := range t.Answers {
		if a.State != history.Failed && a.State != history.Interrupted {
			continue
		}
		if good[a.Model]+asked[a.Model] < max(t.Samples, 1) {
			asked[a.Model]++
			missing[a.ID] = true
		}
	}
	return missing
}
