package offline_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/service/engine"
	"confab/service/engine/enginetest"
	"confab/service/engine/offline"
)

func newInstantEngine() *offline.Engine { return offline.New(offline.Options{Speed: math.Inf(1)}) }

func TestConformance(t *testing.T) {
	enginetest.Run(t, func(*testing.T) engine.Engine {
		// small pictures: the race detector is slow
		return offline.New(offline.Options{Speed: math.Inf(1), Pixels: 1 << 16})
	})
}

func TestAnswersTakeTheTimeOfTheirModel(t *testing.T) {
	typical := map[string]time.Duration{"alpha3.1-8b": 1200 * time.Millisecond,
		"beta-3-235b-a22b-instruct-2507": 9 * time.Second, "compound-mini": 600 * time.Millisecond,
		"paraphrase": 500 * time.Millisecond}
	for _, speed := range []float64{1, 0, 10} {
		for model, want := range typical {
			synctest.Test(t, func(t *testing.T) {
				e := offline.New(offline.Options{Speed: speed})
				began := time.Now()
				if _, err := e.Text(t.Context(), engine.TextRequest{Model: model, Prompt: "hello"}); err != nil {
					t.Fatal(err)
				}
				got, by := time.Since(began), speed
				if by == 0 {
					by = offline.DefaultSpeed
				}
				low, high := time.Duration(float64(want)*0.8/by), time.Duration(float64(want)*1.2/by)
				if got < low || got > high {
					t.Errorf("%s at speed %v took %v, want %v to %v", model, speed, got, low, high)
				}
			})
		}
	}
}

func TestTheSameRequestTakesTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the time of computing is taken off: here it is none
		var took []time.Duration
		e := offline.New(offline.Options{Speed: 1, Sleep: func(_ context.Context, d time.Duration) error {
			took = append(took, d)
			return nil
		}})
		for _, prompt := range []string{"one", "one", "two", "three", "four"} {
			if _, err := e.Text(t.Context(), engine.TextRequest{Model: "oss-120b", Prompt: prompt}); err != nil {
				t.Fatal(err)
			}
		}
		if took[0] != took[1] {
			t.Errorf("one request took %v and then %v", took[0], took[1])
		}
		if took[1] == took[2] && took[2] == took[3] && took[3] == took[4] {
			t.Errorf("different requests all took %v", took[1])
		}
	})
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("closed")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(why) })
		began := time.Now()
		_, err := offline.New(offline.Options{Speed: 1}).Text(ctx,
			engine.TextRequest{Model: "oss-120b", Prompt: "hello"})
		if !errors.Is(err, why) || time.Since(began) != time.Second {
			t.Errorf("it returned %v after %v, want %v after 1s", err, time.Since(began), why)
		}
	})
}

func TestAnEditItCannotDoNamesWhatItCan(t *testing.T) {
	_, err := newInstantEngine().Edit(t.Context(),
		engine.EditRequest{Model: "imageedit", Prompt: "remove the man on the left",
			Source: enginetest.Source(t, 16, 16, false)})
	var refused *engine.Error
	if !errors.As(err, &refused) || refused.Status != 422 {
		t.Fatalf("the error is %v, want a refusal of status 422", err)
	}
	for _, want := range []string{"remove the man on the left", "sepia", "winter", "moon"} {
		if !strings.Contains(refused.Message, want) {
			t.Errorf("the refusal %q does not name %q", refused.Message, want)
		}
	}
}

func BenchmarkText(b *testing.B) {
	e := newInstantEngine()
	for b.Loop() {
		if _, err := e.Text(b.Context(),
			engine.TextRequest{Model: "oss-120b", Prompt: "Explain a CRDT to a baker. Use " +
				"one analogy."}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkImage(b *testing.B) {
	for _, c := range []struct{ name, model, prompt string }{
		{"painterly lighthouse", "diffusion-xl", "a lighthouse at dusk"}, {"painterly forest", "diffusion-xl",
			"an autumn forest with a fox"}, {"oil", "diffusion-xl", "a harbour, oil painting"},
		{"watercolour", "diffusion-xl", "a boat, watercolour"}, {"space", "diffusion-xl", "saturn"}, {"poster",
			"sim-image",
			"mountains and a lake at sunset"},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := newInstantEngine()
			for b.Loop() {
				if _, err := e.Image(b.Context(),
					engine.ImageRequest{Model: c.model, Prompt: c.prompt, Aspect: "16:9"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEdit(b *testing.B) {
	source := enginetest.Source(b, 1024, 1024, true)
	for _, prompt := range []string{"grey", "make it a winter night and add a border", "oil painting", "sketch",
		"blur"} {
		b.Run(prompt, func(b *testing.B) {
			e := newInstantEngine()
			for b.Loop() {
				if _, err := e.Edit(b.Context(),
					engine.EditRequest{Model: "imageedit", Prompt: prompt, Source: source}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
