package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"sync"
	"time"

	"confab/internal/chat"
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

// routerWith returns the engines, made with the first call, which sets the log of their changes.
func (a *app) routerWith(log *slog.Logger) (*engine.Router, error) {
	a.engineSet.once.Do(func() { a.engineSet.router, a.engineSet.err = a.makeRouter(log) })
	return a.engineSet.router, a.engineSet.err
}

// makeRouter makes the engines of the embedded service. It connects to and runs none of them.
func (a *app) makeRouter(log *slog.Logger) (*engine.Router, error) {
	every := []engine.ModelKind{engine.KindText, engine.KindImage, engine.KindEdit}
	simulated, err := engine.NewBackend(engine.BackendOptions{Name: config.Offline, Kinds: every, Address: "built in",
		Engine: offline.New(offline.Options{Speed: a.env.Speed, Log: log})})
	if err != nil {
		return nil, fmt.Errorf("make the engines: %w", err)
	}
	backends := map[string]*engine.Backend{config.Offline: simulated}
	lists := readLists(a.listsPath())
	o := engine.RouterOptions{Unrouted: simulated}
	for _, e := range a.config.Engines {
		b, err := a.backend(e, lists[listName(e.Name, e.URL)])
		if err != nil {
			return nil, err
		}
		backends[e.Name], o.Backends = b, append(o.Backends, b)
	}
	o.OnChange = func(s engine.BackendStatus) {
		if s.IsUp {
			log.Info("An engine is back", "engine", s.Engine, "address", s.Address)
			return
		}
		log.Warn("An engine is down", "engine", s.Engine, "address", s.Address, "why", s.Problem)
	}
	if !a.config.Offline.Models {
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
	_, a.engineSet.saved = router.Listed() // as in the file
	return router, nil
}

// backend makes an engine with the models that it listed last.
func (a *app) backend(e config.Engine, models []engine.Model) (b *engine.Backend, err error) {
	o, err := a.backendOptions(e)
	if err == nil {
		o.Models, o.Patterns, o.Params = models, e.Models, e.Params
		b, err = engine.NewBackend(o)
	}
	if err != nil {
		return nil, &api.Error{Code: api.CodeConfig, Message: err.Error()}
	}
	return b, nil
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

// engineNames returns the names of the engines, the offline one last where it answers. It asks none of them. A program
// is an engine only where a route names it.
func (a *app) engineNames() []string {
	if _, err := a.router(); err != nil {
		return nil // said when it is needed
	}
	var names []string
	for _, e := range a.configuredEngines() {
		isRouted := slices.ContainsFunc(a.config.Routes, func(r config.Route) bool { return r.Engine == e.Name })
		if e.Kind != "command" || isRouted {
			names = append(names, e.Name)
		}
	}
	isOffline := func(r config.Route) bool { return r.Engine == config.Offline }
	if a.config.Offline.Models || slices.ContainsFunc(a.config.Routes, isOffline) {
		names = append(names, config.Offline)
	}
	return names
}

const (
	// checkWait bounds a check of the engines.
	checkWait = 2 * time.Second
	// checkPause is how long the result of a check holds for all screens.
	checkPause = time.Second
)

// engineFeatures returns a function for the features of a model's engine; nil without an embedded service.
func (a *app) engineFeatures() func(model string) api.Extensions {
	if !a.isEmbedded() {
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
			isSlug, _ := chat.MatchModel(pattern, slug) // the configuration checks the patterns
			isEngineModel, _ := chat.MatchModel(pattern, engineModel)
			if isSlug || isEngineModel {
				return service.Price{Input: p.Input, Output: p.Output, Currency: p.Currency}, true
			}
		}
	}
	if router, err := a.router(); a.isEmbedded() && err == nil {
		if input, output := router.Price(slug); input+output > 0 {
			return service.Price{Input: input, Output: output, Currency: "USD"}, true
		}
	}
	return service.Price{}, false
}

// engineStatuses returns a function for the state of each model's engine; nil without an embedded service.
func (a *app) engineStatuses() func(context.Context) (map[string]service.EngineStatus, error) {
	if !a.isEmbedded() {
		return nil
	}
	return func(ctx context.Context) (map[string]service.EngineStatus, error) {
		router, err := a.router()
		if err != nil {
			return nil, err
		}
		a.checkEngines(ctx)
		all := map[string]service.EngineStatus{}
		for _, m := range a.catalogue().Models() {
			who := router.ModelStatus(m.Slug, engine.ModelKind(m.Kind))
			all[m.Slug] = service.EngineStatus{Engine: who.Engine, Model: who.Model, IsUp: who.IsUp && who.Engine != "",
				Problem: who.Problem}
		}
		return all, nil
	}
}

// checkEngines asks every engine whether it is up and for its models, unless that was done just now.
func (a *app) checkEngines(ctx context.Context) {
	s := a.engineSet
	s.checking.Lock()
	defer s.checking.Unlock()
	if time.Since(s.checked) < checkPause {
		return
	}
	// A caller that leaves must not make engines look down.
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkWait)
	defer cancel()
	s.router.Check(limited)
	s.checked = time.Now()
	a.saveLists()
}

// saveListsAtEnd stores the models of the engines where an answer showed that they have changed.
func (a *app) saveListsAtEnd() {
	if !a.isEmbedded() || len(a.configuredEngines()) == 0 {
		return
	}
	if _, err := a.router(); err == nil {
		a.engineSet.checking.Lock()
		defer a.engineSet.checking.Unlock()
		a.saveLists()
	}
}

// saveLists stores the models of the engines if they have changed since. The caller holds the lock of checks.
func (a *app) saveLists() {
	s := a.engineSet
	_, changes := s.router.Listed()
	if changes == s.saved {
		return
	}
	s.saved = changes
	if err := a.writeLists(); err != nil {
		a.log.Warn("Could not remember the models of the engines", "error", err)
	}
}
