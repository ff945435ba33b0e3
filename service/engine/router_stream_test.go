package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"confab/service/engine"
)

func TestFeaturesAreThoseOfAllEnginesThatMayAnswer(t *testing.T) {
	all := engine.Features{Streams: true, TakesMessages: true, TakesParams: true, TakesImages: true, CountsTokens: true}
	some, few := all, engine.Features{Streams: true, TakesParams: true, TakesImages: true, ContextTokens: 4000}
	some.ContextTokens = 8000
	main, spare := pool(t, "main", texts, 0, &fake{can: some}), pool(t, "spare", texts, 0, &fake{can: few})
	r := router(t, engine.RouterOptions{Unrouted: pool(t, "rest", texts, 0, &fake{can: all}), Routes: []engine.Route{
		{Models: []string{"alone"}, Pool: main},
		{Models: []string{"looks"}, Pool: main, HasVision: true, ContextTokens: 32000},
		{Models: []string{"both"}, Pool: main, Fallback: spare, HasVision: true},
		{Models: []string{"paints"}, Pool: main, Fallback: pool(t, "p", pictures, 0, &fake{}), HasVision: true},
	}})
	alone, looks, paints := some, some, some
	alone.TakesImages, looks.ContextTokens = false, 32000
	for slug, want := range map[string]engine.Features{
		"other": all, "alone": alone, "looks": looks, "paints": paints,
		"both": {Streams: true, TakesParams: true, TakesImages: true, ContextTokens: 4000},
	} {
		if got := r.Features(slug); got != want {
			t.Errorf("%s: %+v, want %+v", slug, got, want)
		}
	}
	if got := router(t, engine.RouterOptions{Routes: []engine.Route{{Models: []string{"a"},
		Pool: main}}}).Features("b"); got !=
		(engine.Features{}) {
		t.Errorf("what nobody answers: %+v", got)
	}
}

func TestParametersOfTheCallerCount(t *testing.T) {
	a, b := &fake{name: "a"}, &fake{name: "b"}
	params := engine.Params{"t": 1, "u": 2}
	r := router(t, engine.RouterOptions{Routes: []engine.Route{{Models: []string{"m"}, Pool: pool(t, "a", texts, 0, a),
		Params:   params,
		Fallback: pool(t, "b", texts, 0, b)}}})
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
	a.text = func(context.Context, engine.TextRequest) (engine.Text, error) { return engine.Text{}, failed() }
	if got := ask(engine.Params{"t": 3}); got != "b m map[t:3]" {
		t.Errorf("the fallback got %q", got)
	}
}

// TestNobodyElseIsAskedAfterTheFirstPart has engines fail before and after they emitted a part.
func TestNobodyElseIsAskedAfterTheFirstPart(t *testing.T) {
	breaks := func(name string, parts int) *fake {
		return &fake{name: name, text: func(_ context.Context, q engine.TextRequest) (engine.Text, error) {
			for range parts {
				q.Emit(engine.Part{Text: name})
			}
			return engine.Text{}, &engine.Error{Status: 502, Message: name + " broke off.", IsRetryable: true}
		}}
	}
	writes := &fake{name: "c", text: func(_ context.Context, q engine.TextRequest) (engine.Text, error) {
		q.Emit(engine.Part{Text: "c"})
		return engine.Text{Text: "c"}, nil
	}}
	for _, c := range []struct {
		name         string
		first, spare *fake
		parts, err   string
		asked        int64 // replicas of the first engine
	}{
		{"breaks off", breaks("a", 2), writes, "aa", "a broke off.", 1},
		{"fails at once", breaks("a", 0), writes, "c", "", 2},
		{"the fallback breaks off", breaks("a", 0), breaks("b", 1), "b", "b broke off.", 2},
		{"both fail at once", breaks("a", 0), breaks("b", 0), "", "a broke off.", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := router(t, engine.RouterOptions{Routes: []engine.Route{{Models: []string{"*"},
				Pool: pool(t, "main", texts, 0, c.first, c.first), Fallback: pool(t, "spare", texts, 0, c.spare)}}})
			var parts strings.Builder
			_, err := r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p",
				Emit: func(p engine.Part) { parts.WriteString(p.Text) }})
			var e *engine.Error
			if errors.As(err, &e) != (c.err != "") || e != nil && e.Message != c.err {
				t.Errorf("the error is %v, want %q", err, c.err)
			}
			if parts.String() != c.parts || c.first.calls.Load() != c.asked {
				t.Errorf("emitted %q, the first engine was asked %d times", parts.String(), c.first.calls.Load())
			}
		})
	}
}
