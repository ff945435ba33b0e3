package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"confab/internal/chat"
)

// listedTimeout bounds an answer of a model without a route, as the default of a route does.
const listedTimeout = 5 * time.Minute

// Route maps models to an engine.
type Route struct {
	Models      []string // slugs or globs
	Backend     *Backend
	Model       string        // the engine's name of the model; "" means the slug
	Params      Params        // defaults for parameters of the caller
	Timeout     time.Duration // of the whole answer, including the wait for a slot; 0 for none
	Concurrency int           // parallel requests of this route, 0 for no limit

	HasVision     bool // the model takes pictures, if its engine does
	ContextTokens int  // size of the model's context; 0 means the engine's value

	slots    *semaphore.Weighted // one per request in progress; nil for no limit
	isListed bool                // nobody configured it: the server of the engine lists the model
}

// RouterOptions are the choices of [NewRouter].
type RouterOptions struct {
	Routes   []Route    // the first one with the model and its kind counts
	Backends []*Backend // answer the models that their servers list, beside those of routes
	Unrouted *Backend   // answers other models; nil refuses them

	// OnChange is called when an engine goes down or recovers. It must return at once.
	OnChange func(BackendStatus)
}

// Router is an [Engine] that forwards requests to the engine of the first route with the model. It is safe for
// concurrent use.
type Router struct {
	routes   []*Route
	unrouted *Backend
	onChange func(BackendStatus)

	mu       sync.RWMutex
	backends []*Backend
	listed   []ListedModel
	bySlug   map[string]*ListedModel
	changes  int // of the list
}

var _ Engine = (*Router)(nil)

// NewRouter returns a [Router]. The error names the invalid route.
func NewRouter(o RouterOptions) (*Router, error) {
	r := &Router{unrouted: o.Unrouted, onChange: o.OnChange, bySlug: map[string]*ListedModel{}}
	r.add(o.Unrouted)
	for _, b := range o.Backends {
		r.add(b)
	}
	for i, one := range o.Routes {
		if len(one.Models) == 0 || one.Backend == nil {
			return nil, fmt.Errorf("route %d: it names no model or no engine", i+1)
		}
		for _, m := range one.Models {
			if _, err := chat.MatchModel(m, ""); err != nil {
				return nil, fmt.Errorf("route %d: the pattern %q cannot be read", i+1, m)
			}
		}
		if one.Concurrency > 0 {
			one.slots = semaphore.NewWeighted(int64(one.Concurrency))
		}
		r.add(one.Backend)
		r.routes = append(r.routes, &one)
	}
	r.relist()
	return r, nil
}

func (r *Router) add(b *Backend) {
	if b != nil && !slices.Contains(r.backends, b) {
		b.onChange, b.onList = r.onChange, r.relist
		r.backends = append(r.backends, b)
	}
}

// Name returns "router".
func (r *Router) Name() string { return "router" }

// Features returns the features of a model's engine.
func (r *Router) Features(slug string) Features {
	one := r.find(slug, KindText)
	if one == nil {
		return Features{}
	}
	f := one.Backend.engine.Features(one.model(slug))
	said := one.Backend.model(one.model(slug))
	f.TakesImages = f.TakesImages && (one.HasVision || said.HasVision)
	f.ContextTokens = cmp.Or(one.ContextTokens, said.ContextTokens, f.ContextTokens)
	return f
}

// Price returns what the server of a model's engine charges for a million tokens, in US dollars; both are 0 if it does
// not tell.
func (r *Router) Price(slug string) (input, output float64) {
	one := r.find(slug, KindText)
	if one == nil {
		return 0, 0
	}
	m := one.Backend.model(one.model(slug))
	return m.InputPrice, m.OutputPrice
}

// find returns the route of a model; nil if there is none.
func (r *Router) find(slug string, k ModelKind) *Route {
	for _, one := range r.routes {
		if !slices.Contains(one.Backend.kinds, k) {
			continue
		}
		for _, m := range one.Models {
			if ok, _ := chat.MatchModel(m, slug); ok || m == slug {
				return one
			}
		}
	}
	if one := r.listedRoute(slug, k); one != nil {
		return one
	}
	if r.unrouted != nil && slices.Contains(r.unrouted.kinds, k) {
		return &Route{Backend: r.unrouted, HasVision: true}
	}
	return nil
}

