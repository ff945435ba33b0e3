package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path"
	"slices"
	"sync"
	"time"

	"confab/internal/config"
	"confab/internal/fetch"
	"confab/internal/httpclient"
	"confab/internal/netaddr"
	"confab/service"
	"confab/service/api"
	"confab/service/engine"
	"confab/service/engine/command"
	"confab/service/engine/offline"
	"confab/service/engine/openai"
)

// engines returns the engines of the embedded service. It connects to and runs none of them.
func (a *app) engines(log *slog.Logger) (*engine.Router, error) {
	every := []engine.ModelKind{engine.KindText, engine.KindImage, engine.KindEdit}
	simulated, err := engine.NewBackend(engine.BackendOptions{Name: config.Offline, Kinds: every, Address: "built in",
		Engine: offline.New(offline.Options{Speed: a.env.Speed, Log: log})})
	if err != nil {
		return nil, fmt.Errorf("make the engines: %w", err)
	}
	backends := map[string]*engine.Backend{config.Offline: simulated}
	for _, e := range a.config.Engines {
		o, err := a.backendOptions(e)
		if err == nil {
			backends[e.Name], err = engine.NewBackend(o)
		}
		if err != nil {
			return nil, &api.Error{Code: api.CodeConfig, Message: err.Error()}
		}
	}
	o := engine.RouterOptions{Unrouted: simulated, OnChange: func(s engine.BackendStatus) {
		if s.IsUp {
			log.Info("An engine is back", "engine", s.Engine, "address", s.Address)
			return
		}
		log.Warn("An engine is down", "engine", s.Engine, "address", s.Address, "why", s.Problem)
	}}
	if a.config.Service.Unrouted != config.Offline {
		o.Unrouted = nil
	}
	for _, r := range a.config.Routes {
		o.Routes = append(o.Routes, engine.Route{
			Models: r.Models, Backend: backends[r.Engine], Model: r.Model, Params: r.Params,
			Timeout:   r.Timeout.Duration,
			HasVision: r.Vision || r.Engine == config.Offline, ContextTokens: r.ContextTokens,
			Concurrency: r.Concurrency,
		})
	}
	router, err := engine.NewRouter(o)
	if err != nil {
		return nil, &api.Error{Code: api.CodeConfig, Message: err.Error()}
	}
	return router, nil
}

func (a *app) backendOptions(e config.Engine) (o engine.BackendOptions, err error) {
	var tags []engine.ReasoningTags
	for pair := range slices.Chunk(e.ReasoningTags, 2) {
		tags = append(tags, engine.ReasoningTags{Open: pair[0], Close: pair[1]})
	}
	mask := a.secrets.EchoMasker().String
	o = engine.BackendOptions{Name: e.Name, Address: e.URL, Concurrency: e.Concurrency}
	if e.Kind == "command" {
		for _, k := range e.Makes {
			o.Kinds = append(o.Kinds, engine.ModelKind(k))
		}
		o.Address = e.Command[0]
		o.Engine, err = command.New(command.Options{Name: e.Name, Args: e.Command, Kinds: o.Kinds,
			TakesMessages: e.Messages, Environ: a.config.ChildEnv(), Mask: mask, Pixels: e.Pixels,
			ReasoningTags: tags})
		return o, err
	}
	server := openai.Options{
		Name: e.Name, URL: e.URL, Key: a.engineKey(e), Mask: mask, Streams: e.Stream, Sizes: e.Sizes, Pixels: e.Pixels,
		TakesSeed: e.Seed, Format: e.Format, AllowsPlainHTTP: e.AllowPlainHTTP, ReasoningTags: tags,
	}
	if server.TLS, err = httpclient.TLS(e.CAFile); err != nil {
		return o, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	// An engine on another machine must not have pictures fetched from this one.
	u, err := url.Parse(e.URL)
	isLocal := err == nil && netaddr.IsLoopback(u.Hostname()) && !a.servesOthers
	server.Fetch = fetch.New(fetch.Options{AllowsLoopback: isLocal, TLS: server.TLS})
	if server.Format == "auto" {
		server.Format = ""
	}
	if e.Kind == "openai-images" {
		o.Kinds = []engine.ModelKind{engine.KindImage, engine.KindEdit}
		o.Engine, err = openai.NewImages(server)
	} else {
		o.Kinds = []engine.ModelKind{engine.KindText}
		o.Engine, err = openai.New(server)
	}
	return o, err
}

// engineKey returns a function that gets the key of an engine once and masks it. It retries after an error.
func (a *app) engineKey(e config.Engine) func(context.Context) (string, error) {
	var mu sync.Mutex
	known, key := false, ""
	return func(ctx context.Context) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if known {
			return key, nil
		}
		k, err := a.config.EngineKey(ctx, e)
		var refused *api.Error
		if errors.As(err, &refused) && ctx.Err() == nil {
			return "", &engine.Error{Status: 502, Code: "service", Message: refused.Message, IsEngineDown: true,
				Err: err}
		}
		if err != nil {
			return "", err
		}
		a.secrets.Add(k)
		known, key = true, k
		return k, nil
	}
}

