package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/chat"
	"confab/service/api"
	"confab/service/engine"
	"confab/service/server"
)

// writer is an engine that writes parts and returns the text with its usage.
func writer(parts ...string) fake {
	f := echo()
	f.features = engine.Features{Streams: true, CountsTokens: true}
	f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
		for _, part := range parts {
			if r.Emit != nil {
				r.Emit(engine.Part{Text: part})
			}
		}
		return engine.Text{Text: strings.Join(parts, ""), Finish: chat.FinishStop, Reasoning: "Hm.",
			Usage: chat.Usage{InputTokens: 3, OutputTokens: 5},
			Facts: engine.Facts{Engine: "local", Model: "qwen3:8b", Note: "A note."}}, nil
	}
	return f
}

func asStream(r *http.Request) { r.Header.Set("Accept", "text/event-stream, application/json") }

// events splits a stream into its events, as "type data"; comments are ":".
func events(body string) []string {
	var all []string
	for one := range strings.SplitSeq(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		if strings.HasPrefix(one, ":") {
			all = append(all, ":")
			continue
		}
		kind, data, _ := strings.Cut(one, "\n")
		all = append(all, strings.TrimPrefix(kind, "event: ")+" "+strings.TrimPrefix(data, "data: "))
	}
	return all
}

// textsOf returns the texts of one kind of event.
func textsOf(all []string, kind string) (text string) {
	for _, one := range all {
		if data, ok := strings.CutPrefix(one, kind+" "); ok {
			var e api.DeltaEvent
			_ = json.Unmarshal([]byte(data), &e)
			text += e.Text
		}
	}
	return text
}

var ask = body(map[string]any{"prompt": "p"})

func TestAnAnswerIsStreamed(t *testing.T) {
	w := post(handler(t, server.Options{Engine: writer("<One> ", "two.")}), "/api/llm/delta", ask, asStream)
	for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-store",
		"X-Accel-Buffering": "no", "X-Confab-Extensions": "stream, usage", "Content-Length": "",
		"Content-Encoding": ""} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	all := events(w.Body.String())
	if textsOf(all, "delta") != "<One> two." || textsOf(all, "reasoning") != "Hm." || !w.Flushed {
		t.Errorf("got %q", all)
	}
	want := []string{`usage {"input_tokens":3,"output_tokens":5}`, `done {"status":200,"data":{"model":"delta",` +
		`"length":10,"sha256":"` + sumOf("<One> two.") + `","finish":"stop","engine":"local",` +
		`"engine_model":"qwen3:8b","note":"A note."}}`}
	if last := all[len(all)-2:]; !slices.Equal(last, want) {
		t.Errorf("ends with %q, want %q", last, want)
	}
}

// Parts that come faster than they are to be written are written together, but for the first one, and none waits for
// an interval once the answer is whole.
func TestPartsAreGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := writer()
		f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
			for range 30 {
				r.Emit(engine.Part{Text: "token "})
				time.Sleep(10 * time.Millisecond)
			}
			return engine.Text{Text: strings.Repeat("token ", 30)}, nil
		}
		began := time.Now()
		w := post(handler(t, server.Options{Engine: f, PartInterval: 45 * time.Millisecond}), "/api/llm/delta", ask,
			asStream)
		if took := time.Since(began); took != 300*time.Millisecond {
			t.Errorf("it took %s", took)
		}
		all := events(w.Body.String())
		deltas := len(all) - 1
		if textsOf(all, "delta") != strings.Repeat("token ", 30) || deltas < 6 || deltas > 9 ||
			all[0] != `delta {"text":"token "}` {
			t.Errorf("got %d deltas: %q", deltas, all)
		}
	})
}

func TestWhoDoesNotAskForAStreamGetsNone(t *testing.T) {
	whole := `{"status":200,"data":{"text":"One two.","model":"delta"}}`
	more := `{"status":200,"data":{"text":"One two.","model":"delta","reasoning":"Hm.","finish":"stop",` +
		`"usage":{"input_tokens":3,"output_tokens":5}}}`
	streams, messages := writer("One ", "two."), writer("One ", "two.")
	messages.features = engine.Features{TakesMessages: true}
	for _, tt := range []struct {
		f            fake
		accept, body string
		want         string // "" is a stream
	}{
		{streams, "", ask, whole},
		{streams, "application/json", ask, whole},
		{streams, "*/*", ask, whole},
		{streams, "text/event-stream;q=0.0, application/json", ask, whole},
		{streams, "application/json;q=0.1, Text/Event-Stream; q=0.05", ask, ""},
		{messages, "text/event-stream, application/json", ask, more},
		{messages, "", body(map[string]any{"prompt": "p", "messages": []any{}}), whole},
		{messages, "", body(map[string]any{"prompt": "p",
			"messages": []chat.Message{{Role: "user", Content: "x"}}}), more},
	} {
		w := post(handler(t, server.Options{Engine: tt.f}), "/api/llm/delta", tt.body, func(r *http.Request) {
			if tt.accept != "" {
				r.Header.Set("Accept", tt.accept)
			}
		})
		isStream := w.Header().Get("Content-Type") == "text/event-stream"
		if w.Code != 200 || isStream != (tt.want == "") || !isStream && strings.TrimSpace(w.Body.String()) != tt.want {
			t.Errorf("%q, %s: got %d %s, want %s", tt.accept, tt.body, w.Code, w.Body, tt.want)
		}
	}
}

