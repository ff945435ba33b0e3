package server

import (
	"context"
	"sync/atomic"
)

// gate lets a number of requests in at a time and keeps a number waiting.
type gate struct {
	slots   chan struct{}
	waiting atomic.Int64
	most    int64
}

func newGate(working, waiting int) *gate {
	return &gate{slots: make(chan struct{}, working), most: int64(waiting)}
}

// enter waits for a place and returns how to leave it. The error is a refusal
// when too many wait, or ctx's end.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	leave = func() { <-g.slots }
	select {
	case g.slots <- struct{}{}:
		return leave, nil
	default:
	}
	if g.waiting.Add(1) > g.most {
		g.waiting.Add(-1)
		return nil, busy()
	}
	defer g.waiting.Add(-1)
	select {
	case g.slots <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// busy is the refusal of a request for which there is no place or no memory now.
func busy() *refusal {
	return &refusal{status: 429, code: "rate_limited", message: "The service has too much to do; try again in a second.",
		retry: 1}
}
