package service

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"confab/history"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/problem"
)

// Send records a turn and calls its models, Options.Concurrency of them in parallel. It returns the recorded turn
// with queued answers, and a channel of events that is closed when all answers have ended. A slow or absent reader
// blocks nothing and loses no final event.
//
// When ctx ends, the answers are cancelled; with the cause [ErrClosing] they become interrupted, and after its
// deadline they fail with the code timeout. An error means that nothing was sent: the prompt is invalid (usage,
// unknown_model, bad_image), or recording it failed (store, disk).
func (s *Service) Send(ctx context.Context, p Prompt) (history.Turn, <-chan history.Event, error) {
	sent, err := s.SendAll(ctx, []Prompt{p})
	if err != nil {
		return history.Turn{}, nil, err
	}
	return sent[0].Turn, sent[0].Events, nil
}

// Sent is a recorded turn with queued answers, and their events as [Service.Send] returns them.
type Sent struct {
	Turn   history.Turn
	Events <-chan history.Event
}

// SendAll sends prompts as [Service.Send] does, in the session of the first one and as branches beside it, so that
// all go with the same earlier turns. Together they make Options.Concurrency calls in parallel. It sends nothing if
// one of them is invalid or the quota does not cover all; if recording fails later, it returns what was sent before.
func (s *Service) SendAll(ctx context.Context, prompts []Prompt) (sent []Sent, err error) {
	release, err := s.hold()
	if err != nil {
		return nil, err
	}
	defer release()
	prompts, models, err := s.checkAll(prompts)
	if err != nil {
		return nil, err
	}
	store, err := s.history(ctx)
	if err != nil {
		return nil, err
	}
	if err := findSession(ctx, store, &prompts[0]); err != nil {
		return nil, err
	}
	slots := s.newSlots()
	for i, p := range prompts {
		if i > 0 {
			p.Session, p.Beside = sent[0].Turn.Session, sent[0].Turn.ID
		}
		turn, err := s.prepare(ctx, p, models[i])
		if err != nil {
			return sent, err
		}
		began, err := s.o.Limits.Quota.ReserveAnswers(len(turn.Answers))
		if err != nil {
			return sent, err
		}
		if p.Session == 0 {
			turn, err = store.AddTurnToSession(ctx, p.SessionName, turn)
		} else {
			turn, err = store.AddTurn(ctx, turn)
		}
		began(turn.ID)
		if err != nil {
			return sent, problem.Store(err)
		}
		events, err := s.start(ctx, turn, turn.Answers, slots)
		if err != nil {
			return sent, err
		}
		sent = append(sent, Sent{turn, events})
	}
	return sent, nil
}

// checkAll returns normalised prompts and the models of each, or the error of one or of the quota.
func (s *Service) checkAll(prompts []Prompt) ([]Prompt, [][]api.Model, error) {
	checked, models, answers := make([]Prompt, len(prompts)), make([][]api.Model, len(prompts)), 0
	for i, p := range prompts {
		var err error
		if checked[i], models[i], err = s.check(p); err != nil {
			return nil, nil, err
		}
		answers += len(models[i]) * checked[i].Samples
	}
	return checked, models, s.o.Limits.Quota.CheckAnswers(answers)
}

// findSession sets the session of a prompt that names one, where there is one of that name.
func findSession(ctx context.Context, store history.Store, p *Prompt) error {
	if p.Session != 0 || p.SessionName == "" {
		return nil
	}
	named, err := store.SessionNamed(ctx, p.SessionName)
	if p.Session = named.ID; err != nil && !errors.Is(err, history.ErrNotFound) {
		return problem.Store(err)
	}
	return nil
}

// hold keeps the store open until release is called, so that Close waits for recording. It fails when the service is
// closing.
func (s *Service) hold() (release func(), err error) {
	s.recording.RLock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosing {
		s.recording.RUnlock()
		return nil, closing()
	}
	s.sends.Add(1)
	return func() { s.recording.RUnlock(); s.sends.Done() }, nil
}

// prepare returns the turn of a prompt as it is to be recorded, after checking the source.
func (s *Service) prepare(ctx context.Context, p Prompt, models []api.Model) (history.Turn, error) {
	if !slices.ContainsFunc(models, func(m api.Model) bool { return m.Kind != api.Image }) {
		p.Source = nil // no model takes the picture
	}
	source, err := s.files.CheckSource(ctx, p.Source)
	if err != nil {
		return history.Turn{}, err
	}
	if err := s.checkLookers(ctx, history.Turn{Source: source, Files: p.Files}, models); err != nil {
		return history.Turn{}, err
	}
	for _, f := range picturesOf(p.Files) {
		if err := s.files.CheckAttached(ctx, f); err != nil {
			return history.Turn{}, err
		}
	}
	answers, err := s.answersOf(ctx, p, models)
	return turnOf(p, p.Session, source, answers), err
}

// newSlots returns the slots of calls that are made in parallel.
func (s *Service) newSlots() *semaphore.Weighted {
	return semaphore.NewWeighted(int64(s.o.Limits.Concurrency))
}