// engineSet holds the engines of a run, shared by the service and by those who ask for their state.
type engineSet struct {
	once   sync.Once
	router *engine.Router
	err    error

	mu      sync.Mutex
	checked time.Time
}

// router returns the engines, made with the first call.
func (a *app) router() (*engine.Router, error) {
	a.engineSet.once.Do(func() { a.engineSet.router, a.engineSet.err = a.engines(a.log) })
	return a.engineSet.router, a.engineSet.err
}

// engineNames returns the names of the engines that models are routed to, the offline one last. It asks none of them.
func (a *app) engineNames() []string {
	if len(a.config.Routes) == 0 && a.config.Service.Unrouted == config.Offline {
		return []string{config.Offline}
	}
	router, err := a.router()
	if err != nil {
		return nil // said when it is needed
	}
	var names []string
	invents := false
	for _, m := range a.catalogue.Models() {
		name := router.ModelStatus(m.Slug, engine.ModelKind(m.Kind)).Engine
		if name == config.Offline {
			invents = true
		} else if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if invents {
		names = append(names, config.Offline)
	}
	return names
}

func areAllSimulated(engines []string) bool {
	return !slices.ContainsFunc(engines, func(name string) bool { return name != config.Offline })
}

const (
	// checkWait bounds a check of the engines.
	checkWait = 2 * time.Second
	// checkPause is how long the result of a check holds for all screens.
	checkPause = 5 * time.Second
)

// engineFeatures returns a function for the features of a model's engine; nil without an embedded service.
func (a *app) engineFeatures() func(model string) api.Extensions {
	if !a.endpoint().IsEmbedded {
		return nil
	}
	return func(model string) api.Extensions {
		router, err := a.router()
		if err != nil {
			return api.Extensions{} // said when it is needed
		}
		return api.Extensions(router.Features(model))
	}
}

// price returns the configured price of a model, by its slug or by the engine's name of it.
func (a *app) price(slug, engineModel string) (service.Price, bool) {
	for _, p := range a.config.Prices {
		for _, pattern := range p.Models {
			isSlug, _ := path.Match(pattern, slug) // the configuration checks the patterns
			isEngineModel, _ := path.Match(pattern, engineModel)
			if isSlug || isEngineModel {
				return service.Price{Input: p.Input, Output: p.Output, Currency: p.Currency}, true
			}
		}
	}
	return service.Price{}, false
}

// engineStatuses returns a function for the state of each model's engine; nil without an embedded service.
func (a *app) engineStatuses() func(context.Context) (map[string]service.EngineStatus, error) {
	if !a.endpoint().IsEmbedded {
		return nil
	}
	return func(ctx context.Context) (map[string]service.EngineStatus, error) {
		router, err := a.router()
		if err != nil {
			return nil, err
		}
		a.engineSet.check(ctx)
		all := map[string]service.EngineStatus{}
		for _, m := range a.catalogue.Models() {
			who := router.ModelStatus(m.Slug, engine.ModelKind(m.Kind))
			all[m.Slug] = service.EngineStatus{Engine: who.Engine, Model: who.Model, IsUp: who.IsUp && who.Engine != "",
				Problem: who.Problem}
		}
		return all, nil
	}
}

// check asks every engine whether it is up, unless that was done just now.
func (s *engineSet) check(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.checked) < checkPause {
		return
	}
	// A caller that leaves must not make engines look down.
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkWait)
	defer cancel()
	s.router.Check(limited)
	s.checked = time.Now()
}
