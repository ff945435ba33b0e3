package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Backend is an engine of the configuration with its limit and what is known of its health. It is safe for concurrent
// use.
type Backend struct {
	name    string
	address string
	kinds   []ModelKind
	engine  Engine
	slots   *semaphore.Weighted // one for each request at work; nil for no limit

	onChange func(BackendStatus) // called when it goes down and when it is back; may be nil

	mu           sync.Mutex
	isKnown      bool   // whether anything was heard of it
	problem      string // why it is down
	checkFailure string // why the last health check failed; failed requests do not change it
}

// BackendOptions configures a [Backend]. All but Concurrency are required.
type BackendOptions struct {
	Name        string // in the configuration
	Address     string // for people
	Kinds       []ModelKind
	Engine      Engine
	Concurrency int // requests at work at a time, 0 for no limit; more wait
}

// NewBackend returns a [Backend].
func NewBackend(o BackendOptions) (*Backend, error) {
	if o.Engine == nil || len(o.Kinds) == 0 {
		return nil, fmt.Errorf("engine %s: it is not there, or makes nothing", o.Name)
	}
	b := &Backend{name: o.Name, address: o.Address, kinds: o.Kinds, engine: o.Engine}
	if o.Concurrency > 0 {
		b.slots = semaphore.NewWeighted(int64(o.Concurrency))
	}
	return b, nil
}

// ask has the engine answer, as soon as there is a place for the request.
func (b *Backend) ask(ctx context.Context, do func(context.Context, Engine) error) error {
	if b.slots != nil {
		if err := Acquire(ctx, b.slots); err != nil {
			return err
		}
		defer b.slots.Release(1)
	}
	err := do(ctx, b.engine)
	var e *Error
	if err == nil || errors.As(err, &e) && e.IsEngineDown {
		b.note(err, false)
	}
	return err
}

// note remembers that the engine is down for an error, or up for none, as a health check or a request found it.
func (b *Backend) note(err error, byCheck bool) {
	var e *Error
	problem := ""
	switch {
	case errors.As(err, &e):
		problem = e.Message
	case err != nil:
		problem = err.Error()
	}
	b.mu.Lock()
	hasChanged := (b.problem == "") != (problem == "")
	b.isKnown, b.problem = true, problem
	if byCheck {
		b.checkFailure = problem
	}
	status := b.statusLocked()
	b.mu.Unlock()
	if b.onChange != nil && hasChanged {
		b.onChange(status)
	}
}

// check asks the engine whether it is up.
func (b *Backend) check(ctx context.Context) {
	var err error
	if c, ok := b.engine.(Checker); ok {
		err = c.Check(ctx)
	}
	if err != nil && ctx.Err() != nil {
		err = &Error{Status: 504, Code: "timeout",
			Message: fmt.Sprintf("The engine %s did not say in time that it is up.", b.name), Err: err}
	}
	b.note(err, true)
}

// BackendStatus is what is known of an engine.
type BackendStatus struct {
	Engine       string // its name in the configuration
	Address      string
	IsKnown      bool // whether it was heard of at all
	IsUp         bool
	Problem      string // why it is not up
	CheckFailure string // why its last health check failed; empty when it did not, whatever requests came to
}

func (b *Backend) status() BackendStatus {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.statusLocked()
}

func (b *Backend) statusLocked() BackendStatus {
	return BackendStatus{Engine: b.name, Address: b.address, IsKnown: b.isKnown, IsUp: b.problem == "",
		Problem: b.problem, CheckFailure: b.checkFailure}
}