// Text forwards the request to the engine of q.Model.
func (r *Router) Text(ctx context.Context, q TextRequest) (t Text, err error) {
	name, err := r.ask(ctx, q.Model, KindText, func(ctx context.Context, e Engine, model string, params Params) error {
		q.Model, q.Params = model, chat.MergeParams(params, q.Params)
		t, err = e.Text(ctx, q)
		return err
	})
	t.Engine = name
	return t, err
}

// Image forwards the request to the engine of q.Model.
func (r *Router) Image(ctx context.Context, q ImageRequest) (p Picture, err error) {
	name, err := r.ask(ctx, q.Model, KindImage, func(ctx context.Context, e Engine, model string, params Params) error {
		q.Model, q.Params = model, params
		p, err = e.Image(ctx, q)
		return err
	})
	p.Engine = name
	return p, err
}

// Edit forwards the request to the engine of q.Model.
func (r *Router) Edit(ctx context.Context, q EditRequest) (p Picture, err error) {
	name, err := r.ask(ctx, q.Model, KindEdit, func(ctx context.Context, e Engine, model string, params Params) error {
		q.Model, q.Params = model, params
		p, err = e.Edit(ctx, q)
		return err
	})
	p.Engine = name
	return p, err
}

// ask calls do with the engine of a model and the model's name and parameters of the route. It returns the name of
// the engine.
func (r *Router) ask(ctx context.Context, slug string, k ModelKind,
	do func(ctx context.Context, e Engine, model string, params Params) error) (name string, err error) {
	one := r.find(slug, k)
	if one == nil {
		return "", &Error{Status: 404, Code: "unknown_model",
			Message: fmt.Sprintf("No engine answers for %s here.", slug)}
	}
	if one.slots != nil {
		if err := Acquire(ctx, one.slots); err != nil {
			return "", err
		}
		defer one.slots.Release(1)
	}
	limited, cancel := ctx, func() {}
	if one.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, one.Timeout)
	}
	defer cancel()
	name = one.Backend.name
	err = one.Backend.ask(limited, func(ctx context.Context, e Engine) error {
		return do(ctx, e, one.model(slug), chat.MergeParams(one.Backend.params, one.Params))
	})
	if isGone := one.Backend.relistsWithout(limited, err, one.model(slug)); isGone && one.isListed {
		return name, &Error{Status: 404, Code: "unknown_model",
			Message: fmt.Sprintf("The engine %s has no model %s now.", name, one.model(slug)), Err: err}
	}
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = &Error{Status: 504, Code: "timeout",
			Message: fmt.Sprintf("The engine %s did not answer within %s.", name, one.Timeout), Err: err}
	}
	return name, err
}

func (one *Route) model(slug string) string { return cmp.Or(one.Model, slug) }

// Check checks all engines in parallel.
func (r *Router) Check(ctx context.Context) {
	var all sync.WaitGroup
	for _, b := range r.Backends() {
		all.Go(func() { b.check(ctx) })
	}
	all.Wait()
}

// Watch checks every engine at intervals until ctx ends.
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

func (r *Router) Statuses() []BackendStatus {
	var all []BackendStatus
	for _, b := range r.Backends() {
		all = append(all, b.status())
	}
	return all
}

// Backends returns the engines.
func (r *Router) Backends() []*Backend {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.backends)
}

// ModelStatus is the state of a model's engine.
type ModelStatus struct {
	Engine  string // "" without an engine
	Model   string // the engine's name of the model; "" if it is the slug
	IsKnown bool   // whether it was checked
	IsUp    bool
	Problem string // why it is not up
}

// ModelStatus returns the known state of the engine of a model of a kind.
func (r *Router) ModelStatus(slug string, k ModelKind) ModelStatus {
	one := r.find(slug, k)
	if one == nil {
		return ModelStatus{}
	}
	s := one.Backend.status()
	return ModelStatus{Engine: s.Engine, Model: one.Model, IsKnown: s.IsKnown, IsUp: s.IsUp, Problem: s.Problem}
}
