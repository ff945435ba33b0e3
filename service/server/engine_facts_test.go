package server_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"confab/service/api"
	"confab/service/engine"
	"confab/service/engine/enginetest"
	"confab/service/server"
)

// streaming is an engine that streams.
func streaming(text func(context.Context, engine.TextRequest) (engine.Text, error)) fake {
	f := echo()
	f.text, f.features = text, engine.Features{Streams: true, TakesMessages: true}
	return f
}

// call asks a server with confab's client.
func call(t *testing.T, base string, streams bool) (r api.Response, reported string, err error) {
	t.Helper()
	client, err := api.NewClient(api.Options{BaseURL: base, APIKey: key})
	must(t, err)
	r, _, err = client.Do(t.Context(), api.Request{Model: api.Model{Slug: "delta", Kind: api.Text}, Prompt: "p",
		IsStreamed: streams}, func(p api.Progress) {
		if p.DropsText {
			reported = ""
		}
		reported += p.Text
	})
	return r, reported, err
}

// TestWaitingForAPlaceIsMeasuredApart has one request wait for another at an engine that answers one at a time.
func TestWaitingForAPlaceIsMeasuredApart(t *testing.T) {
	for _, streams := range []bool{false, true} {
		entered, leave := make(chan struct{}, 2), make(chan struct{})
		slow := streaming(func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
			entered <- struct{}{}
			<-leave
			if r.Emit != nil {
				r.Emit(engine.Part{Text: "x"})
			}
			return engine.Text{Text: "x"}, nil
		})
		b, err := engine.NewBackend(engine.BackendOptions{Name: "slow", Kinds: []engine.ModelKind{engine.KindText},
			Engine: slow, Concurrency: 1})
		must(t, err)
		router, err := engine.NewRouter(engine.RouterOptions{Unrouted: b})
		must(t, err)
		base, _ := start(t, server.Options{Engine: router})
		waits := make(chan time.Duration, 2)
		for range 2 {
			go func() { // the test waits for both
				r, _, err := call(t, base, streams)
				if err != nil {
					t.Error(err)
				}
				waits <- r.QueueWait
			}()
		}
		<-entered
		const held = 100 * time.Millisecond
		time.AfterFunc(held, func() { close(leave) })
		a, b2 := <-waits, <-waits
		if min(a, b2) > held/2 || max(a, b2) < held/2 {
			t.Errorf("streamed %v: they waited %v and %v", streams, a, b2)
		}
	}
}

// TestTextThatTurnsOutToBeReasoning streams a text that the engine takes back.
func TestTextThatTurnsOutToBeReasoning(t *testing.T) {
	base, _ := start(t, server.Options{Engine: streaming(
		func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
			w := engine.TextWriter{Emit: r.Emit}
			for _, part := range []string{"Hm. ", "Well.", "</th", "ink>", "\n\nYes", "."} {
				w.WriteText(part)
			}
			w.Close()
			return engine.Text{Text: w.Text(), Reasoning: w.Reasoning()}, nil
		})})
	r, reported, err := call(t, base, true)
	if err != nil || r.Text != "Yes." || r.Reasoning != "Hm. Well." || reported != "Yes." {
		t.Errorf("%q after %q, reported %q, %v", r.Text, r.Reasoning, reported, err)
	}
}

// TestATextModelMayMakeAPicture answers with a picture, whole and in a stream.
func TestATextModelMayMakeAPicture(t *testing.T) {
	picture := enginetest.Source(t, 500, 400, false)
	base, _ := start(t, server.Options{Engine: streaming(
		func(context.Context, engine.TextRequest) (engine.Text, error) {
			return engine.Text{Text: "Here.", Picture: picture}, nil
		})})
	for _, streams := range []bool{false, true} {
		r, _, err := call(t, base, streams)
		if err != nil || r.Text != "Here." || !bytes.Equal(r.Image, picture) || r.Width != 500 {
			t.Errorf("streamed %v: %q, %d bytes, %v", streams, r.Text, len(r.Image), err)
		}
	}
}

// TestOnlyTheOwnerReadsWhatAnEngineSays has an engine fail.
func TestOnlyTheOwnerReadsWhatAnEngineSays(t *testing.T) {
	failing := streaming(func(context.Context, engine.TextRequest) (engine.Text, error) {
		return engine.Text{}, &engine.Error{Status: 502, Code: "service", Message: "The engine x failed (HTTP 500).",
			Detail: strings.Repeat("memory ", 40) + "is used up"}
	})
	for _, isOwner := range []bool{false, true} {
		base, _ := start(t, server.Options{Engine: failing, TellsEngineErrors: isOwner})
		for _, streams := range []bool{false, true} {
			_, _, err := call(t, base, streams)
			var e *api.Error
			if !errors.As(err, &e) || strings.Contains(e.Message, "memory is used up") != isOwner {
				t.Errorf("owner %v: %v", isOwner, err)
			}
		}
	}
}
