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
	turn     int64
	mu       sync.Mutex
	channel  chan history.Event
	isClosed bool
}

// newEventQueue returns a queue for a number of answers of a turn.
func newEventQueue(turn int64, answers int) *eventQueue {
	return &eventQueue{turn: turn, channel: make(chan history.Event, answers)}
}

// put queues the event of an answer in place of a queued older one, or as the last.
func (s *eventQueue) put(a history.Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed {
		return
	}
	// The channel has space for one event of each answer. To replace one, put receives all and sends them again; a
	// concurrent reader can only free space.
	waiting := make([]history.Event, 0, cap(s.channel))
	for len(s.channel) > 0 {
		select {
		case w := <-s.channel:
			waiting = append(waiting, w)
		default: // the reader received it
		}
	}
	at := slices.IndexFunc(waiting, func(w history.Event) bool { return w.Answer.ID == a.ID })
	switch {
	case at < 0:
		waiting = append(waiting, history.Event{Turn: s.turn, Answer: a})
	case a.Replaces(waiting[at].Answer):
		waiting[at].Answer = a
	}
	for _, w := range waiting {
		select {
		case s.channel <- w:
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
		close(s.channel)
	}
}
