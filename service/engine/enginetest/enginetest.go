// Package enginetest tests implementations of engines.
package enginetest

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"confab/service/engine"
)

// within is the maximum time of an engine's return after the end of a context.
const within = 100 * time.Millisecond

// Traits describe an engine. Kinds without a model are not tested.
type Traits struct {
	Text, Image, Edit []string // slugs
	Repeats           bool     // equal requests get equal answers
}

// OfflineTraits returns the models of the service contract with repeatable answers.
func OfflineTraits() Traits {
	return Traits{
		Text: []string{
			"alpha3.1-8b", "oss-120b", "oss-20b", "beta-3-235b-a22b-instruct-2507", "alpha-3.3-70b-versatile",
			"alpha-4-scout-17b-16e-instruct", "compound-mini", "allam-2-7b",
			"gamma-4.7", "gamma-4-7b-flash", "delta", "phi-2", "epsilon-k2-instruct-0905", "zeta", "paraphrase",
		},
		Image: []string{"diffusion-xl", "sim-image"}, Edit: []string{"imageedit", "imageedit-lite"}, Repeats: true,
	}
}

// Run tests engines that make returns, a new one per part. The default traits are [OfflineTraits].
func Run(t *testing.T, make func(t *testing.T) engine.Engine, traits ...Traits) {
	tr := OfflineTraits()
	if len(traits) > 0 {
		tr = traits[0]
	}
	t.Run("has a name", func(t *testing.T) {
		if name := make(t).Name(); strings.TrimSpace(name) == "" {
			t.Errorf("Name() = %q, want a name", name)
		}
	})
	if len(tr.Text) > 0 {
		t.Run("text", func(t *testing.T) { testText(t, make, tr) })
		t.Run("stream", func(t *testing.T) { testStream(t, make, tr) })
	}
	if len(tr.Image) > 0 {
		t.Run("image", func(t *testing.T) { testImage(t, make, tr) })
	}
	if len(tr.Edit) > 0 {
		t.Run("edit", func(t *testing.T) { testEdit(t, make, tr) })
	}
	t.Run("bad requests", func(t *testing.T) { testBad(t, make(t), tr) })
	t.Run("end of the context", func(t *testing.T) { testEnd(t, make, tr) })
	t.Run("concurrent use", func(t *testing.T) { testConcurrent(t, make(t), tr) })
}

func testText(t *testing.T, make func(t *testing.T) engine.Engine, tr Traits) {
	e := make(t)
	seen := map[string]string{}
	for _, model := range tr.Text {
		ask := engine.TextRequest{Model: model, Prompt: "Explain how a tide works and how a harbour copes with it.",
			System: "You are a patient pilot."}
		got, err := e.Text(t.Context(), ask)
		if err != nil {
			t.Fatalf("%s: %v", model, err)
		}
		if strings.TrimSpace(got.Text) == "" {
			t.Errorf("%s: the text is empty", model)
		}
		if !tr.Repeats {
			continue
		}
		again, err := make(t).Text(t.Context(), ask)
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s: another engine of the kind answered %q, %v, want %q", model, again.Text, err, got.Text)
		}
		if other, ok := seen[got.Text]; ok {
			t.Errorf("%s and %s give the same text", model, other)
		}
		seen[got.Text] = model
	}
}

func first(models []string) string {
	if len(models) == 0 {
		return ""
	}
	return models[0]
}

