package service

import (
	"context"
	"log/slog"
	"sync"

	"confab/internal/safego"
)

// lazy is a value made on first need. Whoever waits for it may give up; the making goes on for the others. A failure is
// not kept: the next need tries again.
type lazy[T any] struct {
	mu     sync.Mutex
	value  T
	made   bool
	making *making
}

// making is one attempt in progress.
type making struct {
	done chan struct{}
	err  error
}

// get returns the value, making it when there is none. The context given to build outlives the caller's.
func (l *lazy[T]) get(ctx context.Context, log *slog.Logger, name string, build func(context.Context) (T, error)) (T,
	error) {
	l.mu.Lock()
	if l.made {
		defer l.mu.Unlock()
		return l.value, nil
	}
	m := l.making
	if m == nil {
		m = &making{done: make(chan struct{})}
		l.making = m
		ctx := context.WithoutCancel(ctx)
		safego.Go(log, name, func() {
			v, err := build(ctx)
			l.settle(m, v, err)
		}, func(err error) {
			var none T
			l.settle(m, none, err)
		})
	}
	l.mu.Unlock()

	var none T
	select {
	case <-m.done:
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
	if m.err != nil {
		return none, m.err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value, nil
}

// settle ends an attempt.
func (l *lazy[T]) settle(m *making, v T, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		l.value, l.made = v, true
	}
	m.err = err
	l.making = nil
	close(m.done)
}

// peek returns the value when it has been made.
func (l *lazy[T]) peek() (T, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value, l.made
}

// busy tells whether the value is being made.
func (l *lazy[T]) busy() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.making != nil
}

// take waits for an attempt in progress and takes the value away, so that whoever closes it does so once.
func (l *lazy[T]) take(ctx context.Context) (T, bool) {
	l.mu.Lock()
	m := l.making
	l.mu.Unlock()
	if m != nil {
		select {
		case <-m.done:
		case <-ctx.Done():
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	v, ok := l.value, l.made
	var none T
	l.value, l.made = none, false
	return v, ok
}
