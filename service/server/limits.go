package server

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"confab/internal/format"
	"confab/service/engine"
)

// requestLimiter limits how many requests are worked on at a time, and how many wait for that.
type requestLimiter struct {
	slots      *semaphore.Weighted
	waiting    atomic.Int64
	maxWaiting int64
}

func newRequestLimiter(working, waiting int) *requestLimiter {
	return &requestLimiter{slots: semaphore.NewWeighted(int64(working)), maxWaiting: int64(waiting)}
}

// acquire waits for a slot and returns the function that frees it. The error is a refusal when too many wait, or the
// cause for which ctx ended.
func (l *requestLimiter) acquire(ctx context.Context) (release func(), err error) {
	release = func() { l.slots.Release(1) }
	if l.slots.TryAcquire(1) {
		return release, nil
	}
	defer l.waiting.Add(-1)
	if l.waiting.Add(1) > l.maxWaiting {
		return nil, busy()
	}
	if err := engine.Acquire(ctx, l.slots); err != nil {
		return nil, err
	}
	return release, nil
}

// clientLimiter limits how often clients ask, and how many of their requests are answered at a time, in this process
// alone: several servers behind one address count each for itself.
type clientLimiter struct {
	rate     int // requests a minute of clients without a rate of their own
	parallel int // requests at a time, the same

	mu     sync.Mutex
	states map[string]*clientState // by the key's id; as many as there are keys
}

// clientState counts the requests of a client.
type clientState struct {
	perMinute int // of limiter
	limiter   *rate.Limiter
	running   int
}

// take counts a request of a client, or refuses it with how long to wait. release is called when it was answered.
func (l *clientLimiter) take(c Client, now time.Time) (release func(), err error) {
	if c.ID == "" {
		return nil, nil //nolint:nilnil // the owner of the server has no limits
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	state := l.states[c.ID]
	if state == nil {
		state = &clientState{}
		l.states[c.ID] = state
	}
	if most := limit(c.Parallel, l.parallel); most > 0 && state.running >= most {
		return nil, tooMany(fmt.Sprintf("This key may have %s answered at a time; try again in a moment.",
			format.Count(most, "request")), time.Second)
	}
	if perMinute := limit(c.Rate, l.rate); perMinute > 0 {
		if state.perMinute != perMinute { // ten seconds' worth at once
			state.perMinute = perMinute
			state.limiter = rate.NewLimiter(rate.Limit(float64(perMinute)/60), max(1, perMinute/6))
		}
		reservation := state.limiter.ReserveN(now, 1)
		if wait := reservation.DelayFrom(now); wait > 0 {
			reservation.CancelAt(now)
			return nil, tooMany(fmt.Sprintf("This key may ask %s a minute; try again in a moment.",
				format.Count(perMinute, "time")),
				wait)
		}
	}
	state.running++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		state.running--
	}, nil
}

// limit returns a client's own limit, or else the common one; 0 is none.
func limit(own, common int) int {
	if own != 0 {
		return max(own, 0)
	}
	return common
}
