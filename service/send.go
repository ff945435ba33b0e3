package service

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
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
	release, err := s.hold()
	if err != nil {
		return history.Turn{}, nil, err
	}
	defer release()
	p, models, err := s.check(p)
	if err != nil {
		return history.Turn{}, nil, err
	}
	if err := s.o.Limits.Quota.CheckAnswers(len(models) * p.Samples * (1 + p.LaterPrompts)); err != nil {
		return history.Turn{}, nil, err
	}
	store, err := s.history(ctx)
	if err != nil {
		return history.Turn{}, nil, err
	}
	if p.Session == 0 && p.SessionName != "" {
		named, err := store.SessionNamed(ctx, p.SessionName)
		if err != nil && !errors.Is(err, history.ErrNotFound) {
			return history.Turn{}, nil, problem.Store(err)
		}
		p.Session = named.ID
	}
	turn, err := s.prepare(ctx, p, models)
	if err != nil {
		return history.Turn{}, nil, err
	}
	began, err := s.o.Limits.Quota.ReserveAnswers(len(turn.Answers))
	if err != nil {
		return history.Turn{}, nil, err
	}
	if p.Session == 0 {
		turn, err = store.AddTurnToSession(ctx, p.SessionName, turn)
	} else {
		turn, err = store.AddTurn(ctx, turn)
	}
	began(turn.ID)
	if err != nil {
		return history.Turn{}, nil, problem.Store(err)
	}
	calls, err := s.callsFor(turn, turn.Answers)
	if err != nil {
		return history.Turn{}, nil, err
	}
	if len(picturesOf(turn.Files)) > 0 {
		s.wakeUploader()
	}
	events, err := s.start(ctx, turn, calls)
	return turn, events, err
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

// batch is the answers that are requested together by one Send, Again or Resume.
type batch struct {
	turn           history.Turn // without its answers
	stream         *eventQueue
	calls          []*call
	source         lazy[published]
	unpublishOnce  sync.Once
	isSourceClosed atomic.Bool // the source must not be published any more
	ctx            context.Context
	cancel         context.CancelCauseFunc
}

// callsFor returns one call for each answer.
func (s *Service) callsFor(turn history.Turn, answers []history.Answer) ([]*call, error) {
	var calls []*call
	for _, a := range answers {
		m, err := s.model(a.Model)
		if err != nil {
			return nil, err
		}
		calls = append(calls, &call{s: s, model: m, answer: a, prefix: continued(a)})
	}
	return calls, nil
}

// start starts the calls. It fails only when the service is closing, and interrupts the answers then.
func (s *Service) start(ctx context.Context, turn history.Turn, calls []*call) (<-chan history.Event, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	turn.Answers = nil
	b := &batch{turn: turn, stream: newEventQueue(len(calls)), calls: calls, ctx: ctx, cancel: cancel}
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
	safego.Go(s.o.Log, "send", func() { s.fanOut(b) }, func(err error) { s.abandon(b, err) })
	return b.stream.events, nil
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

// fanOut runs the calls of the batch in order, Options.Concurrency of them in parallel.
func (s *Service) fanOut(b *batch) {
	slots := semaphore.NewWeighted(int64(s.o.Limits.Concurrency))
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
		b.isSourceClosed.Store(true)
		if p, ok := b.source.take(context.Background()); ok && p.release != nil {
			p.release()
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
	defer b.stream.close()
	b.cancel(nil)
	s.endQuota(b.calls)
	if b.source.isBusy() {
		// The answers were stopped, so readers need not wait for the goroutines.
		b.stream.close()
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

// eventQueue passes events to one reader and never blocks the sender. It keeps only the newest event of each answer,
// so an absent reader costs one event per answer and misses no final one. It has no goroutine, so an abandoned
// channel leaks nothing.
type eventQueue struct {
	mu       sync.Mutex
	events   chan history.Event
	isClosed bool
}

// newEventQueue returns a queue for a number of answers.
func newEventQueue(answers int) *eventQueue {
	return &eventQueue{events: make(chan history.Event, answers)}
}

// put replaces the queued event of e's answer at its position, or appends e. It drops e if the queued event is newer.
func (s *eventQueue) put(e history.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed {
		return
	}
	// The channel has space for one event of each answer. To replace one, put receives all and sends them again; a
	// concurrent reader can only free space.
	waiting := make([]history.Event, 0, cap(s.events))
	for len(s.events) > 0 {
		select {
		case w := <-s.events:
			waiting = append(waiting, w)
		default: // the reader received it
		}
	}
	at := slices.IndexFunc(waiting, func(w history.Event) bool { return w.Answer.ID == e.Answer.ID })
	switch {
	case at < 0:
		waiting = append(waiting, e)
	case e.Answer.Replaces(waiting[at].Answer):
		waiting[at] = e
	}
	for _, w := range waiting {
		select {
		case s.events <- w:
		default: // more answers than announced: drop the event instead of blocking
		}
	}
}

// close closes the channel; queued events can still be read.
func (s *eventQueue) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isClosed {
		s.isClosed = true
		close(s.events)
	}
}
