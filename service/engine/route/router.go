package route

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"confab/service/engine"
)

// Route sends the models that it names to an engine.
type Route struct {
	Models      []string // slugs or globs
	Pool        *Pool
	Model       string // what the engine calls the model; "" is the slug
	Params      engine.Params
	Timeout     time.Duration // for the whole answer with all its tries; 0 for none
	Concurrency int           // requests at work at a time by this route, 0 for no limit

	Fallback      *Pool  // answers when Pool cannot; nil for none
	FallbackModel string // what Fallback calls the model; "" is the slug

	inUse chan struct{} // one for each request at work; nil for no limit
}

// Options say how a [Router] chooses.
type Options struct {
	Routes   []Route // the first one that names the model and makes its kind counts
	Unrouted *Pool   // answers the rest; nil refuses them

	// called when a replica goes down and when it is back; it must return at once and not call the router
	Changed func(State)
}

// Router is an [engine.Engine] that has others answer. It is safe for concurrent use.
type Router struct {
	routes   []*Route
	unrouted *Pool
	pools    []*Pool
}

var _ engine.Engine = (*Router)(nil)

// New returns a [Router]. The error names the route that is wrong.
func New(o Options) (*Router, error) {
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
			one.inUse = make(chan struct{}, one.Concurrency)
		}
		r.add(one.Pool)
		r.add(one.Fallback)
		r.routes = append(r.routes, &one)
	}
	for _, p := range r.pools {
		p.changed = o.Changed
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

// find returns the route of a model; nil when there is none.
func (r *Router) find(slug string, k engine.Kind) *Route {
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
		return &Route{Pool: r.unrouted}
	}
	return nil
}

// Text has the engine of r.Model answer.
func (r *Router) Text(ctx context.Context, q engine.TextRequest) (engine.Text, error) {
	slug := q.Model
	return ask(ctx, r, slug, engine.KindText, func(t *engine.Text) *engine.Facts { return &t.Facts },
		func(ctx context.Context, e engine.Engine, model string, params engine.Params) (engine.Text, error) {
			q.Model, q.Params = model, params
			return e.Text(ctx, q)
		})
}

func pictureFacts(p *engine.Picture) *engine.Facts { return &p.Facts }

// Image has the engine of r.Model make a picture.
func (r *Router) Image(ctx context.Context, q engine.ImageRequest) (engine.Picture, error) {
	slug := q.Model
	return ask(ctx, r, slug, engine.KindImage, pictureFacts,
		func(ctx context.Context, e engine.Engine, model string, params engine.Params) (engine.Picture, error) {
			q.Model, q.Params = model, params
			return e.Image(ctx, q)
		})
}

// Edit has the engine of r.Model change a picture.
func (r *Router) Edit(ctx context.Context, q engine.EditRequest) (engine.Picture, error) {
	slug := q.Model
	return ask(ctx, r, slug, engine.KindEdit, pictureFacts,
		func(ctx context.Context, e engine.Engine, model string, params engine.Params) (engine.Picture, error) {
			q.Model, q.Params = model, params
			return e.Edit(ctx, q)
		})
}

// call asks one engine for a model by the engine's own name for it.
type call[T any] func(ctx context.Context, e engine.Engine, model string, params engine.Params) (T, error)

