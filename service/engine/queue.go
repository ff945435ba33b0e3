package engine

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// QueueClock measures how long a request waits for slots before it is sent. It is safe for concurrent use.
type QueueClock struct{ nanoseconds atomic.Int64 }

// queueClockKey is the key of a [QueueClock] in a context.
type queueClockKey struct{}

// WithQueueClock returns a context that makes [Acquire] add its waiting time to the clock.
func WithQueueClock(ctx context.Context) (context.Context, *QueueClock) {
	c := new(QueueClock)
	return context.WithValue(ctx, queueClockKey{}, c), c
}

// Waited returns the waiting time so far; 0 for a nil clock.
func (c *QueueClock) Waited() time.Duration {
	if c == nil {
		return 0
	}
	return time.Duration(c.nanoseconds.Load())
}

// Acquire acquires a slot of places. The error is the cause of the end of ctx.
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
