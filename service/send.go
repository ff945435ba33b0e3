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

// Send records a turn and then asks its models, Options.Concurrency of them at a time. It returns the recorded turn,
// whose answers are queued, and the changes that follow; the channel closes when every answer has ended. Reading
// slowly, or not at all, holds nothing up and loses no ending.
//
// The end of ctx cancels the answers; with the cause [ErrClosing] they become interrupted, and past its deadline they
// fail with the code timeout. An error means that nothing was sent: the prompt cannot be sent as it is (usage,
// unknown_model, bad_image), or it could not be recorded (store, disk).
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
	turn, calls, err := s.record(ctx, store, p, models)
	if err != nil {
		return history.Turn{}, nil, err
	}
	events, err := s.start(ctx, turn, calls)
	return turn, events, err
}

// hold keeps the store open until what is given back is called: what is being recorded as the service closes is still
// ended. It fails when that has begun.
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

// record judges the source and writes the turn down, together with its session when that is new.
func (s *Service) record(ctx context.Context, store history.Store, p Prompt, models []api.Model) (history.Turn,
	[]*call, error) {
	if !slices.ContainsFunc(models, func(m api.Model) bool { return m.Kind != api.Image }) {
		p.Source = nil // pictures made from words alone
	}
	source, err := s.files.CheckSource(ctx, p.Source)
	if err != nil {
		return history.Turn{}, nil, err
	}
	if err := s.checkLookers(ctx, source, models); err != nil {
		return history.Turn{}, nil, err
	}
	answers, err := s.answersOf(ctx, p, models)
	if err != nil {
		return history.Turn{}, nil, err
	}
	began, err := s.o.Limits.Quota.ReserveAnswers(len(answers))
	if err != nil {
		return history.Turn{}, nil, err
	}
	turn := turnOf(p, p.Session, source, answers)
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
	return turn, calls, err
}

// batch is what is asked for at once: the answers of one Send, Again or Resume.
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

// callsFor returns what is to be asked for, one call for each answer.
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

// start begins to ask. It fails only when the service is closing; the answers are interrupted then.
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

// goLive enters what is asked for, unless the service is closing.
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

// interruptUnsent ends answers that were recorded just when the service closed. Left as they are they would count as
// running for as long as this process lives.
func (s *Service) interruptUnsent(ctx context.Context, calls []*call) {
	ctx, cancel := context.WithTimeout(ctx, saveTimeout)
	defer cancel()
	store, err := s.history(ctx)
	for _, c := range calls {
		a := c.answer
		a.State, a.Version, a.Ended = history.Interrupted, a.Version+1, s.o.Now()
		if err == nil {
			err = store.SaveAnswer(ctx, a)
		}
		if err != nil {
			s.o.Log.Warn("Left an answer that was not asked for", "answer", a.ID, "error", err)
		}
	}
}

// fanOut asks for every answer of the batch in its order, Options.Concurrency of them at a time.
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

// unpublish takes a published source back, once; who comes second waits for it.
func (b *batch) unpublish() {
	b.unpublishOnce.Do(func() {
		b.isSourceClosed.Store(true)
		if p, ok := b.source.take(context.Background()); ok && p.release != nil {
			p.release()
		}
	})
}

// afterEdits takes the source back when the last edit has ended, however long the other answers of the turn take.
func (b *batch) afterEdits() {
	for _, c := range b.calls {
		if c.model.Kind == api.Edit {
			<-c.ended
		}
	}
	b.unpublish()
}

// endBatch ends a batch all of whose answers have ended.
func (s *Service) endBatch(b *batch) {
	defer s.sends.Done()
	defer b.stream.close()
	b.cancel(nil)
	s.endQuota(b.calls)
	if b.source.isBusy() {
		// Its answers were stopped; nobody has to wait until it noticed.
		b.stream.close()
	}
	b.unpublish()
}

// abandon ends a batch whose fan-out itself broke.
func (s *Service) abandon(b *batch, err error) {
	for _, c := range b.calls {
		c.cancel(err)
		c.panicked(err)
	}
	s.endBatch(b)
}

// Stop ends answers that wait or run: their connections are closed and they become cancelled. Answers that have ended,
// or are not of this process, are left alone.
func (s *Service) Stop(answers ...int64) {
	for _, id := range answers {
		s.mu.Lock()
		c := s.live[id]
		s.mu.Unlock()
		if c == nil {
			continue
		}
		c.cancel(problem.ErrStopped)
		// One that still waits for a place would be noticed only when its turn comes.
		if !c.hasBegun() {
			safego.Go(s.o.Log, "stop", func() {
				c.finish(api.Response{}, api.Exchange{}, problem.ErrStopped)
			}, c.panicked)
		}
	}
}

// eventQueue hands events to one reader without ever waiting for it. Only the newest event of each answer is kept, so a
// reader who sleeps, or never reads at all, costs one event per answer and misses no ending. No goroutine is behind it:
// forgetting the channel leaks nothing.
type eventQueue struct {
	mu       sync.Mutex
	events   chan history.Event
	isClosed bool
}

// newEventQueue returns a queue for that many answers.
func newEventQueue(answers int) *eventQueue {
	return &eventQueue{events: make(chan history.Event, answers)}
}

// put replaces the event of e's answer by e, at its place in the queue; the event of another answer goes to the end. An
// event older than the one that waits is dropped.
func (s *eventQueue) put(e history.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed {
		return
	}
	// The channel has room for one event of each answer. Taking everything out and putting it back is how one of them
	// is replaced: a reader can only make more room meanwhile.
	waiting := make([]history.Event, 0, cap(s.events))
	for len(s.events) > 0 {
		select {
		case w := <-s.events:
			waiting = append(waiting, w)
		default: // the reader was quicker
		}
	}
	at := slices.IndexFunc(waiting, func(w history.Event) bool { return w.Answer.ID == e.Answer.ID })
	switch {
	case at < 0:
		waiting = append(waiting, e)
	case e.Answer.Version > waiting[at].Answer.Version:
		waiting[at] = e
	}
	for _, w := range waiting {
		select {
		case s.events <- w:
		default: // more answers than were announced: the event is lost, not the sender
		}
	}
}

// close ends the queue; what waits can still be read.
func (s *eventQueue) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isClosed {
		s.isClosed = true
		close(s.events)
	}
}
