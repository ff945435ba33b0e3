package service

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"confab/internal/safego"
)

// lazy is a value made on first need. Whoever waits for it may give up; the making goes on for the others. A failure is
// not kept: the next need tries again.
type lazy[T any] struct {
	mu      sync.Mutex
	value   T
	isMade  bool
	attempt singleflight.Group
	making  atomic.Bool
}

// get returns the value, making it when there is none. The context given to build outlives the caller's.
func (l *lazy[T]) get(ctx context.Context, log *slog.Logger, name string, build func(context.Context) (T, error)) (v T,
	err error) {
	if v, ok := l.peek(); ok {
		return v, nil
	}
	l.making.Store(true)
	made := l.attempt.DoChan("", func() (_ any, err error) {
		defer l.making.Store(false)
		if v, ok := l.peek(); ok {
			return v, nil // the attempt before this one has just made it
		}
		defer safego.Recover(log, name, func(fault error) { err = fault })
		v, err := build(context.WithoutCancel(ctx))
		if err == nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.value, l.isMade = v, true
		}
		return v, err
	})
	select {
	case result := <-made:
		if result.Err != nil {
			return v, result.Err
		}
		return result.Val.(T), nil
	case <-ctx.Done():
		return v, context.Cause(ctx)
	}
}

// peek returns the value when it has been made.
func (l *lazy[T]) peek() (T, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value, l.isMade
}

// isBusy reports whether the value is being made.
func (l *lazy[T]) isBusy() bool { return l.making.Load() }

// take waits for an attempt in progress and takes the value away, so that whoever closes it does so once.
func (l *lazy[T]) take(ctx context.Context) (v T, ok bool) {
	select {
	case <-l.attempt.DoChan("", func() (any, error) { return nil, context.Canceled }): // or the attempt in progress
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.value, v = v, l.value
	ok, l.isMade = l.isMade, false
	return v, ok
}