func testBad(t *testing.T, e engine.Engine, tr Traits) {
	text, img, edit := first(tr.Text), first(tr.Image), first(tr.Edit)
	for _, c := range []struct {
		name string
		skip bool
		call func(ctx context.Context) error
	}{
		{"text without a prompt", text == "", func(ctx context.Context) error {
			_, err := e.Text(ctx, engine.TextRequest{Model: text, Prompt: " \n"})
			return err
		}},
		{"picture without a prompt", img == "", func(ctx context.Context) error {
			_, err := e.Image(ctx, engine.ImageRequest{Model: img, Aspect: "1:1"})
			return err
		}},
		{"picture of an impossible ratio", img == "", func(ctx context.Context) error {
			_, err := e.Image(ctx, engine.ImageRequest{Model: img, Prompt: "a boat", Aspect: "0:9"})
			return err
		}},
		{"edit without a prompt", edit == "", func(ctx context.Context) error {
			_, err := e.Edit(ctx, engine.EditRequest{Model: edit, Source: Source(t, 8, 8, false)})
			return err
		}},
		{"edit of what is no picture", edit == "", func(ctx context.Context) error {
			_, err := e.Edit(ctx,
				engine.EditRequest{Model: edit, Prompt: "make it black and white", Source: []byte("<html>")})
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.skip {
				t.Skip("the engine does not serve this kind")
			}
			err := c.call(t.Context())
			var refused *engine.Error
			if !errors.As(err, &refused) {
				t.Fatalf("the error is %v, want an *engine.Error", err)
			}
			if refused.Status < 400 || refused.Status > 499 || refused.Code == "" || refused.Message == "" {
				t.Errorf("the refusal is %+v, want a status of 4xx, a code and a sentence", *refused)
			}
		})
	}
}

// testEnd cancels contexts before and during calls.
func testEnd(t *testing.T, make func(t *testing.T) engine.Engine, tr Traits) {
	source := Source(t, 1600, 1200, false)
	calls := map[string]func(context.Context, engine.Engine) error{}
	if m := first(tr.Text); m != "" {
		calls["text"] = func(ctx context.Context, e engine.Engine) error {
			_, err := e.Text(ctx, engine.TextRequest{Model: m, Prompt: "a long answer, please"})
			return err
		}
	}
	if m := first(tr.Image); m != "" {
		calls["image"] = func(ctx context.Context, e engine.Engine) error {
			_, err := e.Image(ctx, engine.ImageRequest{Model: m, Prompt: "a forest", Aspect: "1:1"})
			return err
		}
	}
	if m := first(tr.Edit); m != "" {
		calls["edit"] = func(ctx context.Context, e engine.Engine) error {
			_, err := e.Edit(ctx, engine.EditRequest{Model: m, Prompt: "turn it into an oil painting", Source: source})
			return err
		}
	}
	why := errors.New("nobody waits any more")
	for name, call := range calls {
		t.Run(name+" that was ended before", func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(why)
			began := time.Now()
			if err := call(ctx, make(t)); !errors.Is(err, why) && !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v, want the end of the context", err)
			}
			if took := time.Since(began); took > within {
				t.Errorf("it took %v to notice, want at most %v", took, within)
			}
		})
		t.Run(name+" that is ended meanwhile", func(t *testing.T) {
			e := make(t)
			var took time.Duration
			for range 5 { // a busy machine may be late once
				ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Millisecond, why)
				ended := endOf(ctx)
				err := call(ctx, e)
				if err == nil {
					cancel()
					return // it returned before the cancellation
				}
				if !errors.Is(err, why) && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("the error is %v, want the end of the context", err)
				}
				took = time.Since(<-ended)
				cancel()
				if took <= within {
					return
				}
			}
			t.Errorf("it took %v to return, want at most %v", took, within)
		})
	}
}

func endOf(ctx context.Context) <-chan time.Time {
	at := make(chan time.Time, 1)
	context.AfterFunc(ctx, func() { at <- time.Now() })
	return at
}

func testConcurrent(t *testing.T, e engine.Engine, tr Traits) {
	source := Source(t, 64, 64, false)
	var all sync.WaitGroup
	fail := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, m := range tr.Text {
		all.Go(func() {
			_, err := e.Text(t.Context(), engine.TextRequest{Model: m, Prompt: "list three ways to cross a river"})
			fail(err)
		})
	}
	for _, m := range tr.Image {
		for _, prompt := range []string{"a city at night", "a city at night", "a fox in the snow"} {
			all.Go(func() {
				_, err := e.Image(t.Context(), engine.ImageRequest{Model: m, Prompt: prompt, Aspect: "4:1"})
				fail(err)
			})
		}
	}
	for _, m := range tr.Edit {
		for range 3 {
			all.Go(func() {
				_, err := e.Edit(t.Context(),
					engine.EditRequest{Model: m, Prompt: "make it a winter night and add a border", Source: source})
				fail(err)
			})
		}
	}
	all.Wait()
}
