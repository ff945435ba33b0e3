package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/api"
)

func TestCombineVariantsValuesAndParameters(t *testing.T) {
	p := service.Prompt{Models: []string{"delta", "zeta"}, Params: history.Params{"seed": 7}}
	axes := service.Axes{
		Variants: []service.Variant{{Text: "Greet {{who}}"}, {Text: " \n"}, {Text: "Bye", System: "Be brief."}},
		Values:   map[string][]string{"who": {"Ana", "Ben"}},
		Params:   map[string][]any{"temperature": {0, 1}, "top_p": {0.5}},
	}
	prompts, err := service.Combine(p, axes)
	must(t, err)
	var got []string
	for _, one := range prompts {
		got = append(got, fmt.Sprint(one.Text, "/", one.System, "/", service.ParamsText(one.Params)))
	}
	want := []string{
		"Greet Ana//temperature 0, top_p 0.5, seed 7", "Greet Ana//temperature 1, top_p 0.5, seed 7",
		"Greet Ben//temperature 0, top_p 0.5, seed 7", "Greet Ben//temperature 1, top_p 0.5, seed 7",
		"Bye/Be brief./temperature 0, top_p 0.5, seed 7", "Bye/Be brief./temperature 1, top_p 0.5, seed 7",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if c := axes.Count(p); c.String() != "6 prompts × 2 models = 12 calls" || c.Prompts != 6 {
		t.Errorf("unequal variants make %+v", c)
	}
	axes.Variants[2].Text = "Bye {{who}}"
	if c := axes.Count(p); c.String() != "2 prompts × 2 values × 2 parameter sets × 2 models = 16 calls" {
		t.Errorf("equal variants make %+v", c)
	}
	missing := service.Axes{Variants: axes.Variants}
	if c := missing.Count(p); c.String() != "2 prompts × values of {{who}} × 2 models" || c.Calls != 0 {
		t.Errorf("without values they make %+v", c)
	}
	if c := (service.Axes{}).Count(service.Prompt{Text: "hi", Models: []string{"delta"}}); c.String() != "1 call" {
		t.Errorf("one prompt makes %+v", c)
	}
	axes.IsLiteral = true
	if prompts, err = service.Combine(p, axes); err != nil || prompts[0].Text != "Greet {{who}}" || len(prompts) != 4 {
		t.Errorf("literal texts make %+v, %v", prompts, err)
	}
	axes.Params["seed"] = make([]any, 600)
	_, err = service.Combine(p, axes)
	wantCode(t, err, api.CodeUsage)
}

// TestABatchIsSiblings sends three variants after a turn: they are branches that all go with this turn, none waits for
// another, and together they make as many calls at once as one prompt does.
func TestABatchIsSiblings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory, func(o *service.Options) { o.Limits.Concurrency = 2 })
		var running, most atomic.Int32
		w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			return api.Response{Text: "yes", Status: 200}, api.Exchange{}, nil
		}
		p := service.Prompt{Text: "one", Models: []string{"delta"}, HasContext: true}
		one := w.send(t, p)
		p.Session, p.Models = one.Session, []string{"delta", "zeta"}
		axes := service.Axes{Variants: []service.Variant{{Text: "a"}, {Text: "b"}, {Text: "c"}}}
		prompts, err := service.Combine(p, axes)
		must(t, err)
		began := time.Now()
		turns := w.sendAll(t, prompts)
		if took := time.Since(began); took != 3*time.Second || most.Load() != 2 {
			t.Errorf("six calls took %s with %d at once, want 3 s with 2", took, most.Load())
		}
		ids := []int64{turns[0].ID, turns[1].ID, turns[2].ID}
		for i, turn := range turns {
			stored := w.stored(t, turn.ID)
			if stored.Parent != one.ID || !slices.Equal(stored.Siblings, ids) || stored.RememberedTurns() != 1 {
				t.Errorf("turn %d follows %d beside %v and remembers %d turns", i, stored.Parent, stored.Siblings,
					stored.RememberedTurns())
			}
		}
		for _, r := range w.client.requests()[1:] {
			if strings.Count(r.Prompt, "## Me") != 2 || !strings.Contains(r.Prompt, "## Me\n\none\n") {
				t.Errorf("%s was sent %q", r.Model.Slug, r.Prompt)
			}
		}
		shown, err := w.Turns(t.Context(), one.Session, history.Page{})
		if err != nil || len(shown) != 2 || shown[1].ID != ids[2] {
			t.Errorf("the session shows %d turns, %v", len(shown), err)
		}
	})
}