func TestErrorsOfAStream(t *testing.T) {
	fault := &engine.Error{Status: 503, Code: "service", Message: "It is not ready.", RetryAfter: 7 * time.Second}
	for _, tt := range []struct {
		name string
		text func(context.Context, engine.TextRequest) (engine.Text, error)
		code int
		last string
	}{
		{"before the first part", func(context.Context, engine.TextRequest) (engine.Text, error) {
			return engine.Text{}, fault
		}, 503, ""},
		{"after it", func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
			r.Emit(engine.Part{Text: "One "})
			return engine.Text{}, fault
		}, 200, `error {"status":503,"error":{"code":"service","message":"It is not ready."}}`},
		{"a panic after it", func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
			r.Emit(engine.Part{Text: "One "})
			panic("x")
		}, 200, `error {"status":500,"error":{"code":"service","message":"The service met an unexpected fault."}}`},
		{"another text than its parts", func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
			r.Emit(engine.Part{Text: "One "})
			return engine.Text{Text: "Two."}, nil
		}, 200, `error {"status":502,"error":{"code":"service","message":` +
			`"The engine's answer is not the one that it wrote in parts."}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := writer()
			f.text = tt.text
			w := post(handler(t, server.Options{Engine: f}), "/api/llm/delta", ask, asStream)
			if w.Code != tt.code || tt.code != 200 && (w.Header().Get("Retry-After") != "7" ||
				w.Header().Get("Content-Type") != "application/json") {
				t.Fatalf("got %d %s", w.Code, w.Body)
			}
			if all := events(w.Body.String()); tt.code == 200 &&
				!slices.Equal(all, []string{`delta {"text":"One "}`, tt.last}) {
				t.Errorf("got %q, want %s", all, tt.last)
			}
			if got := w.Header().Get("X-Confab-Extensions"); got != "stream, usage" {
				t.Errorf("extensions %q", got)
			}
		})
	}
}

// TestTextsAreExact holds that what is streamed is the text, however the engine cuts it.
func TestTextsAreExact(t *testing.T) {
	for name, parts := range map[string][]string{
		"nothing":              {},
		"cut characters":       {"a\xf0\x9f", "\x91", "\xa9\xc3", "\xa9"},
		"no UTF-8":             {"a\xff", "\xfe\xc3", "b"},
		"the end of none":      {"a\xf0\x9f"},
		"line ends and quotes": {"a\r\n\r\nb", "\n\n\u2028\"\\", "\x00"},
		"a large one":          {strings.Repeat("é\x01", 300_000)},
	} {
		t.Run(name, func(t *testing.T) {
			base, _ := start(t, server.Options{Engine: writer(parts...)})
			c, err := api.NewClient(api.Options{BaseURL: base, APIKey: key})
			must(t, err)
			r := api.Request{Model: api.Model{Slug: "delta", Kind: api.Text}, Prompt: "p", IsStreamed: true}
			response, _, err := c.Do(t.Context(), r, nil)
			if want := string([]rune(strings.Join(parts, ""))); err != nil || response.Text != want {
				t.Errorf("got %d bytes, %v, want %d", len(response.Text), err, len(want))
			}
			if response.Engine != "local" || response.EngineModel != "qwen3:8b" || response.Note != "A note" ||
				response.Finish != "stop" || response.Usage.OutputTokens != 5 || response.Reasoning != "Hm." ||
				response.ServedModel != "delta" {
				t.Errorf("got %+v", response)
			}
		})
	}
}

func TestAnEngineThatWritesNothingInParts(t *testing.T) {
	f := writer("One ", "two.")
	write := f.text
	f.text = func(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
		r.Emit = nil
		return write(ctx, r)
	}
	all := events(post(handler(t, server.Options{Engine: f}), "/api/llm/delta", ask, asStream).Body.String())
	if len(all) != 4 || all[0] != `reasoning {"text":"Hm."}` || all[1] != `delta {"text":"One two."}` {
		t.Errorf("got %q", all)
	}
}

func TestSilenceIsEndedByComments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := writer()
		f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
			time.Sleep(40 * time.Second)
			r.Emit(engine.Part{Text: "One."})
			time.Sleep(20 * time.Second)
			return engine.Text{Text: "One."}, nil
		}
		w := post(handler(t, server.Options{Engine: f}), "/api/llm/delta", ask, asStream)
		all := events(w.Body.String())
		if len(all) != 5 || !slices.Equal(all[:4], []string{":", ":", `delta {"text":"One."}`, ":"}) {
			t.Errorf("got %q", all)
		}
	})
}

// slowClient takes nothing of an answer until it is released, or the deadline of the write passes.
type slowClient struct {
	*httptest.ResponseRecorder
	release  chan struct{}
	deadline time.Time
	writes   int
}

func (c *slowClient) SetWriteDeadline(t time.Time) error { c.deadline = t; return nil }

func (c *slowClient) Write(b []byte) (int, error) {
	c.writes++
	select {
	case <-c.release:
		return c.ResponseRecorder.Write(b)
	case <-time.After(time.Until(c.deadline)):
		return 0, os.ErrDeadlineExceeded
	}
}

func requestOfStream() *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/api/llm/delta", strings.NewReader(ask))
	r.Header.Set("Content-Type", "application/json")
	asStream(r)
	return r
}

func TestPartsForASlowClientAreWrittenTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &slowClient{ResponseRecorder: httptest.NewRecorder(), release: make(chan struct{})}
		f := writer()
		f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
			for range 1000 {
				r.Emit(engine.Part{Text: "x"})
				synctest.Wait()
			}
			close(w.release)
			return engine.Text{Text: strings.Repeat("x", 1000)}, nil
		}
		handler(t, server.Options{Engine: f}).ServeHTTP(w, requestOfStream())
		if all := events(w.Body.String()); w.writes != 3 || textsOf(all, "delta") != strings.Repeat("x", 1000) {
			t.Errorf("%d writes, got %q", w.writes, all)
		}
	})
}

func TestAClientThatDoesNotReadEndsTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		w := &slowClient{ResponseRecorder: httptest.NewRecorder(), release: make(chan struct{})}
		f := writer()
		emitted := 0
		f.text = func(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
			for ctx.Err() == nil {
				r.Emit(engine.Part{Text: strings.Repeat("x", 100<<10)})
				emitted++
			}
			return engine.Text{}, ctx.Err()
		}
		begun := time.Now()
		handler(t, server.Options{Engine: f, Log: slog.New(slog.NewTextHandler(&log, nil))}).
			ServeHTTP(w, requestOfStream())
		if took := time.Since(begun); took != time.Minute || emitted > 30 || w.Body.Len() != 0 {
			t.Errorf("took %v, %d parts of 100 KiB, sent %d bytes", took, emitted, w.Body.Len())
		}
		if !strings.Contains(log.String(), "streamed=true") || !strings.Contains(log.String(), "code=timeout") {
			t.Errorf("logged %s", log.String())
		}
	})
}

func TestAClientThatLeavesEndsTheEnginesWork(t *testing.T) {
	ended := make(chan struct{})
	f := writer()
	f.text = func(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
		defer close(ended)
		r.Emit(engine.Part{Text: "One "})
		<-ctx.Done()
		return engine.Text{}, context.Cause(ctx)
	}
	base, _ := start(t, server.Options{Engine: f})
	c, err := api.NewClient(api.Options{BaseURL: base, APIKey: key})
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	r := api.Request{Model: api.Model{Slug: "delta", Kind: api.Text}, Prompt: "p", IsStreamed: true}
	response, _, err := c.Do(ctx, r, func(p api.Progress) {
		if p.Text != "" {
			cancel()
		}
	})
	if api.CodeOf(err) != api.CodeCancelled || response.Text != "One " || !response.Extensions.Streams {
		t.Errorf("got %+v, %v", response, err)
	}
	<-ended
}

func TestStreamsAreLogged(t *testing.T) {
	var log bytes.Buffer
	h := handler(t, server.Options{Engine: writer("One ", "two."), Log: slog.New(slog.NewTextHandler(&log, nil))})
	post(h, "/api/llm/delta", ask, asStream)
	post(h, "/api/llm/delta", ask)
	if strings.Count(log.String(), "streamed=true") != 1 || strings.Contains(log.String(), "left=true") ||
		strings.Count(log.String(), "first_part_ms=") != 1 ||
		strings.Count(log.String(), "engine=local") != 2 || strings.Count(log.String(), "output_tokens=5") != 2 {
		t.Errorf("logged %s", log.String())
	}
}