// batch is the answers that are requested together by one Send, Again or Resume.
type batch struct {
	turn          history.Turn // without its answers
	events        *eventQueue
	calls         []*call
	source        lazy[published]
	unpublishOnce sync.Once
	ctx           context.Context
	cancel        context.CancelCauseFunc
}

// start starts the calls for answers of a recorded turn, each when it gets a slot. If the service is closing, it fails
// and interrupts them.
func (s *Service) start(ctx context.Context, turn history.Turn, answers []history.Answer,
	slots *semaphore.Weighted) (<-chan history.Event, error) {
	var calls []*call
	for _, a := range answers {
		m, err := s.model(a.Model)
		if err != nil {
			return nil, err
		}
		calls = append(calls, &call{s: s, model: m, answer: a, prefix: continued(a)})
	}
	if len(picturesOf(turn.Files)) > 0 {
		s.wakeUploader()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	turn.Answers = nil
	b := &batch{turn: turn, events: newEventQueue(turn.ID, len(calls)), calls: calls, ctx: ctx, cancel: cancel}
	for _, c := range calls {
		c.b, c.ended, c.queued = b, make(chan struct{}), time.Now()
		c.ctx, c.cancel = context.WithCancelCause(ctx)
	}

	if !s.goLive(b) {
		cancel(ErrClosing)
		s.interruptUnsent(context.WithoutCancel(ctx), calls)
		s.endQuota(calls)
		return nil, closing()
	}
	safego.Go(s.o.Log, "send", func() { s.fanOut(b, slots) }, func(err error) { s.abandon(b, err) })
	return b.events.channel, nil
}

// goLive registers the batch unless the service is closing.
func (s *Service) goLive(b *batch) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosing {
		return false
	}
	for _, c := range b.calls {
		s.live[c.answer.ID] = c
	}
	s.sends.Add(1)
	return true
}

// interruptUnsent ends recorded answers that the closing service does not ask for.
func (s *Service) interruptUnsent(ctx context.Context, calls []*call) {
	for _, c := range calls {
		a := c.answer
		a.State, a.Version, a.Ended = history.Interrupted, a.Version+1, s.o.Now()
		s.saveEnd(ctx, a)
	}
}

// saveEnd saves the end of an answer that brings nothing else. Without it the answer would count as running for as
// long as this process lives.
func (s *Service) saveEnd(ctx context.Context, a history.Answer) {
	defer safego.Recover(s.o.Log, "end of an answer", nil)
	ctx, cancel := context.WithTimeout(ctx, saveTimeout)
	defer cancel()
	store, err := s.history(ctx)
	if err == nil {
		err = store.SaveAnswer(ctx, a)
	}
	if err != nil {
		s.o.Log.Warn("Could not save the end of an answer", "answer", a.ID, "error", err)
	}
}

// fanOut runs the calls of the batch in order, as many in parallel as there are slots.
func (s *Service) fanOut(b *batch, slots *semaphore.Weighted) {
	if src := b.turn.Source; src != nil && src.Path != "" {
		safego.Go(s.o.Log, "unpublish", b.afterEdits, nil)
	}
	for _, c := range b.calls {
		if err := slots.Acquire(c.ctx, 1); err != nil {
			c.finish(api.Response{}, api.Exchange{}, err)
			continue
		}
		safego.Go(s.o.Log, "answer", func() { c.run(slots) }, c.panicked)
	}
	for _, c := range b.calls {
		<-c.ended
	}
	s.endBatch(b)
}

// unpublish withdraws a published source once; concurrent callers wait.
func (b *batch) unpublish() {
	b.unpublishOnce.Do(func() {
		if p, ok := b.source.take(context.Background(), published.withdraw); ok {
			p.withdraw()
		}
	})
}

// afterEdits withdraws the source when the last edit has ended, without waiting for the other answers.
func (b *batch) afterEdits() {
	for _, c := range b.calls {
		if c.model.Kind == api.Edit {
			<-c.ended
		}
	}
	b.unpublish()
}

// endBatch ends a batch whose answers have all ended.
func (s *Service) endBatch(b *batch) {
	defer s.sends.Done()
	defer b.events.close()
	b.cancel(nil)
	s.endQuota(b.calls)
	if b.source.isBusy() {
		// The answers were stopped, so readers need not wait for the goroutines.
		b.events.close()
	}
	b.unpublish()
}

// abandon ends a batch after a panic in fanOut.
func (s *Service) abandon(b *batch, err error) {
	for _, c := range b.calls {
		c.cancel(err)
		c.panicked(err)
	}
	s.endBatch(b)
}

// Stop cancels queued or running answers and closes their connections. It ignores ended answers and those of other
// processes.
func (s *Service) Stop(answers ...int64) {
	for _, id := range answers {
		s.mu.Lock()
		c := s.live[id]
		s.mu.Unlock()
		if c == nil {
			continue
		}
		c.cancel(problem.ErrStopped)
		// A queued call would notice the cancellation only when it gets a slot.
		if !c.hasBegun() {
			safego.Go(s.o.Log, "stop", func() {
				c.finish(api.Response{}, api.Exchange{}, problem.ErrStopped)
			}, c.panicked)
		}
	}
}