// fullStore refuses the turns of prompts that contain a text.
type fullStore struct {
	history.Store
	refuses string
}

// AddTurn implements [history.TurnStore].
func (s fullStore) AddTurn(ctx context.Context, turn history.Turn) (history.Turn, error) {
	if strings.Contains(turn.Prompt, s.refuses) {
		return history.Turn{}, errors.New("no space")
	}
	return s.Store.AddTurn(ctx, turn)
}

func TestABatchIsCheckedBeforeItIsSent(t *testing.T) {
	w := newWorld(t)
	batch := func(texts ...string) (all []service.Prompt) {
		for _, text := range texts {
			all = append(all, service.Prompt{Text: text, Models: []string{"delta"}})
		}
		return all
	}
	sent, err := w.SendAll(t.Context(), batch("a", "b", " "))
	wantCode(t, err, api.CodeUsage)
	if n := len(w.client.requests()); n != 0 || len(sent) != 0 {
		t.Errorf("%d turns and %d requests of a batch with an empty prompt", len(sent), n)
	}
	w.wrapStore(t, func(s history.Store) history.Store { return fullStore{s, "full"} })
	sent, err = w.SendAll(t.Context(), batch("a", "b", "full", "d"))
	if err == nil || len(sent) != 2 {
		t.Fatalf("sent %d turns, %v", len(sent), err)
	}
	for _, one := range sent {
		if got := follow(one.Turn, one.Events); got.Answers[0].State != history.Done {
			t.Errorf("%s ended %s", got.Prompt, got.Answers[0].State)
		}
	}
}

func TestParametersWithSeveralValues(t *testing.T) {
	params, axes := history.Params{"seed": 7}, service.Axes{}
	for name, text := range map[string]string{"temperature": "0 | 0.7|1.2", "reasoning_effort": "low|high", "seed": "8",
		"stop": "<|end|>, x", "response_format": "text | json_object", "top_p": " "} {
		must(t, axes.SetParam(&params, name, text))
	}
	const want = "temperature 0 | 0.7 | 1.2, seed 8, stop <|end|>, x, response_format text | json_object, " +
		"reasoning_effort low | high"
	if got := service.ParamsText(axes.JoinParams(params)); got != want {
		t.Errorf("set %q, want %q", got, want)
	}
	prompts, err := service.Combine(service.Prompt{Text: "x", Params: params}, axes)
	if err != nil || len(prompts) != 12 {
		t.Errorf("they make %d prompts, %v", len(prompts), err)
	}
	must(t, axes.SetParam(&params, "temperature", "1"))
	must(t, axes.SetParam(&params, "reasoning_effort", ""))
	if len(axes.Params) != 1 || service.ParamsText(params) != "temperature 1, seed 8, stop <|end|>, x" {
		t.Errorf("changed to %v and %v", params, axes.Params)
	}
	wantCode(t, axes.SetParam(&params, "temperature", "0 | 3"), api.CodeUsage)
	wantCode(t, axes.SetParam(&params, "tempo", "1"), api.CodeUsage)
}

func TestADraftKeepsVariantsAndParameters(t *testing.T) {
	w := newWorld(t)
	seeds := map[string][]any{"seed": {json.Number("9007199254740993"), json.Number("1")}}
	kept := service.Draft{Text: "b " + sentinel, Current: 1, Variants: []service.Variant{{Text: "a"}, {Text: "b",
		System: "Be brief. " + sentinel}}, Waiting: [][]service.Variant{{{Text: "c"}, {Text: sentinel}}}}
	kept.ParamValues = map[string][]any{"seed": seeds["seed"], "temperature": {json.Number("9")}}
	must(t, w.SaveDraft(t.Context(), 0, kept))
	d, err := w.Draft(t.Context(), 0)
	must(t, err)
	if !reflect.DeepEqual(d.ParamValues, seeds) { // what is no temperature is dropped
		t.Errorf("parameters %v, want %v", d.ParamValues, seeds)
	}
	if len(d.Variants) != 2 || d.Current != 1 || !strings.HasPrefix(d.Variants[1].System, "Be brief.") ||
		len(d.Waiting) != 1 || d.Waiting[0][0].Text != "c" {
		t.Errorf("the draft has %+v, %d, %+v", d.Variants, d.Current, d.Waiting)
	}
	if found := grep(t, w.dir, sentinel); len(found) > 0 {
		t.Errorf("the key is in %v", found)
	}
}
