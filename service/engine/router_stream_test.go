package engine_test

import (
	"testing"

	"confab/service/engine"
)

func TestFeaturesAreThoseOfTheEngine(t *testing.T) {
	all := engine.Features{Streams: true, TakesMessages: true, TakesParams: true, TakesImages: true, CountsTokens: true}
	some := all
	some.ContextTokens = 8000
	main := backend(t, "main", texts, 0, &fake{can: some})
	r := router(t, engine.RouterOptions{Unrouted: backend(t, "rest", texts, 0, &fake{can: all}), Routes: []engine.Route{
		{Models: []string{"alone"}, Backend: main},
		{Models: []string{"looks"}, Backend: main, HasVision: true, ContextTokens: 32000},
	}})
	alone, looks := some, some
	alone.TakesImages, looks.ContextTokens = false, 32000
	for slug, want := range map[string]engine.Features{
		"other": all, "alone": alone, "looks": looks,
	} {
		if got := r.Features(slug); got != want {
			t.Errorf("%s: %+v, want %+v", slug, got, want)
		}
	}
	if got := router(t, engine.RouterOptions{Routes: []engine.Route{{Models: []string{"a"},
		Backend: main}}}).Features("b"); got !=
		(engine.Features{}) {
		t.Errorf("what nobody answers: %+v", got)
	}
}

func TestParametersOfTheCallerCount(t *testing.T) {
	a := &fake{name: "a"}
	params := engine.Params{"t": 1, "u": 2}
	r := router(t, engine.RouterOptions{Routes: []engine.Route{
		{Models: []string{"m"}, Backend: backend(t, "a", texts, 0, a), Params: params}}})
	ask := func(own engine.Params) string {
		got, err := r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p", Params: own})
		if err != nil {
			t.Fatal(err)
		}
		return got.Text
	}
	if got := ask(engine.Params{"t": 3}); got != "a m map[t:3 u:2]" {
		t.Errorf("got %q", got)
	}
	if got := ask(nil); got != "a m map[t:1 u:2]" {
		t.Errorf("the next request got %q", got)
	}
}
