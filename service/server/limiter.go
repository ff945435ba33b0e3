package server

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
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
	if l.slots.Acquire(ctx, 1) != nil {
		return nil, context.Cause(ctx)
	}
	return release, nil
}