// ask asks the route's engine and, where that fails for reasons of its own, the fallback.
func ask[T any](ctx context.Context, r *Router, slug string, k engine.Kind, facts func(*T) *engine.Facts,
	do call[T]) (T, error) {
	var none T
	one := r.find(slug, k)
	if one == nil {
		return none, &engine.Error{Status: 404, Code: "unknown_model",
			Message: fmt.Sprintf("No engine answers for %s here.", slug)}
	}
	release, err := one.acquire(ctx)
	if err != nil {
		return none, err
	}
	defer release()
	limited, cancel := ctx, func() {}
	if one.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, one.Timeout)
	}
	defer cancel()
	got, err := try(limited, one.Pool, one.model(slug), one.Params, do)
	if err == nil {
		facts(&got).Engine = one.Pool.name
		return got, nil
	}
	if ctx.Err() == nil && limited.Err() != nil {
		err = &engine.Error{Status: 504, Code: "timeout",
			Message: fmt.Sprintf("The engine %s did not answer within %s.", one.Pool.name, one.Timeout), Err: err}
	}
	if one.Fallback == nil || ctx.Err() != nil || !isEngineFault(err) || !slices.Contains(one.Fallback.kinds, k) {
		return none, err
	}
	got, second := try(ctx, one.Fallback, cmp.Or(one.FallbackModel, slug), nil, do)
	if second != nil {
		return none, err // the first is the one to look into
	}
	f := facts(&got)
	f.Engine, f.Fallback = one.Fallback.name, true
	f.Note = strings.TrimSpace(fmt.Sprintf("The engine %s did not answer; %s did. ", one.Pool.name,
		one.Fallback.name) + f.Note)
	return got, nil
}

// try asks the replicas of an engine one after the other, as long as nothing was carried out: what may have been is not
// repeated.
func try[T any](ctx context.Context, p *Pool, model string, params engine.Params, do call[T]) (got T, err error) {
	tried := map[*replica]bool{}
	for {
		r, waited := p.acquire(ctx, tried)
		if waited != nil {
			return got, waited
		}
		if r == nil {
			return got, err
		}
		got, err = askReplica(ctx, p, r, model, params, do)
		var e *engine.Error
		if err == nil || !errors.As(err, &e) || !e.Untouched || e.Status < 429 || ctx.Err() != nil {
			return got, err
		}
		tried[r] = true
	}
}

// askReplica asks one replica and gives its place back, whatever happens.
func askReplica[T any](ctx context.Context, p *Pool, r *replica, model string, params engine.Params, do call[T]) (
	got T, err error) {
	defer func() { p.release(r, err) }()
	return do(ctx, r.engine, model, params)
}

// isEngineFault tells whether an engine failed for reasons of its own, so that another one may do better: not for a
// request that is bad everywhere.
func isEngineFault(err error) bool {
	var e *engine.Error
	return !errors.As(err, &e) || e.Status >= 500 || e.Status == 429
}

func (one *Route) model(slug string) string { return cmp.Or(one.Model, slug) }

// acquire waits until the route may work on one more request.
func (one *Route) acquire(ctx context.Context) (release func(), err error) {
	if one.inUse == nil {
		return func() {}, nil
	}
	select {
	case one.inUse <- struct{}{}:
		return func() { <-one.inUse }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

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

// States tell of every replica of every engine.
func (r *Router) States() []State {
	var all []State
	for _, p := range r.pools {
		all = append(all, p.states()...)
	}
	return all
}

// Answer says who answers a model.
type Answer struct {
	Engine   string // "" when none does
	Model    string // what it calls the model; "" when it is the slug
	Known    bool   // whether it was checked
	Up       bool   // at least one replica is
	Why      string // it is not
	Fallback string // who answers when it does not; "" for none
}

// Serves says who answers a model of a kind, by what is known now.
func (r *Router) Serves(slug string, k engine.Kind) Answer {
	one := r.find(slug, k)
	if one == nil {
		return Answer{}
	}
	a := Answer{Engine: one.Pool.name, Model: one.Model}
	if one.Fallback != nil {
		a.Fallback = one.Fallback.name
	}
	for _, s := range one.Pool.states() {
		a.Known = a.Known || s.Known
		a.Up = a.Up || s.Up
		if a.Why == "" {
			a.Why = s.Why
		}
	}
	if a.Up {
		a.Why = ""
	}
	return a
}

// Identity tells apart the pictures of different engines and settings, for whoever keeps them.
func (r *Router) Identity(slug string, k engine.Kind) string {
	one := r.find(slug, k)
	if one == nil {
		return ""
	}
	return fmt.Sprintf("%s %s %v", one.Pool.name, one.model(slug), one.Params) // fmt sorts the keys of maps
}
