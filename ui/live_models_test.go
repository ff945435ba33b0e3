package ui_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// TestModelsOfAnEngineComeAndGo changes what an engine lists while a screen is open: the first model of the engine is
// the default, a new one is there when the list opens or is refreshed, and the chosen one that went is marked.
func TestModelsOfAnEngineComeAndGo(t *testing.T) {
	run(t, func(t *testing.T) {
		var listed atomic.Pointer[[]string]
		list := func(slugs ...string) { listed.Store(&slugs) }
		list("tiny:latest")
		s := open(t, 120, 40, func(o *ui.Options, so *service.Options) {
			o.Start.Marked = nil
			so.Backend.Endpoint = func() service.Endpoint {
				return service.Endpoint{IsEmbedded: true, Engines: []string{"ollama", "offline"}}
			}
			so.Backend.Catalogue = func() api.Catalogue {
				var models []api.Model
				for _, slug := range *listed.Load() {
					models = append(models, api.Model{Slug: slug, Kind: api.Text})
				}
				return api.CatalogueOf(append(models, api.Default().Models()...)...)
			}
			so.Backend.Engines = func(context.Context) (map[string]service.EngineStatus, error) {
				all := map[string]service.EngineStatus{}
				for _, m := range so.Backend.Catalogue().Models() {
					all[m.Slug] = service.EngineStatus{Engine: "offline", IsUp: true}
				}
				for _, slug := range *listed.Load() {
					all[slug] = service.EngineStatus{Engine: "ollama", IsUp: true}
				}
				return all, nil
			}
		})
		s.shows("● tiny:latest", "Prompt → ● tiny:latest")
		list("qwen/qwen3:8b", "tiny:latest")
		s.press("ctrl+l")
		s.shows("○ qwen/qwen3:8b", "● tiny:latest")
		list("qwen/qwen3:8b", "new:1b")
		s.press("alt+g")
		s.shows("○ new:1b", "● tiny:latest", "✗ gone")
	})
}

// TestModelsAreMarkedByTheirNames finds two models one after the other, marks each, and writes on.
func TestModelsAreMarkedByTheirNames(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withAnswers(saysYes))
		s.press("ctrl+l")
		s.typed("phi")
		s.press("space", "ctrl+u")
		s.typed("flash")
		s.press("space", "enter")
		s.typed("Greet me")
		s.shows("3 models", "┃ Greet me")
	})
}

// TestNoEngineHasAModel says so where the only engine is down and simulated models are left out.
func TestNoEngineHasAModel(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 24, func(o *ui.Options, so *service.Options) {
			o.Start.Marked, o.Start.Models = nil, nil
			so.Backend.Endpoint = func() service.Endpoint {
				return service.Endpoint{IsEmbedded: true, Engines: []string{"ollama"}}
			}
			so.Backend.Catalogue = func() api.Catalogue { return api.CatalogueOf() }
			so.Backend.Engines = func(context.Context) (map[string]service.EngineStatus, error) {
				return map[string]service.EngineStatus{}, nil
			}
		})
		s.typed("hi")
		s.press("enter")
		s.shows("no engine has a model now", "No engine has a model now; alt+g asks again.")
	})
}

// TestBackLeavesTheModelsWhileAnswersRun: in the list of models the key that goes back stops no answer.
func TestBackLeavesTheModelsWhileAnswersRun(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("Greet me")
		s.press("enter", "ctrl+l")
		s.lacks("esc stop")
		s.press("esc")
		s.shows("esc stop", "┏━ Prompt")
		s.pass(8 * time.Second)
		s.lacks("stopped")
	})
}
