package service

import (
	"slices"
	"sync"

	"confab/history"
)

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
