package service

import (
	"cmp"
	"context"
	"slices"

	"confab/history"
	"confab/internal/chat"
	"confab/service/api"
	"confab/service/problem"
)

// Again repeats the request of an answer and adds the result as a further sample. Earlier turns deleted since are not
// sent. If isFresh is set, the request has a new nonce, which only pictures use. It returns the whole turn with the
// new sample, and the events as [Service.Send] does.
func (s *Service) Again(ctx context.Context, answer int64, isFresh bool) (history.Turn, <-chan history.Event, error) {
	store, err := s.history(ctx)
	if err != nil {
		return history.Turn{}, nil, err
	}
	before, err := store.Answer(ctx, answer)
	if err != nil {
		return history.Turn{}, nil, problem.Store(err)
	}
	same := func(history.Turn) []history.Answer { return []history.Answer{before} }
	return s.addSamples(ctx, before.Turn, same, isFresh)
}

// continuePrompt asks a model to continue an answer that was cut.
const continuePrompt = "Continue exactly where your last message stops, without repeating anything of it."

// continued returns the text that an answer continues; empty for an answer that continues none.
func continued(a history.Answer) string {
	last := len(a.SentMessages) - 1
	if a.SentPrompt != continuePrompt || last < 0 || a.SentMessages[last].Role != chat.RoleAssistant {
		return ""
	}
	return a.SentMessages[last].Content
}

// CanContinue reports whether [Service.Continue] can continue an answer: a text that stops before its end. The
// service must take messages.
func CanContinue(a history.Answer) bool {
	return a.Kind == history.KindText && a.Text != "" && a.State.HasEnded() &&
		(a.State != history.Done || a.Ending() == history.EndsCut)
}

// Continue asks the model of an incomplete text for the rest. The result is a further sample that begins with the old
// text. It fails with the code usage if the service takes no messages.
func (s *Service) Continue(ctx context.Context, answer int64) (history.Turn, <-chan history.Event, error) {
	a, t, err := s.answerWithTurn(ctx, answer)
	if err != nil {
		return history.Turn{}, nil, err
	}
	m, err := s.model(a.Model)
	if err != nil {
		return history.Turn{}, nil, err
	}
	if !CanContinue(a) {
		return history.Turn{}, nil, problem.Usage("this answer is whole; only one that was cut can be continued")
	}
	if !s.Extensions(ctx, m).TakesMessages {
		return history.Turn{}, nil, problem.Usage("the service takes no earlier messages for %s, so the answer cannot "+
			"be continued; run it again", m.Slug)
	}
	messages := slices.Clone(a.SentMessages)
	if prefix := continued(a); prefix != "" {
		messages = messages[:len(messages)-1] // the last message is already the question
	} else {
		messages = append(messages, chat.Message{Role: chat.RoleUser, Content: cmp.Or(a.SentPrompt,
			SentText(t.Files, t.Prompt))})
	}
	a.SentTurns.IsInPrompt = false
	a.SentMessages = append(messages, chat.Message{Role: chat.RoleAssistant, Content: a.Text})
	a.SentPrompt = continuePrompt
	return s.addSamples(ctx, a.Turn, func(history.Turn) []history.Answer { return []history.Answer{a} }, false)
}

// Resume asks again for every failed or interrupted answer of a turn that later samples of its model have not
// replaced. It adds the results as further samples. It skips cancelled answers.
func (s *Service) Resume(ctx context.Context, turn int64) (history.Turn, <-chan history.Event, error) {
	return s.addSamples(ctx, turn, func(t history.Turn) []history.Answer {
		missing := MissingAnswers(t)
		return slices.DeleteFunc(slices.Clone(t.Answers), func(a history.Answer) bool { return !missing[a.ID] })
	}, false)
}

// addSamples adds and requests a sample for each answer that choose returns, with the same request.
func (s *Service) addSamples(ctx context.Context, id int64, choose func(history.Turn) []history.Answer, isFresh bool) (
	history.Turn, <-chan history.Event, error) {
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
	var added []history.Answer
	last := map[string]int{}
	for _, a := range turn.Answers {
		last[a.Model] = max(last[a.Model], a.Sample)
	}
	edits := false
	for _, a := range choose(turn) {
		m, err := s.model(a.Model)
		if err != nil {
			return history.Turn{}, nil, err
		}
		last[a.Model]++
		next := a.Again(last[a.Model], s.o.Now())
		if !next.SentTurns.IsZero() {
			sent, err := s.sentPrompt(ctx, turn, next)
			if err != nil {
				return history.Turn{}, nil, err
			}
			next.SentTurns.Turns, next.SentTurns.SHA256 = sent.turns, sent.sha256() // deleted turns are omitted
		}
		if isFresh && m.Kind == api.Image {
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
	began, err := s.o.Limits.Quota.ReserveAnswers(len(added))
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
	events, err := s.start(ctx, turn, added, s.newSlots())
	return turn, events, err
}

// MissingAnswers returns the answers of a turn to run again: per model, as many failed ones as later samples have not
// replaced.
func MissingAnswers(t history.Turn) map[int64]bool {
	missing := map[int64]bool{}
	good := map[string]int{} // done, queued or running samples by model
	for _, a := range t.Answers {
		if a.State == history.Done || !a.State.HasEnded() {
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
