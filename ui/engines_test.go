package ui_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// engines are behind the service: ollama for two models, paint for pictures, a
// lab that may be down for others, the rest simulated.
type engines struct {
	down  atomic.Bool
	asked atomic.Int64
}

func (e *engines) answering(context.Context) (map[string]service.EngineStatus, error) {
	e.asked.Add(1)
	all := map[string]service.EngineStatus{}
	for _, m := range catalogue() {
		who := service.EngineStatus{Engine: "offline", IsUp: true}
		switch m.Slug {
		case "alpha3.1-8b", "oss-20b":
			who = service.EngineStatus{Engine: "ollama", Model: "llama3.2:3b", IsUp: true}
		case "sim-image":
			who = service.EngineStatus{Engine: "paint", IsUp: true}
		case "delta", "zeta":
			who = service.EngineStatus{Engine: "lab", IsUp: !e.down.Load(),
				Problem: "The engine lab cannot be reached."}
		}
		all[m.Slug] = who
	}
	return all, nil
}

// apply gives a screen engines.
func (e *engines) apply(uo *ui.Options, so *service.Options) {
	so.Backend.Endpoint = func() service.Endpoint {
		return service.Endpoint{IsEmbedded: true, Engines: []string{"ollama", "lab", "paint", "offline"}}
	}
	so.Backend.Engines = e.answering
}

// answerRouted answers as the engines do.
func answerRouted(r api.Request) (api.Response, time.Duration, error) {
	out := api.Response{Text: "An answer of " + r.Model.Slug + ".", Status: 200, Engine: "offline",
		EngineModel: r.Model.Slug}
	switch r.Model.Slug {
	case "alpha3.1-8b":
		out.Engine, out.EngineModel = "ollama", "llama3.2:3b"
	case "delta":
		out.Note = "The engine lab did not answer; offline did"
	case "sim-image":
		out, _, _ = answerAll(r)
		out.Engine, out.Note = "paint", "Asked for 16:9, got 64x32, the nearest it makes"
	}
	return out, time.Second, nil
}

func TestEnginesOnTheScreen(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {110, 30}, {120, 40}, {200, 60}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run("models "+name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				e := &engines{}
				e.down.Store(true)
				s := open(t, size[0], size[1], e.apply)
				s.press("ctrl+l")
				golden.RequireEqual(t, s.text())
			})
		})
		for _, view := range []string{"conversation", "comparison"} {
			t.Run(view+" "+name, func(t *testing.T) {
				run(t, func(t *testing.T) {
					s := open(t, size[0], size[1], (&engines{}).apply, withAnswers(answerRouted),
						func(o *ui.Options, _ *service.Options) {
							o.Start.Marked = []string{"alpha3.1-8b", "delta", "phi-2"}
						})
					s.typed("Hello")
					s.press("enter")
					s.pass(3 * time.Second)
					if view == "comparison" {
						s.press("alt+2", "v", "l")
					}
					golden.RequireEqual(t, s.text())
				})
			})
		}
	}
}

func TestEnginesAreAskedNowAndThen(t *testing.T) {
	run(t, func(t *testing.T) {
		e := &engines{}
		s := open(t, 120, 40, e.apply)
		if n := e.asked.Load(); n != 1 {
			t.Fatalf("at the start they were asked %d times, want once", n)
		}
		s.shows("◆ ollama, lab")
		s.lacks("▼ down")
		s.mu.Lock()
		before := s.wrote
		s.mu.Unlock()
		s.pass(5 * time.Minute)
		if n := e.asked.Load(); n != 6 {
			t.Errorf("in five minutes they were asked %d times, want 5", n-1)
		}
		s.mu.Lock()
		if s.wrote != before {
			t.Errorf("%d bytes were sent although nothing changed", s.wrote-before)
		}
		s.mu.Unlock()
		e.down.Store(true)
		s.pass(time.Minute)
		s.shows("▼ down")
		s.lacks("◆ ollama, lab")
		s.program.Send(tea.BlurMsg{})
		s.pass(5 * time.Minute)
		if n := e.asked.Load(); n != 7 {
			t.Errorf("a window that nobody looks at asked %d times", n-7)
		}
		s.program.Send(tea.FocusMsg{})
		e.down.Store(false)
		s.press("ctrl+l")
		s.shows("◆ ollama, lab")
		s.lacks("▼ down")
		s.press("down", "down", "down", "i")
	})
}

