package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"confab/history"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/problem"
)

// ErrClosing is the cause of the cancellation of running answers when the program ends: they become interrupted, not
// cancelled. A caller may cancel a context with it for the same effect.
var ErrClosing = problem.ErrClosing

func closing() *api.Error {
	return problem.New(api.CodeCancelled, ErrClosing, "confab is closing; start it again to go on")
}

// history returns the store and opens it on first use. If the store cannot be opened or written, a copy or a store in
// memory replaces it, so that the program works without saving. [Service.Start] reports why, and [Service.Reopen]
// tries again.
func (s *Service) history(ctx context.Context) (history.Store, error) {
	if s.isClosed() {
		if store, ok := s.store.peek(); ok {
			return store, nil // needed by answers that end during Close
		}
		return nil, closing()
	}
	store, err := s.store.get(ctx, s.o.Log, "open the history", s.openStore)
	if err != nil {
		return nil, problem.Store(err)
	}
	return store, nil
}

func (s *Service) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isClosing
}

// openStore opens the store, or one in memory.
func (s *Service) openStore(ctx context.Context) (history.Store, error) {
	if s.o.History.Saves {
		store, err := s.o.History.Open(ctx)
		if err == nil {
			s.mu.Lock()
			s.isSaving = true
			s.mu.Unlock()
			return store, nil
		}
		var setup *history.SetupError
		if errors.Is(err, history.ErrUnreachable) || errors.Is(err, history.ErrRefused) || errors.As(err, &setup) {
			return nil, err // a shared history has no substitute; it may become reachable
		}
		failure := *problem.Store(err).(*api.Error)
		failure.Message = problem.Sentence(strings.TrimSuffix(failure.Message, ".") + "; until then nothing is saved")
		s.o.Log.Error("Could not open the history", "code", failure.Code, "error", err)
		s.mu.Lock()
		s.problem = &failure
		s.mu.Unlock()
		spare, err := s.openSpare(ctx, &failure)
		if err != nil {
			return nil, fmt.Errorf("open a history in memory: %w", err)
		}
		return spare, nil
	}
	store, err := s.o.History.OpenMemory(ctx)
	if err != nil {
		return nil, fmt.Errorf("open a history in memory: %w", err)
	}
	return store, nil
}

// Changes returns a channel of changes by others and of lost connections until the context ends; nil if the history
// reports none.
func (s *Service) Changes(ctx context.Context) <-chan history.Change {
	store, err := s.history(ctx)
	if watcher, ok := store.(history.Watcher); err == nil && ok {
		return watcher.Watch(ctx)
	}
	return nil
}

// connection returns the connection to the service and connects on first use.
func (s *Service) connection(ctx context.Context) (Connection, error) {
	if s.isClosed() {
		return Connection{}, closing()
	}
	link, err := s.link.get(ctx, s.o.Log, "connect", s.o.Backend.Connect)
	if err != nil && api.CodeOf(err) == "" && ctx.Err() == nil {
		err = problem.New(api.CodeService, err,
			"the service could not be reached or started, the log says more; run it again")
	}
	return link, err
}

// lazy is a value that is built on first use. A caller may stop waiting; building continues for the others. After a
// failure, the next use tries again.
type lazy[T any] struct {
	mu      sync.Mutex
	value   T
	isMade  bool
	discard func(T) // set by take; for a value that is built afterwards
	attempt singleflight.Group
	making  atomic.Bool
}

// get returns the value, built if necessary. The context of build outlives the caller's.
func (l *lazy[T]) get(ctx context.Context, log *slog.Logger, name string, build func(context.Context) (T, error)) (v T,
	err error) {
	if v, ok := l.peek(); ok {
		return v, nil
	}
	l.making.Store(true)
	made := l.attempt.DoChan("", func() (_ any, err error) {
		defer l.making.Store(false)
		if v, ok := l.peek(); ok {
			return v, nil // a concurrent attempt built it
		}
		defer safego.Recover(log, name, func(fault error) { err = fault })
		if l.isTaken() {
			return nil, closing()
		}
		v, err := build(context.WithoutCancel(ctx))
		if err == nil && !l.set(v) {
			err = closing()
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

// peek returns the value if it exists.
func (l *lazy[T]) peek() (T, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value, l.isMade
}

// set sets the value. After take it discards v instead and returns false.
func (l *lazy[T]) set(v T) bool {
	l.mu.Lock()
	discard := l.discard
	if discard == nil {
		l.value, l.isMade = v, true
	}
	l.mu.Unlock()
	if discard != nil {
		discard(v)
	}
	return discard == nil
}

func (l *lazy[T]) isTaken() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.discard != nil
}

// isBusy reports whether the value is being built.
func (l *lazy[T]) isBusy() bool { return l.making.Load() }

// take waits for an attempt in progress and removes the value, so that only one caller closes it. No other is built;
// discard gets the value of an attempt that ends after ctx.
func (l *lazy[T]) take(ctx context.Context, discard func(T)) (v T, ok bool) {
	select {
	case <-l.attempt.DoChan("", func() (any, error) { return nil, context.Canceled }): // or the one in progress
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.value, v = v, l.value
	ok, l.isMade, l.discard = l.isMade, false, discard
	return v, ok
}
