package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// Route sends the models that it names to an engine.
type Route struct {
	Models      []string // slugs or globs
	Backend     *Backend
	Model       string        // what the engine calls the model; "" is the slug
	Params      Params        // where the caller sets none of the same name
	Timeout     time.Duration // for the whole answer, with waiting for a place; 0 for none
	Concurrency int           // requests at work at a time by this route, 0 for no limit

	HasVision     bool // the model looks at pictures, as far as its engine does
	ContextTokens int  // the length of the model's context; 0 for what the engine says

	slots *semaphore.Weighted // one for each request at work; nil for no limit
}

// RouterOptions say how a [Router] chooses.
type RouterOptions struct {
	Routes   []Route  // the first one that names the model and makes its kind counts
	Unrouted *Backend // answers the rest; nil refuses them

	// OnChange is called when an engine goes down and when it is back. It must return at once.
	OnChange func(BackendStatus)
}

// Router is an [Engine] that has others answer: the one of the first route that names the model. It is safe for
// concurrent use.
type Router struct {
	routes   []*Route
	unrouted *Backend
	backends []*Backend
}

var _ Engine = (*Router)(nil)

// NewRouter returns a [Router]. The error names the route that is wrong.
func NewRouter(o RouterOptions) (*Router, error) {
	r := &Router{unrouted: o.Unrouted}
	r.add(o.Unrouted)
	for i, one := range o.Routes {
		if len(one.Models) == 0 || one.Backend == nil {
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
		r.add(one.Backend)
		r.routes = append(r.routes, &one)
	}
	for _, b := range r.backends {
		b.onChange = o.OnChange
	}
	return r, nil
}

func (r *Router) add(b *Backend) {
	if b != nil && !slices.Contains(r.backends, b) {
		r.backends = append(r.backends, b)
	}
}

// Name returns "router".
func (r *Router) Name() string { return "router" }

// Features returns what the engine of a model can do with it.
func (r *Router) Features(slug string) Features {
	one := r.find(slug, KindText)
	if one == nil {
		return Features{}
	}
	f := one.Backend.engine.Features(one.model(slug))
	f.TakesImages = f.TakesImages && one.HasVision
	f.ContextTokens = cmp.Or(one.ContextTokens, f.ContextTokens)
	return f
}

// find returns the route of a model; nil when there is none.
func (r *Router) find(slug string, k ModelKind) *Route {
	for _, one := range r.routes {
		if !slices.Contains(one.Backend.kinds, k) {
			continue
		}
		for _, m := range one.Models {
			if ok, _ := path.Match(m, slug); ok || m == slug {
				return one
			}
		}
	}
	if r.unrouted != nil && slices.Contains(r.unrouted.kinds, k) {
		return &Route{Backend: r.unrouted, HasVision: true}
	}
	return nil
}

// Text has the engine of q.Model answer.
func (r *Router) Text(ctx context.Context, q TextRequest) (t Text, err error) {
	name, err := r.ask(ctx, q.Model, KindText, func(ctx context.Context, e Engine, model string, params Params) error {
		q.Model, q.Params = model, mergeParams(params, q.Params)
		t, err = e.Text(ctx, q)
		return err
	})
	t.Engine = name
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
	name, err := r.ask(ctx, q.Model, KindImage, func(ctx context.Context, e Engine, model string, params Params) error {
		q.Model, q.Params = model, params
		p, err = e.Image(ctx, q)
		return err
	})
	p.Engine = name
	return p, err
}

// Edit has the engine of q.Model change a picture.
func (r *Router) Edit(ctx context.Context, q EditRequest) (p Picture, err error) {
	name, err := r.ask(ctx, q.Model, KindEdit, func(ctx context.Context, e Engine, model string, params Params) error {
		q.Model, q.Params = model, params
		p, err = e.Edit(ctx, q)
		return err
	})
	p.Engine = name
	return p, err
}

// ask has the engine of a model answer, with the name of the model and the parameters of the route, and returns the
// name of the engine.
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
		return do(ctx, e, one.model(slug), one.Params)
	})
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = &Error{Status: 504, Code: "timeout",
			Message: fmt.Sprintf("The engine %s did not answer within %s.", name, one.Timeout), Err: err}
	}
	return name, err
}

func (one *Route) model(slug string) string { return cmp.Or(one.Model, slug) }

// Check asks every engine whether it is up, all at the same time.
func (r *Router) Check(ctx context.Context) {
	var all sync.WaitGroup
	for _, b := range r.backends {
		all.Go(func() { b.check(ctx) })
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

// Statuses tell of every engine.
func (r *Router) Statuses() []BackendStatus {
	var all []BackendStatus
	for _, b := range r.backends {
		all = append(all, b.status())
	}
	return all
}

// ModelStatus says who answers a model.
type ModelStatus struct {
	Engine  string // "" when none does
	Model   string // what it calls the model; "" when it is the slug
	IsKnown bool   // whether it was checked
	IsUp    bool
	Problem string // why it is not up
}

// ModelStatus says who answers a model of a kind, by what is known now.
func (r *Router) ModelStatus(slug string, k ModelKind) ModelStatus {
	one := r.find(slug, k)
	if one == nil {
		return ModelStatus{}
	}
	s := one.Backend.status()
	return ModelStatus{Engine: s.Engine, Model: one.Model, IsKnown: s.IsKnown, IsUp: s.IsUp, Problem: s.Problem}
}
