package service_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/service"
	"confab/service/api"
)

// answerInParts lets the client answer with reasoning and 100 parts in 10 s, and then with the result of end.
func answerInParts(w *world, end func(text string) (api.Response, error)) {
	w.client.do = func(ctx context.Context, _ api.Request, observe func(api.Progress)) (api.Response, api.Exchange,
		error) {
		exchange := api.Exchange{Status: 200, Total: 10 * time.Second}
		observe(api.Progress{Attempt: 1})
		if err := sleep(ctx, 500*time.Millisecond); err != nil {
			return api.Response{}, exchange, err
		}
		observe(api.Progress{Attempt: 1, Received: 1, Reasoning: "let me see"})
		var text strings.Builder
		for i := range 100 {
			if err := sleep(ctx, 100*time.Millisecond); err != nil {
				return api.Response{Text: text.String(), Reasoning: "let me see"}, exchange, err
			}
			text.WriteString("word ")
			observe(api.Progress{Attempt: 1, Received: int64(i + 2), Text: "word "})
		}
		response, err := end(text.String())
		return response, exchange, err
	}
}

func wholeResponse(text string) (api.Response, error) {
	return api.Response{Text: text, Reasoning: "let me see", Status: 200, Finish: "stop",
		Usage: chat.Usage{InputTokens: 12, OutputTokens: 110, ReasoningTokens: 10}}, nil
}

func withExtensions(e api.Extensions) func(*service.Options) {
	return func(o *service.Options) { o.Backend.Extensions = func(string) api.Extensions { return e } }
}

func TestAnAnswerGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory, withExtensions(api.Extensions{Streams: true}), func(o *service.Options) {
			o.Backend.Price = func(model, _ string) (service.Price, bool) {
				return service.Price{1, 10, "USD"}, model == "delta"
			}
		})
		answerInParts(w, wholeResponse)
		turn, events := w.begin(t, service.Prompt{Text: "x", Models: []string{"delta"}})
		grown, n := 0, 0
		for e := range events {
			if n++; !strings.HasPrefix(strings.Repeat("word ", 100), e.Answer.Text) || len(e.Answer.Text) < grown {
				t.Fatalf("event %d has the text %q", n, e.Answer.Text)
			}
			grown = len(e.Answer.Text)
			if turn = history.Apply(turn, e); grown > 0 && !e.Answer.State.HasEnded() && !e.Answer.Progress.Streams {
				t.Fatal("an answer with a part of its text does not say that it streams")
			}
		}
		a := turn.Answers[0]
		if n < 100 || a.State != history.Done || a.Text != strings.Repeat("word ", 100) || a.Reasoning != "let me see" {
			t.Errorf("%d events, %s, %d bytes, reasoning %q", n, a.State, len(a.Text), a.Reasoning)
		}
		if a.FirstToken != 500*time.Millisecond || a.Thinking != 100*time.Millisecond ||
			a.Finish != chat.FinishStop {
			t.Errorf("first part after %s, thinking %s, finish %q", a.FirstToken, a.Thinking, a.Finish)
		}
		if want := (12.0 + 1100) / 1e6; a.Cost.Amount < want*0.999 || a.Cost.Amount > want*1.001 ||
			a.Cost.Currency != "USD" {
			t.Errorf("it cost %+v, want %g", a.Cost, want)
		}
		if got := w.stored(t, turn.ID).Answers[0]; got.Text != a.Text || got.Usage != a.Usage || got.Cost != a.Cost {
			t.Errorf("stored %+v", got)
		}
	})
}

// TestPartsAreStored checks at every moment that the stored text is at most two seconds old.
func TestPartsAreStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory, withExtensions(api.Extensions{Streams: true}))
		answerInParts(w, wholeResponse)
		turn, events := w.begin(t, service.Prompt{Text: "x", Models: []string{"delta"}})
		for at := 2500 * time.Millisecond; at < 10*time.Second; at += 700 * time.Millisecond {
			time.Sleep(at - time.Since(turn.Created.Local()))
			synctest.Wait()
			got := w.stored(t, turn.ID).Answers[0]
			if want := int((at - 2600*time.Millisecond) / (100 * time.Millisecond)); len(got.Text)/5 < want ||
				got.State !=
					history.Running {
				t.Errorf(
					"after %s, %d words of a %s answer are stored, want at least %d",
					at,
					len(got.Text)/5,
					got.State,
					want,
				)
			}
		}
		follow(turn, events)
	})
}