// TestNothingSimulatedIsMarkedForAnEngineThatIsDown starts with an engine that never listed its models.
func TestNothingSimulatedIsMarkedForAnEngineThatIsDown(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, func(o *ui.Options, so *service.Options) {
			o.Start.Marked = nil
			so.Backend.Endpoint = func() service.Endpoint {
				return service.Endpoint{IsEmbedded: true, Engines: []string{"never", "offline"}}
			}
			so.Backend.Engines = func(context.Context) (map[string]service.EngineStatus, error) {
				all := map[string]service.EngineStatus{}
				for _, m := range catalogue() {
					all[m.Slug] = service.EngineStatus{Engine: "offline", IsUp: true}
				}
				return all, nil
			}
		})
		s.shows("no model marked", "│ ✗ never down")
		s.typed("Hello")
		s.press("enter")
		s.shows("Mark a model first")
	})
}

func TestTheModelTellsOfItsEngine(t *testing.T) {
	run(t, func(t *testing.T) {
		e := &engines{}
		e.down.Store(true)
		s := open(t, 120, 40, e.apply)
		s.press("ctrl+l", "alt+i")
		s.shows("engine    ollama, which calls it llama3.2:3b", "state     up")
		s.press("esc")
		s.typed("lab")
		s.press("alt+i")
		s.shows("engine    lab", "state     down: The engine lab cannot be reached.")
	})
}

// Where all answers are simulated nobody is asked and nothing is told twice.
func TestNoEnginesNoQuestions(t *testing.T) {
	run(t, func(t *testing.T) {
		e := &engines{}
		s := open(t, 120, 40, func(_ *ui.Options, so *service.Options) { so.Backend.Engines = e.answering })
		s.press("ctrl+l")
		s.pass(5 * time.Minute)
		s.lacks("ollama")
		if n := e.asked.Load(); n != 0 {
			t.Errorf("they were asked %d times", n)
		}
	})
}

// What was told of an answer is told again by the record of its call, and of a
// picture in the gallery.
func TestWhatTheServiceSaysIsKept(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, (&engines{}).apply, withAnswers(answerRouted),
			func(o *ui.Options, _ *service.Options) { o.Start.Marked = []string{"sim-image"} })
		s.typed("A boat")
		s.press("enter")
		s.pass(3 * time.Second)
		s.shows("by paint", "service says: Asked for 16:9, got 64x32")
		s.press("ctrl+g")
		s.pass(time.Second)
		s.shows("by paint", "service says: Asked for 16:9")
	})
}

// A vote is blind to who answered, and to what the service says of it.
func TestAVoteIsBlindToEngines(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, (&engines{}).apply, withAnswers(answerRouted), func(o *ui.Options, _ *service.Options) {
			o.Start.Marked = []string{"alpha3.1-8b", "delta"}
		})
		s.typed("Hello")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+2", "v")
		s.shows("service says: The engine lab did not answer", "by ollama as llama3.2:3b", "delta simulated")
		s.press("V")
		s.shows("An answer of delta.", "An answer of alpha3.1-8b.")
		s.lacks("service says", "by ollama as", "delta simulated", "─ simulated")
	})
}

// TestAnAddedEngineAnswersByDefault adds an engine after an example has marked a simulated model, and after a person
// has.
func TestAnAddedEngineAnswersByDefault(t *testing.T) {
	for _, c := range []struct{ key, marked string }{{"f6", "Prompt → ● oss-20b"}, {"enter", "Prompt → ● phi-2"}} {
		run(t, func(t *testing.T) {
			var took atomic.Bool
			e := &engines{}
			s := open(t, 120, 40, func(o *ui.Options, so *service.Options) {
				e.apply(o, so)
				endpoint, answering := so.Backend.Endpoint, so.Backend.Engines
				so.Backend.Endpoint = func() service.Endpoint {
					if took.Load() {
						return endpoint()
					}
					return service.Endpoint{IsEmbedded: true, IsSimulated: true}
				}
				so.Backend.Engines = func(ctx context.Context) (map[string]service.EngineStatus, error) {
					all, err := answering(ctx)
					all["alpha3.1-8b"] = service.EngineStatus{Engine: "offline", IsUp: true}
					return all, err
				}
				o.LocalEngines, o.Start.Marked = fakeLocalEngines{&took}, nil
			})
			if c.key == "enter" {
				s.press("ctrl+l")
				s.typed("phi-2")
			}
			s.press(c.key)
			s.pass(3 * time.Second)
			s.press("f9", "y")
			s.pass(time.Second)
			s.shows(c.marked)
		})
	}
}

// Who sits at a served screen does not choose the engines of the server.
func TestEnginesOfAServedScreen(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("f9")
		s.shows("The operator of this server chooses its engines.")
	})
}
