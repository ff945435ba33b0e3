package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Route sends the models that it names to an engine.
type Route struct {
	Models      []string // slugs or globs
	Pool        *Pool
	Model       string        // what the engine calls the model; "" is the slug
	Params      Params        // where the caller sets none of the same name
	Timeout     time.Duration // for the whole answer with all its tries; 0 for none
	Concurrency int           // requests at work at a time by this route, 0 for no limit

	HasVision     bool // the model looks at pictures, as far as its engine does
	ContextTokens int  // the length of the model's context; 0 for what the engines say

	Fallback      *Pool  // answers when Pool cannot; nil for none
	FallbackModel string // what Fallback calls the model; "" is the slug

	slots *semaphore.Weighted // one for each request at work; nil for no limit
}

// RouterOptions say how a [Router] chooses.
type RouterOptions struct {
	Routes   []Route // the first one that names the model and makes its kind counts
	Unrouted *Pool   // answers the rest; nil refuses them

	// called when a replica goes down and when it is back; it must return at once and not call the router
	OnChange func(ReplicaStatus)
}

// Router is an [Engine] that has others answer. It is safe for concurrent use.
type Router struct {
	routes   []*Route
	unrouted *Pool
	pools    []*Pool
}

var _ Engine = (*Router)(nil)

// NewRouter returns a [Router]. The error names the route that is wrong.
func NewRouter(o RouterOptions) (*Router, error) {
	r := &Router{unrouted: o.Unrouted}
	r.add(o.Unrouted)
	for i, one := range o.Routes {
		if len(one.Models) == 0 || one.Pool == nil {
			return nil, fmt.Errorf("route %d: it names no model or no engine", i+1)
		}
		for _, m := range one.Models {
			if _, err := path.Match(m, ""); err != nil {
				return nil, fmt.Errorf("route %d: the pattern %q cannot be read", i+1, m)
			}
		}
		if one.Concurrency > 0 {
			one.slots = semaphore.NewWeighted(int64(one.Concurrency))
		}
		r.add(one.Pool)
		r.add(one.Fallback)
		r.routes = append(r.routes, &one)
	}
	for _, p := range r.pools {
		p.onChange = o.OnChange
	}
	return r, nil
}

func (r *Router) add(p *Pool) {
	if p != nil && !slices.Contains(r.pools, p) {
		r.pools = append(r.pools, p)
	}
}

// Name returns "router".
func (r *Router) Name() string { return "router" }

// Features returns what every engine that may answer a model can do with it.
func (r *Router) Features(slug string) Features {
	one := r.find(slug, KindText)
	if one == nil {
		return Features{}
	}
	f := one.Pool.features(one.model(slug))
	if one.Fallback != nil && slices.Contains(one.Fallback.kinds, KindText) {
		f = commonFeatures(f, one.Fallback.features(cmp.Or(one.FallbackModel, slug)))
	}
	f.TakesImages = f.TakesImages && one.HasVision
	f.ContextTokens = cmp.Or(one.ContextTokens, f.ContextTokens)
	return f
}

// commonFeatures returns what both can do.
func commonFeatures(a, b Features) Features {
	length := min(a.ContextTokens, b.ContextTokens)
	if length == 0 { // one of them is not known
		length = max(a.ContextTokens, b.ContextTokens)
	}
	return Features{Streams: a.Streams && b.Streams, TakesMessages: a.TakesMessages && b.TakesMessages,
		TakesParams: a.TakesParams && b.TakesParams, TakesImages: a.TakesImages && b.TakesImages,
		CountsTokens: a.CountsTokens && b.CountsTokens, ContextTokens: length}
}

// find returns the route of a model; nil when there is none.
func (r *Router) find(slug string, k ModelKind) *Route {
	for _, one := range r.routes {
		if !slices.Contains(one.Pool.kinds, k) {
			continue
		}
		for _, m := range one.Models {
			if ok, _ := path.Match(m, slug); ok || m == slug {
				return one
			}
		}
	}
	if r.unrouted != nil && slices.Contains(r.unrouted.kinds, k) {
		return &Route{Pool: r.unrouted, HasVision: true}
	}
	return nil
}

// request is what engines are asked for. The engine's own name for the model and the parameters of the route are given
// to it; it returns the facts of the answer.
type request struct {
	slug string
	kind ModelKind
	do   func(ctx context.Context, e Engine, model string, params Params) (*Facts, error)
	// isFinal reports whether a part of the answer went to the caller, after which nobody else may be asked.
	isFinal func() bool
}

func never() bool { return false }

// Text has the engine of q.Model answer.
func (r *Router) Text(ctx context.Context, q TextRequest) (t Text, err error) {
	var emitted atomic.Bool
	if emit := q.Emit; emit != nil {
		q.Emit = func(p Part) {
			emitted.Store(true)
			emit(p)
		}
	}
	do := func(ctx context.Context, e Engine, model string, params Params) (_ *Facts, err error) {
		one := q
		one.Model, one.Params = model, mergeParams(params, q.Params)
		t, err = e.Text(ctx, one)
		return &t.Facts, err
	}
	err = r.ask(ctx, request{q.Model, KindText, do, emitted.Load})
	return t, err
}

// mergeParams returns the parameters of a route with those of the caller over them.
func mergeParams(route, caller Params) Params {
	if len(caller) == 0 {
		return route
	}
	all := Params{}
	maps.Copy(all, route)
	maps.Copy(all, caller)
	return all
}

