package service

import (
	"slices"
	"sync"

	"confab/history"
)

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
