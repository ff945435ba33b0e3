package server

import (
	"context"
	"sync/atomic"
)

// requestLimiter limits how many requests are worked on at a time, and how many wait for that.
type requestLimiter struct {
	slots   chan struct{}
	waiting atomic.Int64
	most    int64
}

func newRequestLimiter(working, waiting int) *requestLimiter {
	return &requestLimiter{slots: make(chan struct{}, working), most: int64(waiting)}
}

// acquire waits for a slot and returns the function that frees it. The error is a refusal when too many wait, or ctx's
// end.
func (g *requestLimiter) acquire(ctx context.Context) (release func(), err error) {
	release = func() { <-g.slots }
	select {
	case g.slots <- struct{}{}:
		return release, nil
	default:
	}
	if g.waiting.Add(1) > g.most {
		g.waiting.Add(-1)
		return nil, busy()
	}
	defer g.waiting.Add(-1)
	select {
	case g.slots <- struct{}{}:
		return release, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// busy is the refusal of a request for which there is no place or no memory now.
func busy() *refusal {
	return &refusal{status: 429, code: "rate_limited",
		message: "The service has too much to do; try again in a second.",
		retry:   1}
}