// Image has the engine of q.Model make a picture.
func (r *Router) Image(ctx context.Context, q ImageRequest) (p Picture, err error) {
	do := func(ctx context.Context, e Engine, model string, params Params) (_ *Facts, err error) {
		q.Model, q.Params = model, params
		p, err = e.Image(ctx, q)
		return &p.Facts, err
	}
	err = r.ask(ctx, request{q.Model, KindImage, do, never})
	return p, err
}

// Edit has the engine of q.Model change a picture.
func (r *Router) Edit(ctx context.Context, q EditRequest) (p Picture, err error) {
	do := func(ctx context.Context, e Engine, model string, params Params) (_ *Facts, err error) {
		q.Model, q.Params = model, params
		p, err = e.Edit(ctx, q)
		return &p.Facts, err
	}
	err = r.ask(ctx, request{q.Model, KindEdit, do, never})
	return p, err
}

// ask asks the route's engine and, where that fails for reasons of its own before a part of the answer went out, the
// fallback. It adds to the facts of the answer which engine answered.
func (r *Router) ask(ctx context.Context, q request) error {
	one := r.find(q.slug, q.kind)
	if one == nil {
		return &Error{Status: 404, Code: "unknown_model",
			Message: fmt.Sprintf("No engine answers for %s here.", q.slug)}
	}
	if one.slots != nil {
		if one.slots.Acquire(ctx, 1) != nil {
			return context.Cause(ctx)
		}
		defer one.slots.Release(1)
	}
	limited, cancel := ctx, func() {}
	if one.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, one.Timeout)
	}
	defer cancel()
	facts, err := one.Pool.ask(limited, one.model(q.slug), one.Params, q)
	if err == nil {
		facts.Engine = one.Pool.name
		return nil
	}
	if ctx.Err() == nil && limited.Err() != nil {
		err = &Error{Status: 504, Code: "timeout",
			Message: fmt.Sprintf("The engine %s did not answer within %s.", one.Pool.name, one.Timeout), Err: err}
	}
	if one.Fallback == nil || ctx.Err() != nil || q.isFinal() || !isEngineFault(err) ||
		!slices.Contains(one.Fallback.kinds, q.kind) {
		return err
	}
	facts, fallbackErr := one.Fallback.ask(ctx, cmp.Or(one.FallbackModel, q.slug), nil, q)
	if fallbackErr != nil && q.isFinal() {
		return fallbackErr // what the caller has of the answer is the fallback's
	}
	if fallbackErr != nil {
		return err // the first is the one to look into
	}
	note := fmt.Sprintf("The engine %s did not answer; %s did. ", one.Pool.name, one.Fallback.name)
	facts.Engine, facts.IsFallback, facts.Note = one.Fallback.name, true, strings.TrimSpace(note+facts.Note)
	return nil
}

// isEngineFault tells whether an engine failed for reasons of its own, so that another one may do better: not for a
// request that is bad everywhere.
func isEngineFault(err error) bool {
	var e *Error
	return !errors.As(err, &e) || e.Status >= 500 || e.Status == 429
}

func (one *Route) model(slug string) string { return cmp.Or(one.Model, slug) }

// Check asks every engine whether it is up, all at the same time.
func (r *Router) Check(ctx context.Context) {
	var all sync.WaitGroup
	for _, p := range r.pools {
		all.Go(func() { p.check(ctx) })
	}
	all.Wait()
}

// Watch checks every engine again and again until ctx ends.
func (r *Router) Watch(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		limited, cancel := context.WithTimeout(ctx, min(every, 5*time.Second))
		r.Check(limited)
		cancel()
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}

// ReplicaStatuses tell of every replica of every engine.
func (r *Router) ReplicaStatuses() []ReplicaStatus {
	var all []ReplicaStatus
	for _, p := range r.pools {
		all = append(all, p.replicaStatuses()...)
	}
	return all
}

// ModelStatus says who answers a model.
type ModelStatus struct {
	Engine   string // "" when none does
	Model    string // what it calls the model; "" when it is the slug
	IsKnown  bool   // whether it was checked
	IsUp     bool   // at least one replica answers
	Problem  string // why it is not up
	Fallback string // who answers when it does not; "" for none
}

// ModelStatus says who answers a model of a kind, by what is known now.
func (r *Router) ModelStatus(slug string, k ModelKind) ModelStatus {
	one := r.find(slug, k)
	if one == nil {
		return ModelStatus{}
	}
	a := ModelStatus{Engine: one.Pool.name, Model: one.Model}
	if one.Fallback != nil {
		a.Fallback = one.Fallback.name
	}
	for _, s := range one.Pool.replicaStatuses() {
		a.IsKnown = a.IsKnown || s.IsKnown
		a.IsUp = a.IsUp || s.IsUp
		if a.Problem == "" {
			a.Problem = s.Problem
		}
	}
	if a.IsUp {
		a.Problem = ""
	}
	return a
}

// Identity tells apart the pictures of different engines and settings, for whoever keeps them.
func (r *Router) Identity(slug string, k ModelKind) string {
	one := r.find(slug, k)
	if one == nil {
		return ""
	}
	return fmt.Sprintf("%s %s %v", one.Pool.name, one.model(slug), one.Params) // fmt sorts the keys of maps
}
