package service_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/service/api"
)

func textModels() []string {
	var slugs []string
	for _, m := range api.Default().Models() {
		if m.Kind == api.Text {
			slugs = append(slugs, m.Slug)
		}
	}
	return slugs
}

func TestSendToManyModels(t *testing.T) {
	w := newWorld(t)
	turn := w.send(t, service.Prompt{
		Text:    "Explain a CRDT",
		System:  "Be brief",
		Models:  []string{"oss-20b", "paraphrase", "sim-image"},
		Aspect:  "16:9",
		Nonce:   history.Nonce{Mode: history.NonceFresh},
		Samples: 2,
	})
	if len(turn.Answers) != 6 {
		t.Fatalf("got %d answers, want 6", len(turn.Answers))
	}
	for i, want := range []string{"oss-20b 1", "oss-20b 2", "paraphrase 1", "paraphrase 2", "sim-image 1",
		"sim-image 2"} {
		a := turn.Answers[i]
		if got := fmt.Sprintf("%s %d", a.Model, a.Sample); got != want || a.State != history.Done {
			t.Errorf("answer %d is %s %s, want %s done", i, got, a.State, want)
		}
	}
	for _, r := range w.client.requests() {
		switch {
		case r.Model.Slug == "paraphrase" && r.System != "":
			t.Error("a system prompt went to a model that takes none")
		case r.Model.Slug == "oss-20b" && (r.System != "Be brief" || r.Aspect != "" || r.Nonce != ""):
			t.Errorf("a text model was sent %+v", r)
		case r.Model.Kind == api.Image && (r.System != "" || r.Aspect != "16:9" || r.Nonce == ""):
			t.Errorf("an image model was sent %+v", r)
		}
	}
	if a, b := turn.Answers[4].SentNonce, turn.Answers[5].SentNonce; a == b || a == "" {
		t.Errorf("fresh nonces are %q and %q", a, b)
	}
	stored := w.stored(t, turn.ID)
	for i, a := range stored.Answers {
		if shown := turn.Answers[i]; a.State != history.Done || a.Text != shown.Text ||
			a.SentNonce != shown.SentNonce || a.Elapsed != time.Second {
			t.Errorf("stored %+v, shown %+v", a, shown)
		}
		e, _, err := w.Exchange(t.Context(), a.ID)
		if err != nil || e.Method != "POST" {
			t.Errorf("exchange %+v, %v", e, err)
		}
	}
	if s, err := w.Session(t.Context(), turn.Session); err != nil || s.Name == "" || s.Pictures != 2 {
		t.Errorf("session %+v, %v", s, err)
	}
}

// The time to the first token starts with the answered attempt and is stored.
func TestFirstTokenIsMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory)
		w.client.do = func(_ context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange,
			error) {
			observe(api.Progress{Attempt: 1})
			time.Sleep(time.Minute)
			observe(api.Progress{Attempt: 2})
			time.Sleep(300 * time.Millisecond)
			observe(api.Progress{Attempt: 2, Received: 10})
			time.Sleep(time.Second)
			observe(api.Progress{Attempt: 2, Received: 100})
			return answerTo(r), api.Exchange{Total: 1300 * time.Millisecond}, nil
		}
		turn := w.send(t, service.Prompt{Text: "x", Models: []string{"oss-20b", "sim-image"}})
		for i, want := range []time.Duration{300 * time.Millisecond, 0} {
			if got := w.stored(t, turn.ID).Answers[i].FirstToken; got != want {
				t.Errorf("%s: stored %v, want %v", turn.Answers[i].Model, got, want)
			}
		}
	})
}