func TestWhatCameOfAnAnswerStays(t *testing.T) {
	for name, c := range map[string]struct {
		end   func(string) (api.Response, error)
		stop  bool
		state history.State
		words int
	}{
		"broken off": {func(text string) (api.Response, error) {
			return api.Response{Text: text + "tail"}, &api.Error{Code: api.CodeBadResponse,
				Message: "The answer broke off."}
		}, false, history.Failed, 101},
		"cancelled": {wholeResponse, true, history.Cancelled, 25},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, inMemory, withExtensions(api.Extensions{Streams: true}))
			answerInParts(w, c.end)
			turn, events := w.begin(t, service.Prompt{Text: "x", Models: []string{"delta"}})
			if c.stop {
				time.Sleep(3050 * time.Millisecond)
				w.Stop(turn.Answers[0].ID)
			}
			turn = follow(turn, events)
			stored := w.stored(t, turn.ID).Answers[0]
			for what, a := range map[string]history.Answer{"shown": turn.Answers[0], "stored": stored} {
				if a.State != c.state || len(strings.Fields(a.Text)) != c.words || a.Reasoning != "let me see" {
					t.Errorf("%s, %s: %s with %q", name, what, a.State, a.Text)
				}
			}
			if sent, err := w.PreviewPrompt(
				t.Context(),
				service.Prompt{Session: turn.Session, Text: "y", HasContext: true},
				"delta",
			); err != nil || !strings.Contains(sent.Prompt, "## You\n\n"+stored.Text+"\n\n") {
				t.Errorf("%s: the part is not remembered: %q, %v", name, sent.Prompt, err)
			}
		})
	}
}

// TestAPlainServiceIsSentNothingNew checks the requests to a service without known extensions.
func TestAPlainServiceIsSentNothingNew(t *testing.T) {
	w := newWorld(t)
	turn := w.send(t, service.Prompt{Text: "My name is Ana", Models: []string{"delta"}})
	turn = w.send(t, service.Prompt{Session: turn.Session, Text: "And?", Models: []string{"delta"}, HasContext: true,
		Params: history.Params{"temperature": 0.2, "seed": 7}})
	for _, r := range w.client.requests() {
		if r.IsStreamed || r.Messages != nil || r.Params != nil || r.Images != nil {
			t.Errorf("sent %+v", r)
		}
	}
	if got := strings.Join(turn.Answers[0].Ignored, " "); got != "seed temperature" {
		t.Errorf("the answer says that %q was ignored", got)
	}
	if service.ParamsText(w.stored(t, turn.ID).Params) != "temperature 0.2, seed 7" {
		t.Errorf("the turn keeps %q", service.ParamsText(turn.Params))
	}
}

func TestWhatAServiceOffersIsRemembered(t *testing.T) {
	offered := api.Extensions{Streams: true, TakesMessages: true, TakesParams: true, ContextTokens: 4096}
	dir := t.TempDir()
	w := worldIn(t, dir)
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		response := answerTo(r)
		response.Extensions = offered
		return response, api.Exchange{Status: 200}, nil
	}
	turn := w.send(t, service.Prompt{Text: "My name is Ana", Models: []string{"delta"}})
	must(t, w.Close(t.Context()))
	later := worldIn(t, dir)
	later.client.offer("delta", offered)
	later.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		return answerTo(r), api.Exchange{Status: 200}, nil // it no longer declares extensions
	}
	p := service.Prompt{Session: turn.Session, Text: "And?", Models: []string{"delta"}, HasContext: true,
		Params: history.Params{"seed": int64(1) << 60}}
	got := later.send(t, p).Answers[0]
	first := later.client.requests()[0]
	if !first.IsStreamed || first.Prompt != "And?" || len(first.Messages) != 2 ||
		first.Messages[0].Content != "My name is Ana" ||
		first.Messages[1] != (chat.Message{Role: "assistant", Content: "delta says: My name is Ana"}) ||
		textOf(p.Params, "seed") != "1152921504606846976" || len(first.Params) != 1 {
		t.Errorf("sent %+v", first)
	}
	if len(got.SentTurns.Turns) != 1 || got.SentMessages != nil || got.SentPrompt != "" || got.Ignored != nil {
		t.Errorf("stored as sent %+v, ignored %v", got, got.Ignored)
	}
	later.send(t, p)
	if second := later.client.requests()[1]; second.IsStreamed || second.Messages != nil || second.Params != nil {
		t.Errorf("a service that offers nothing any more was sent %+v", second)
	}
	p.Session = 0
	off := worldIn(
		t,
		t.TempDir(),
		withExtensions(offered),
		func(o *service.Options) { o.Backend.IgnoresExtensions = true },
	)
	off.send(t, p)
	if r := off.client.requests()[0]; r.IsStreamed || r.Params != nil {
		t.Errorf("with extensions off, sent %+v", r)
	}
}

