package service

import (
	"context"
	"encoding/json"
	"sync"

	"confab/service/api"
)

// extensionSetting is the prefix of the setting that stores a service's extensions by model; the base URL follows.
const extensionSetting = "extensions "

// extensionMemory holds the known extensions of a service by model slug.
type extensionMemory struct {
	mu       sync.Mutex
	isLoaded bool
	known    map[string]api.Extensions
}

// Extensions returns the known extensions of a service for a model: those of the embedded service, or those that
// another service declared in an earlier answer. It sends no request.
func (s *Service) Extensions(ctx context.Context, model api.Model) api.Extensions {
	switch {
	case s.o.Backend.IgnoresExtensions || model.Kind != api.Text:
		return api.Extensions{}
	case s.o.Backend.Extensions != nil:
		return s.o.Backend.Extensions(model.Slug)
	}
	m := &s.extensions
	m.mu.Lock()
	defer m.mu.Unlock()
	s.loadExtensions(ctx)
	return m.known[model.Slug]
}

// loadExtensions reads once the extensions that earlier processes stored. The caller holds the lock.
func (s *Service) loadExtensions(ctx context.Context) {
	m := &s.extensions
	if m.isLoaded {
		return
	}
	store, err := s.history(ctx)
	if err != nil {
		return
	}
	text, err := store.Setting(ctx, extensionSetting+s.o.Backend.Endpoint().BaseURL)
	if err != nil {
		return
	}
	m.isLoaded, m.known = true, map[string]api.Extensions{}
	if text != "" && json.Unmarshal([]byte(text), &m.known) != nil {
		m.known = map[string]api.Extensions{}
	}
}

// learnExtensions stores the extensions that a service declared in an answer. It removes those that it no longer
// declares.
func (s *Service) learnExtensions(ctx context.Context, model api.Model, offered api.Extensions) {
	if s.o.Backend.Extensions != nil || s.o.Backend.IgnoresExtensions || model.Kind != api.Text {
		return
	}
	m := &s.extensions
	m.mu.Lock()
	defer m.mu.Unlock()
	s.loadExtensions(ctx)
	if !m.isLoaded || m.known[model.Slug] == offered {
		return
	}
	if m.known[model.Slug] = offered; offered == (api.Extensions{}) {
		delete(m.known, model.Slug)
	}
	store, err := s.history(ctx)
	if err != nil {
		return
	}
	text := ""
	if len(m.known) > 0 {
		b, err := json.Marshal(m.known)
		if err != nil {
			s.o.Log.Error("Could not write down what the service offers", "error", err)
			return
		}
		text = string(b)
	}
	if err := store.SetSetting(ctx, extensionSetting+s.o.Backend.Endpoint().BaseURL, text); err != nil {
		s.o.Log.Warn("Could not remember what the service offers", "error", err)
	}
}
