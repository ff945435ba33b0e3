package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"confab/service/engine"
)

// lister is an engine whose server lists models.
type lister struct {
	*fake
	models []engine.Model
	err    error
}

func (l *lister) List(context.Context) ([]engine.Model, error) { return l.models, l.err }

func text(name string) engine.Model { return engine.Model{Name: name, Kind: engine.KindText} }

func listed(r *engine.Router) string {
	var all []string
	models, _ := r.Listed()
	for _, m := range models {
		all = append(all, fmt.Sprintf("%s=%s@%s", m.Slug, m.Name, m.Engine))
	}
	return strings.Join(all, " ")
}

// TestListedModelsAreAnswered follows two servers whose lists change: both may have a model of one name, a route may
// rename one, and a server that is away keeps its list.
func TestListedModelsAreAnswered(t *testing.T) {
	one := &lister{fake: &fake{name: "one"}, models: []engine.Model{text("tiny:latest"), text("own")}}
	two := &lister{fake: &fake{name: "two"}, models: []engine.Model{text("tiny:latest"), text("qwen/qwen3:8b")}}
	asked := ""
	two.text = func(_ context.Context, q engine.TextRequest) (engine.Text, error) {
		asked = q.Model
		return engine.Text{Text: "x"}, nil
	}
	a, b := backend(t, "one", texts, 0, one), backend(t, "two", texts, 0, two)
	r := router(t, engine.RouterOptions{Backends: []*engine.Backend{a},
		Routes: []engine.Route{{Models: []string{"mine"}, Backend: a, Model: "own"}}})
	r.Add(b)
	if got := listed(r); got != "" {
		t.Errorf("before a check: %s", got)
	}
	r.Check(t.Context())
	want := "tiny:latest=tiny:latest@one two/tiny:latest=tiny:latest@two qwen/qwen3:8b=qwen/qwen3:8b@two"
	if got := listed(r); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for slug, name := range map[string]string{"two/tiny:latest": "tiny:latest", "qwen/qwen3:8b": "qwen/qwen3:8b"} {
		if _, err := r.Text(t.Context(), engine.TextRequest{Model: slug, Prompt: "p"}); err != nil || asked != name {
			t.Errorf("%s was asked as %s, %v", slug, asked, err)
		}
	}
	_, before := r.Listed()
	r.Check(t.Context())
	if _, after := r.Listed(); after != before {
		t.Error("an equal list counts as a change")
	}
	one.err, two.models = &engine.Error{Message: "It is away.", IsEngineDown: true}, []engine.Model{text("new")}
	r.Check(t.Context())
	if got, want := listed(r), "tiny:latest=tiny:latest@one new=new@two"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := r.Text(t.Context(), engine.TextRequest{Model: "qwen/qwen3:8b", Prompt: "p"}); err == nil {
		t.Error("a model that went was answered")
	}
}

// TestWhatAServerTellsIsUsed takes the context, the vision and the price of a model from its server where the route
// says nothing else.
func TestWhatAServerTellsIsUsed(t *testing.T) {
	e := &lister{fake: &fake{name: "e", can: engine.Features{TakesImages: true}}, models: []engine.Model{
		{Name: "sees", Kind: engine.KindText, HasVision: true, ContextTokens: 8192, InputPrice: 1, OutputPrice: 2},
		text("blind"), {Name: "Paints", Kind: engine.KindImage}}}
	b := backend(t, "e", texts, 0, e)
	r := router(t, engine.RouterOptions{Backends: []*engine.Backend{b}, Routes: []engine.Route{
		{Models: []string{"short"}, Backend: b, Model: "sees", ContextTokens: 100}}})
	r.Check(t.Context())
	for slug, want := range map[string]string{"short": "true 100 1 2", "blind": "false 0 0 0", "sees": "false 0 0 0"} {
		f := r.Features(slug)
		in, out := r.Price(slug)
		if got := fmt.Sprint(f.TakesImages, f.ContextTokens, in, out); got != want {
			t.Errorf("%s: %s, want %s", slug, got, want)
		}
	}
}

func TestOnlySomeModelsAreListed(t *testing.T) {
	b, err := engine.NewBackend(engine.BackendOptions{Name: "e", Kinds: texts, Engine: &fake{},
		Models: []engine.Model{text("qwen/qwen3"), text("llama")}, Patterns: []string{"qwen*"}})
	if err != nil {
		t.Fatal(err)
	}
	r := router(t, engine.RouterOptions{Backends: []*engine.Backend{b}})
	if got := listed(r); got != "qwen/qwen3=qwen/qwen3@e" {
		t.Errorf("got %s", got)
	}
}

func TestSlugs(t *testing.T) {
	for model, want := range map[string]string{"llama3.2:3b": "llama3.2:3b", "Qwen/Qwen3-8B": "Qwen/Qwen3-8B",
		"hf.co/a/b:Q4_K_M": "hf.co/a/b:Q4_K_M", "/models/x y.gguf": "x-y", `C:\m\z.gguf`: "z", "-odd": "odd", "日本": "",
		strings.Repeat("a", 200): strings.Repeat("a", 100)} {
		if got := engine.Slug(model); got != want {
			t.Errorf("%q: %q, want %q", model, got, want)
		}
	}
}
