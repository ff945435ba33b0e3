package cli

import (
	"context"
	"slices"
	"sync"
	"time"

	"confab/internal/config"
	"confab/service"
	"confab/service/api"
	"confab/service/engine"
	"confab/service/engine/route"
)

// engineSet is what answers behind the embedded service of one run: the service
// and whoever asks about it see the same engines.
type engineSet struct {
	once   sync.Once
	router *route.Router
	err    error

	mu      sync.Mutex
	checked time.Time
}

// router returns what answers behind the embedded service, made when first
// asked for.
func (a *app) router() (*route.Router, error) {
	a.answers.once.Do(func() { a.answers.router, a.answers.err = a.engines(a.log) })
	return a.answers.router, a.answers.err
}

// answerers names the engines that answer the models of the catalogue, or stand
// in for one that does; the offline one is the last. It asks none of them.
func (a *app) answerers() []string {
	if len(a.cfg.Routes) == 0 && a.cfg.Service.Unrouted == config.Offline {
		return []string{config.Offline}
	}
	router, err := a.router()
	if err != nil {
		return nil // said when it is needed
	}
	catalogue, err := a.catalogue()
	if err != nil {
		return nil
	}
	var names []string
	invents := false
	for _, m := range catalogue.Models() {
		who := router.Serves(m.Slug, engine.Kind(m.Kind))
		for _, name := range []string{who.Engine, who.Fallback} {
			if name == config.Offline {
				invents = true
			} else if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if invents {
		names = append(names, config.Offline)
	}
	return names
}

// simulated tells whether all answers are made up.
func simulated(engines []string) bool {
	return !slices.ContainsFunc(engines, func(name string) bool { return name != config.Offline })
}

const (
	// checkWait is how long engines have to say that they are up.
	checkWait = 2 * time.Second
	// checkPause is how long an answer of theirs counts, however many screens ask;
	// it is shorter than a replica that is down is passed over.
	checkPause = 5 * time.Second
)

// answering returns how to ask who answers each model, and whether it is up;
// nil when another service answers.
func (a *app) answering(catalogue api.Catalogue) func(context.Context) (map[string]service.Answering, error) {
	if !a.endpoint().Embedded {
		return nil
	}
	return func(ctx context.Context) (map[string]service.Answering, error) {
		router, err := a.router()
		if err != nil {
			return nil, err
		}
		a.answers.check(ctx)
		all := map[string]service.Answering{}
		for _, m := range catalogue.Models() {
			who := router.Serves(m.Slug, engine.Kind(m.Kind))
			all[m.Slug] = service.Answering{Engine: who.Engine, Model: who.Model, Up: who.Up && who.Engine != "", Why: who.Why,
				Fallback: who.Fallback}
		}
		return all, nil
	}
}

// check asks every engine whether it is up, unless that was done just now. Who
// comes while another asks waits for it.
func (s *engineSet) check(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.checked) < checkPause {
		return
	}
	// One that leaves must not make its engines look as if they were down.
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkWait)
	defer cancel()
	s.router.Check(limited)
	s.checked = time.Now()
}

// answeredBy says who answers a model, for people.
func (a *app) answeredBy(who service.Answering, known bool) string {
	switch {
	case !known:
		return a.endpoint().Host
	case who.Engine == "":
		return "nobody"
	case !who.Up && who.Fallback != "":
		return who.Engine + " (down), then " + who.Fallback
	case !who.Up:
		return who.Engine + " (down)"
	}
	return who.Engine
}
