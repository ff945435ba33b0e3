package engine

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// QueueClock adds up how long a request waits for places before anything is sent for it. It is safe for concurrent use.
type QueueClock struct{ nanoseconds atomic.Int64 }

// queueClockKey is the key of a [QueueClock] in a context.
type queueClockKey struct{}

// WithQueueClock returns a context in which [Acquire] reports its waiting to the clock.
func WithQueueClock(ctx context.Context) (context.Context, *QueueClock) {
	c := new(QueueClock)
	return context.WithValue(ctx, queueClockKey{}, c), c
}

// Waited returns how long the request has waited so far; a nil clock has measured nothing.
func (c *QueueClock) Waited() time.Duration {
	if c == nil {
		return 0
	}
	return time.Duration(c.nanoseconds.Load())
}

// Acquire takes one of the places, waiting for it as long as ctx lasts. The error is the cause for which that ended.
func Acquire(ctx context.Context, places *semaphore.Weighted) error {
	if places.TryAcquire(1) {
		return nil
	}
	began := time.Now()
	err := places.Acquire(ctx, 1)
	if c, ok := ctx.Value(queueClockKey{}).(*QueueClock); ok {
		c.nanoseconds.Add(int64(time.Since(began)))
	}
	if err != nil {
		return context.Cause(ctx)
	}
	return nil
}
