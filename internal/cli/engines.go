package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"confab/internal/config"
	"confab/service/api"
	"confab/service/engine"
	"confab/service/engine/command"
	"confab/service/engine/offline"
	"confab/service/engine/openai"
	"confab/service/engine/route"
)

// engines returns what answers behind the embedded service, as configured. It
// asks and runs nothing yet.
func (a *app) engines(log *slog.Logger) (*route.Router, error) {
	every := []engine.Kind{engine.KindText, engine.KindImage, engine.KindEdit}
	simulated, err := route.NewPool(config.Offline, every, 0,
		route.Replica{Engine: offline.New(offline.Options{Speed: a.env.Speed, Log: log}), Address: "built in"})
	if err != nil {
		return nil, fmt.Errorf("make the engines: %w", err)
	}
	pools := map[string]*route.Pool{config.Offline: simulated}
	for _, e := range a.cfg.Engines {
		kinds, replicas, err := a.replicas(e)
		if err == nil {
			pools[e.Name], err = route.NewPool(e.Name, kinds, e.Concurrency, replicas...)
		}
		if err != nil {
			return nil, &api.Error{Code: api.CodeConfig, Message: err.Error()}
		}
	}
	o := route.Options{Unrouted: simulated, Changed: func(s route.State) {
		if s.Up {
			log.Info("An engine is back", "engine", s.Engine, "replica", s.Address)
			return
		}
		log.Warn("An engine is down", "engine", s.Engine, "replica", s.Address, "why", s.Why)
	}}
	if a.cfg.Service.Unrouted != config.Offline {
		o.Unrouted = nil
	}
	for _, r := range a.cfg.Routes {
		o.Routes = append(o.Routes, route.Route{
			Models: r.Models, Pool: pools[r.Engine], Model: r.Model, Params: r.Params, Timeout: r.Timeout, Concurrency: r.Concurrency,
			Fallback: pools[r.Fallback], FallbackModel: r.FallbackModel,
		})
	}
	router, err := route.New(o)
	if err != nil {
		return nil, &api.Error{Code: api.CodeConfig, Message: err.Error()}
	}
	return router, nil
}

// replicas makes the engines of one [engines.<name>].
func (a *app) replicas(e config.Engine) (kinds []engine.Kind, all []route.Replica, err error) {
	mask := func(s string) string { return a.secrets.masker().String(s) }
	if e.Kind == "command" {
		for _, k := range e.Makes {
			kinds = append(kinds, engine.Kind(k))
		}
		one, err := command.New(command.Options{Name: e.Name, Args: e.Command, Kinds: kinds, Environ: a.cfg.ChildEnv(),
			Mask: mask, Pixels: e.Pixels})
		return kinds, []route.Replica{{Engine: one, Address: e.Command[0]}}, err
	}
	key := a.engineKey(e)
	for _, url := range e.URLs {
		o := openai.Options{
			Name: e.Name, URL: url, Key: key, Mask: mask, Stream: e.Stream, Sizes: e.Sizes, Pixels: e.Pixels, Seed: e.Seed,
			Format: e.Format, Insecure: e.AllowPlainHTTP,
		}
		if o.Format == "auto" {
			o.Format = ""
		}
		var one engine.Engine
		if e.Kind == "openai-images" {
			kinds = []engine.Kind{engine.KindImage, engine.KindEdit}
			one, err = openai.NewImages(o)
		} else {
			kinds = []engine.Kind{engine.KindText}
			one, err = openai.New(o)
		}
		if err != nil {
			return nil, nil, err
		}
		all = append(all, route.Replica{Engine: one, Address: url})
	}
	return kinds, all, nil
}

// engineKey returns how the key of an engine is found out: when it is first
// needed, and then remembered and masked. A failure is tried again.
func (a *app) engineKey(e config.Engine) func(context.Context) (string, error) {
	var mu sync.Mutex
	known, key := false, ""
	return func(ctx context.Context) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if known {
			return key, nil
		}
		k, err := a.cfg.EngineKey(ctx, e)
		var refused *api.Error
		if errors.As(err, &refused) && ctx.Err() == nil {
			return "", &engine.Error{Status: 502, Code: "service", Message: refused.Message, Untouched: true, Down: true,
				Err: err}
		}
		if err != nil {
			return "", err
		}
		a.secrets.add(k)
		known, key = true, k
		return k, nil
	}
}