func TestContinueACutAnswer(t *testing.T) {
	w := newWorld(t, withExtensions(api.Extensions{TakesMessages: true}))
	parts := []string{"one two", " three", " four"}
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		n := len(w.client.requests()) - 1
		response := api.Response{Text: parts[n], Status: 200, Finish: "length"}
		if n == 2 {
			response.Finish = "stop"
		}
		return response, api.Exchange{Status: 200}, nil
	}
	turn := w.send(t, service.Prompt{Text: "count", Models: []string{"delta"}})
	for i := range 2 {
		again, events, err := w.Continue(t.Context(), turn.Answers[i].ID)
		must(t, err)
		turn = follow(again, events)
	}
	if got := turn.Answers[2]; got.Text != "one two three four" || got.State != history.Done {
		t.Errorf("continued to %q, %s", got.Text, got.State)
	}
	last := w.client.requests()[2]
	if len(last.Messages) != 2 || last.Messages[0].Content != "count" || last.Messages[1].Content != "one two three" {
		t.Errorf("sent %+v", last.Messages)
	}
	_, _, err := w.Continue(t.Context(), turn.Answers[2].ID)
	wantCode(t, err, api.CodeUsage)
}

func TestParametersAreChecked(t *testing.T) {
	for name, bad := range map[string]string{"temperature": "3", "top_p": "x", "max_tokens": "-1", "seed": "1.5",
		"response_format": "xml", "reasoning_effort": "huge", "stop": "a,b,c,d,e", "temprature": "1",
		"top_k": "0.5", "min_p": "1.1", "presence_penalty": "-3", "extra": `{"model":"other"}`} {
		var p history.Params
		if err := new(service.Axes).SetParam(&p, name, bad); api.CodeOf(err) != api.CodeUsage {
			t.Errorf("%s = %s: %v", name, bad, err)
		}
	}
	var p history.Params
	set := map[string]string{"temperature": "0", "top_p": "0.9", "max_tokens": "100", "seed": "-3", "stop": `\n, END`,
		"response_format": "json_object", "reasoning_effort": "low", "top_k": "40", "min_p": "0.05",
		"presence_penalty": "-2", "frequency_penalty": "2", "extra": `{"mirostat":2}`}
	for name, text := range set {
		if err := new(service.Axes).SetParam(&p, name, text); err != nil || textOf(p, name) != text {
			t.Errorf("%s = %q, %v, want %q", name, textOf(p, name), err, text)
		}
	}
	for name := range set {
		must(t, new(service.Axes).SetParam(&p, name, ""))
	}
	if !p.IsZero() {
		t.Errorf("without its parameters there remains %+v", p)
	}
}

// TestAPictureForATextModel sends a picture if the service takes it, and reports if it does not.
func TestAPictureForATextModel(t *testing.T) {
	w := newWorld(t, func(o *service.Options) {
		o.Backend.Extensions = func(model string) api.Extensions {
			return api.Extensions{TakesImages: model == "delta"}
		}
	})
	drawn := w.send(t, service.Prompt{Text: "a boat", Models: []string{"sim-image"}})
	p := service.Prompt{Session: drawn.Session, Text: "What is it?", Models: []string{"delta", "zeta"},
		Source: &history.Source{Answer: drawn.Answers[0].ID}}
	turn := w.send(t, p)
	if turn.Source == nil || turn.Source.Path != drawn.Answers[0].Picture.Path {
		t.Errorf("the turn keeps %+v as its picture", turn.Source)
	}
	for _, r := range w.client.requests()[1:] {
		if want := map[string]int{"delta": 1}[r.Model.Slug]; len(r.Images) != want {
			t.Errorf("%s was sent %d pictures, want %d", r.Model.Slug, len(r.Images), want)
		}
		for _, b := range r.Images {
			if facts, err := api.JudgeImage(t.Context(), b, 1e6); err != nil || facts.ContentType != "image/jpeg" ||
				facts.Width != 8 || strings.Contains(string(b), "a boat") {
				t.Errorf(
					"the picture is %+v, %v, with the text of the file %v",
					facts,
					err,
					strings.Contains(string(b), "boat"),
				)
			}
		}
	}
	p.Models = []string{"zeta"}
	_, _, err := w.Send(t.Context(), p)
	wantCode(t, err, api.CodeUsage)
	p.Models, p.Source = []string{"delta"}, &history.Source{URL: "https://example.com/a.png"}
	if got := states(w.send(t, p)); got["delta"] != "failed usage" {
		t.Errorf("a picture elsewhere: %v", got)
	}
}

// textOf returns the value of a parameter as it is typed.
func textOf(params history.Params, name string) string {
	p, err := chat.FindParam(name)
	if err != nil {
		return err.Error()
	}
	return p.Format(params[name])
}
