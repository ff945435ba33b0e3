package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Backend is a configured engine with its limit and its known health. It is safe for concurrent use.
type Backend struct {
	name     string
	address  string
	kinds    []ModelKind
	engine   Engine
	params   Params
	patterns []string            // of the models that are listed; empty for all
	slots    *semaphore.Weighted // one per request in progress; nil for no limit

	onChange func(BackendStatus) // called when the engine goes down or recovers; may be nil
	onList   func()              // called when the models changed; may be nil

	mu           sync.Mutex
	isKnown      bool   // whether a check or request has ended
	problem      string // why the engine is down
	checkFailure string // why the last health check failed, regardless of requests
	models       []Model
}

// BackendOptions configures a [Backend]. All but Concurrency are required.
type BackendOptions struct {
	Name        string // in the configuration
	Address     string // for people
	Kinds       []ModelKind
	Engine      Engine
	Concurrency int      // parallel requests, 0 for no limit; more wait
	Models      []Model  // that the server listed in an earlier run
	Patterns    []string // globs of the names of its models that are listed; empty for all
	Params      Params   // defaults for parameters of routes and callers
}

func NewBackend(o BackendOptions) (*Backend, error) {
	if o.Engine == nil || len(o.Kinds) == 0 {
		return nil, fmt.Errorf("engine %s: it is not there, or makes nothing", o.Name)
	}
	b := &Backend{name: o.Name, address: o.Address, kinds: o.Kinds, engine: o.Engine, models: o.Models,
		patterns: o.Patterns, params: o.Params}
	if o.Concurrency > 0 {
		b.slots = semaphore.NewWeighted(int64(o.Concurrency))
	}
	return b, nil
}

// ask calls do with the engine when a slot is free.
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

// note records the result of a health check or a request: nil means up.
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

// check checks whether the engine is up, and which models it has.
func (b *Backend) check(ctx context.Context) {
	var err error
	switch e := b.engine.(type) {
	case Lister:
		var models []Model
		if models, err = e.List(ctx); err == nil {
			b.setModels(models)
		}
	case Checker:
		err = e.Check(ctx)
	}
	if err != nil && ctx.Err() != nil {
		err = &Error{Status: 504, Code: "timeout",
			Message: fmt.Sprintf("The engine %s did not say in time that it is up.", b.name), Err: err}
	}
	b.note(err, true)
}

// relistsWithout reads the list of models anew where an error says that the server does not know one, and reports
// whether that is no longer listed.
func (b *Backend) relistsWithout(ctx context.Context, err error, model string) bool {
	var e *Error
	if _, lists := b.engine.(Lister); !lists || !errors.As(err, &e) || !e.LacksModel {
		return false
	}
	b.check(ctx)
	return !slices.ContainsFunc(b.Models(), func(m Model) bool { return m.Name == model })
}

// BackendStatus is the known state of an engine.
type BackendStatus struct {
	Engine       string // name in the configuration
	Address      string
	IsKnown      bool // whether a check or request has ended
	IsUp         bool
	Problem      string // why it is not up
	CheckFailure string // why its last health check failed, regardless of requests; may be empty
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