func TestSendRefusesBeforeAnythingIsStored(t *testing.T) {
	ok := service.Prompt{Text: "x", Models: []string{"oss-20b"}}
	with := func(change func(*service.Prompt)) service.Prompt { p := ok; change(&p); return p }
	tests := []struct {
		name string
		p    service.Prompt
		code api.Code
	}{
		{"no text", with(func(p *service.Prompt) { p.Text = " \n" }), api.CodeUsage},
		{"no model", with(func(p *service.Prompt) { p.Models = nil }), api.CodeUsage},
		{
			"unknown model",
			with(func(p *service.Prompt) { p.Models = []string{"oss-20b", "nope"} }),
			api.CodeUnknownModel,
		},
		{"too many samples", with(func(p *service.Prompt) { p.Samples = 101 }), api.CodeUsage},
		{"negative samples", with(func(p *service.Prompt) { p.Samples = -1 }), api.CodeUsage},
		{"aspect", with(func(p *service.Prompt) { p.Aspect = "wide" }), api.CodeUsage},
		{"aspect of nothing", with(func(p *service.Prompt) { p.Aspect = "0:1" }), api.CodeUsage},
		{"nonce without value", with(func(p *service.Prompt) { p.Nonce = history.Nonce{Mode: history.NonceFixed} }),
			api.CodeUsage},
		{"nonce mode", with(func(p *service.Prompt) { p.Nonce = history.Nonce{Mode: "seed"} }), api.CodeUsage},
		{
			"edit without source",
			with(func(p *service.Prompt) { p.Models = []string{"oss-20b", "imageedit"} }),
			api.CodeUsage,
		},
		{"edit with an empty source",
			with(func(p *service.Prompt) { p.Models = []string{"imageedit"}; p.Source = &history.Source{} }),
			api.CodeUsage},
		{"edit of a file that is not there",
			with(func(p *service.Prompt) {
				p.Models = []string{"imageedit"}
				p.Source = &history.Source{Path: "/nowhere/x.png"}
			}), api.CodeUsage},
		{"edit of a folder",
			with(func(p *service.Prompt) { p.Models = []string{"imageedit"}; p.Source = &history.Source{Path: "/"} }),
			api.CodeUsage},
		{"edit of another scheme",
			with(func(p *service.Prompt) {
				p.Models = []string{"imageedit"}
				p.Source = &history.Source{URL: "file:///etc/passwd"}
			}), api.CodeUsage},
		{"edit of a URL with a password", with(func(p *service.Prompt) {
			p.Models = []string{"imageedit"}
			p.Source = &history.Source{URL: "https://me:secret@h.example/x.png"}
		}), api.CodeUsage},
		{"edit of an answer that is not there",
			with(func(p *service.Prompt) {
				p.Models = []string{"imageedit"}
				p.Source = &history.Source{Answer: 99}
			}), api.CodeUsage},
		{"a session that is not there", with(func(p *service.Prompt) { p.Session = 99 }), api.CodeUsage},
	}
	w := newWorld(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, events, err := w.Send(t.Context(), tt.p)
			wantCode(t, err, tt.code)
			if events != nil {
				t.Error("there are events")
			}
		})
	}
	if hits, total, err := w.Sessions(t.Context(), "", 10); err != nil || total != 0 {
		t.Errorf("stored %+v, %v", hits, err)
	}
	if n := len(w.client.requests()); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

func TestSendRecordsBeforeItAsks(t *testing.T) {
	w := newWorld(t)
	w.client.do = func(ctx context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		other, err := sqlite.Open(ctx, w.path, sqlite.Options{})
		if err != nil {
			return api.Response{}, api.Exchange{}, err
		}
		defer other.Close()
		hits, err := other.Prompts(ctx, history.Query{Limit: 5})
		if err != nil || len(hits) != 1 || hits[0].Prompt != r.Prompt {
			t.Errorf("while asking, the store has %+v (%v)", hits, err)
		}
		return answerTo(r), api.Exchange{}, nil
	}
	if turn := w.send(t,
		service.Prompt{Text: "first of all", Models: []string{"delta"}}); turn.Answers[0].State != history.Done {
		t.Errorf("got %+v", turn.Answers[0])
	}
}

// sleep waits unless the context ends first.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return &api.Error{Code: api.CodeCancelled, Message: "cancelled while the answer was on its way",
			Err: context.Cause(ctx)}
	}
}

func TestConcurrencyIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory, func(o *service.Options) { o.Limits.Concurrency = 4 })
		var now, most atomic.Int32
		w.client.do = func(ctx context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange,
			error) {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			return answerTo(r), api.Exchange{}, sleep(ctx, time.Second)
		}
		begun := time.Now()
		turn := w.send(t, service.Prompt{Text: "x", Models: textModels()})
		if took := time.Since(begun); took != 4*time.Second || most.Load() != 4 {
			t.Errorf("15 answers took %s with %d side by side, want 4 s with 4", took, most.Load())
		}
		var order []string
		for _, r := range w.client.requests() {
			order = append(order, r.Model.Slug)
		}
		// The order within a wave is arbitrary; that of the waves is not.
		for wave := 0; wave < 15; wave += 4 {
			got, want := slices.Sorted(slices.Values(order[wave:min(wave+4,
				15)])), slices.Sorted(slices.Values(textModels()[wave:min(wave+4, 15)]))
			if !slices.Equal(got, want) {
				t.Errorf("wave from %d asked %v, want %v", wave, got, want)
			}
		}
		last, _, err := w.Exchange(t.Context(), turn.Answers[14].ID)
		if err != nil || last.QueueWait != 3*time.Second {
			t.Errorf("the last one waited %s (%v), want 3 s", last.QueueWait, err)
		}
	})
}

func TestOneTroubleDoesNotHoldUpOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory, func(o *service.Options) { o.Limits.Concurrency = 15 })
		w.client.do = func(ctx context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange,
			error) {
			switch r.Model.Slug {
			case "delta":
				panic("a fault with " + sentinel)
			case "zeta":
				return api.Response{}, api.Exchange{}, sleep(ctx, 100*time.Hour)
			case "phi-2":
				return api.Response{}, api.Exchange{Status: 502},
					&api.Error{Code: api.CodeService, Status: 502,
						Message: "the service failed with 502 and " + sentinel}
			case "oss-20b":
				return api.Response{}, api.Exchange{}, errors.New("raw: read tcp 1.2.3.4: " + sentinel)
			case "gamma-4.7":
				return api.Response{Text: strings.Repeat("x", 8<<20), Status: 200}, api.Exchange{}, nil
			}
			return answerTo(r), api.Exchange{}, sleep(ctx, time.Second)
		}
		turn, events := w.begin(t, service.Prompt{Text: "x", Models: textModels()})
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		got := map[string]history.State{}
		now, err := w.Turn(t.Context(), turn.ID)
		must(t, err)
		for _, a := range now.Answers {
			got[a.Model] = a.State
		}
		for _, m := range textModels() {
			want := history.Done
			switch m {
			case "delta", "phi-2", "oss-20b":
				want = history.Failed
			case "zeta":
				want = history.Running
			}
			if got[m] != want {
				t.Errorf("after a second %s is %s, want %s", m, got[m], want)
			}
		}
		w.Stop(turn.Answers[slices.Index(textModels(), "zeta")].ID)
		turn = follow(turn, events)
		all := states(turn)
		for model, want := range map[string]string{"delta": "failed service", "phi-2": "failed service",
			"oss-20b": "failed service", "zeta": "cancelled"} {
			if all[model] != want {
				t.Errorf("%s ended %s, want %s", model, all[model], want)
			}
		}
		for _, a := range turn.Answers {
			if a.Failure != nil &&
				(strings.Contains(a.Failure.Message, sentinel) || strings.Contains(a.Failure.Message, "tcp")) {
				t.Errorf("%s says %q", a.Model, a.Failure.Message)
			}
			if a.Model == "phi-2" && a.HTTPStatus != 502 {
				t.Errorf("status %d, want 502", a.HTTPStatus)
			}
		}
	})
}

func TestConnectFailureFailsTheAnswersAndIsTriedAgain(t *testing.T) {
	tries := 0
	var w *world
	w = newWorld(t, func(o *service.Options) {
		o.Backend.Connect = func(context.Context) (service.Connection, error) {
			if tries++; tries == 1 {
				return service.Connection{}, &api.Error{
					Code:    api.CodeConfig,
					Message: "the base URL is not one, set another",
				}
			}
			return service.Connection{Client: w.client}, nil
		}
	})
	turn := w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}})
	if got := states(turn); got["delta"] != "failed config" {
		t.Errorf("got %v", got)
	}
	if got := states(w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}})); got["delta"] != "done" {
		t.Errorf("got %v", got)
	}
}

func TestClockThatGoesBack(t *testing.T) {
	clock := time.Now()
	w := newWorld(t, func(o *service.Options) {
		o.Now = func() time.Time { clock = clock.Add(-24 * time.Hour); return clock }
	})
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		return answerTo(r), api.Exchange{}, nil
	}
	for range 3 {
		turn := w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}, SessionName: "one"})
		if a := turn.Answers[0]; a.State != history.Done || a.Elapsed < 0 || a.Elapsed > time.Hour {
			t.Errorf("got %s after %s", a.State, a.Elapsed)
		}
	}
	last, err := w.LastSession(t.Context())
	must(t, err)
	turns, err := w.Turns(t.Context(), last.ID, history.Page{})
	if err != nil || len(turns) != 3 ||
		!slices.IsSortedFunc(turns, func(a, b history.Turn) int { return int(a.ID - b.ID) }) {
		t.Errorf("got %d turns, %v", len(turns), err)
	}
}

func TestFactsOfTheResponseAreKept(t *testing.T) {
	w := newWorld(t)
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		return api.Response{Text: "x", ServedModel: "delta-2026-03", Status: 200, IsCached: true, IsMasked: true,
				SHA256: "ab", Engine: "local", EngineModel: "d:7b", Note: "It was cut."},
			api.Exchange{
				Status:      200,
				Total:       time.Minute,
				RequestBody: strings.Repeat("b", 2*service.MaxRequestBody),
			}, nil
	}
	turn := w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}})
	for _, a := range []history.Answer{turn.Answers[0], w.stored(t, turn.ID).Answers[0]} {
		if a.ServedModel != "delta-2026-03" || !a.IsCached || !a.IsMasked || a.SHA256 != "ab" ||
			a.HTTPStatus != 200 || a.Elapsed != time.Minute || a.Engine != "local" || a.EngineModel != "d:7b" ||
			a.ServiceNote != "It was cut." || a.AnsweredBy() != "served as delta-2026-03, by local as d:7b" {
			t.Errorf("got %+v", a)
		}
	}
	e, _, err := w.Exchange(t.Context(), turn.Answers[0].ID)
	if err != nil || len(e.RequestBody) > service.MaxRequestBody+100 ||
		!strings.HasSuffix(string(e.RequestBody), "bytes in all)") {
		t.Errorf("kept %d bytes of the request, %v", len(e.RequestBody), err)
	}
}
