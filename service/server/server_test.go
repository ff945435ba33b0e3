package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/fetch"
	"confab/service/api"
	"confab/service/engine"
	"confab/service/server"
)

const key = "sk-sentinel-0123456789"

// fake is an engine of functions.
type fake struct {
	text  func(context.Context, engine.TextRequest) (engine.Text, error)
	image func(context.Context, engine.ImageRequest) (engine.Picture, error)
	edit  func(context.Context, engine.EditRequest) (engine.Picture, error)

	features engine.Features
}

func (f fake) Name() string                    { return "fake" }
func (f fake) Features(string) engine.Features { return f.features }
func (f fake) Text(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
	return f.text(ctx, r)
}
func (f fake) Image(ctx context.Context, r engine.ImageRequest) (engine.Picture, error) {
	return f.image(ctx, r)
}
func (f fake) Edit(ctx context.Context, r engine.EditRequest) (engine.Picture, error) {
	return f.edit(ctx, r)
}

func echo() fake {
	return fake{
		text: func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
			return engine.Text{Text: fmt.Sprintf("%s|%s|%s", r.Model, r.Prompt, r.System)}, nil
		},
		image: func(_ context.Context, r engine.ImageRequest) (engine.Picture, error) {
			return engine.Picture{Bytes: []byte("\x89PNG\r\n\x1a\n" + r.Model + r.Prompt + r.Aspect + r.Nonce),
				ContentType: "image/png"}, nil
		},
		edit: func(_ context.Context, r engine.EditRequest) (engine.Picture, error) {
			return engine.Picture{Bytes: r.Source, ContentType: "image/png"}, nil
		},
	}
}

// withKey has a server that says nothing of keys accept the one of the tests.
func withKey(o server.Options) server.Options {
	if a := o.Access; len(a.Keys) == 0 && a.Clients == nil && !a.IsOwnerOnly {
		o.Access.Keys = []string{key}
	}
	return o
}

func noDial(t *testing.T) func(context.Context, string, string) (net.Conn, error) {
	return func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("a connection to %s was opened", address)
		return nil, net.ErrClosed
	}
}

func handler(t *testing.T, o server.Options) http.Handler {
	t.Helper()
	if o.Engine == nil {
		o.Engine = echo()
	}
	s, err := server.New(withKey(o))
	must(t, err)
	return s.Handler()
}

// post sends a body as JSON and returns the answer.
func post(h http.Handler, path, body string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func body(fields map[string]any) string {
	all := map[string]any{"apikey": key}
	for k, v := range fields {
		all[k] = v
	}
	b, _ := json.Marshal(all)
	return string(b)
}

func TestTextIsAnsweredAsTheContractSays(t *testing.T) {
	h := handler(t, server.Options{})
	for _, c := range []struct{ name, path, body, want string }{
		{"with a system prompt", "/api/llm/oss-20b", body(map[string]any{"prompt": "p", "systemprompt": "s"}),
			"oss-20b|p|s"},
		{"without one", "/api/llm/oss-20b", body(map[string]any{"prompt": "p"}), "oss-20b|p|"},
		{"null is none", "/api/llm/oss-20b", body(map[string]any{"prompt": "p", "systemprompt": nil}), "oss-20b|p|"},
		{"paraphrase takes none", "/api/llm/paraphrase", body(map[string]any{"prompt": "p", "systemprompt": "s"}),
			"paraphrase|p|"},
		{"unknown fields are ignored", "/api/llm/oss-20b", body(map[string]any{"prompt": "p", "temperature": 3}),
			"oss-20b|p|"},
		{"names are exact", "/api/llm/oss-20b", body(map[string]any{"prompt": "p", "systemPrompt": "s"}), "oss-20b|p|"},
		{"an escaped path", "/api/llm/oss%2D20b", body(map[string]any{"prompt": "<&>"}), "oss-20b|<&>|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := post(h, c.path, c.body)
			want := fmt.Sprintf(`{"status":200,"data":{"text":%q,"model":%q}}`, c.want, first(c.want, "|"))
			if w.Code != 200 || strings.TrimSpace(w.Body.String()) != want {
				t.Errorf("got %d %s, want 200 %s", w.Code, w.Body, want)
			}
			if got := w.Header().Get("Content-Type"); got != "application/json" {
				t.Errorf("Content-Type %q", got)
			}
			if got := w.Header().Get("Content-Length"); got != fmt.Sprint(w.Body.Len()) {
				t.Errorf("Content-Length %q, want %d", got, w.Body.Len())
			}
		})
	}
}

func first(s, sep string) string { a, _, _ := strings.Cut(s, sep); return a }

func TestRefusals(t *testing.T) {
	h := handler(t, server.Options{Access: server.Access{Keys: []string{key, "another-key-of-16"}},
		Fetch: fetch.Options{Dial: noDial(t)}})
	ok := body(map[string]any{"prompt": "p"})
	with := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	method := func(m string) func(*http.Request) { return func(r *http.Request) { r.Method = m } }
	for _, c := range []struct {
		name, path, body string
		change           func(*http.Request)
		status           int
		code             string
	}{
		{"get", "/api/llm/delta", ok, method("GET"), 405, "bad_request"},
		{"put a picture", "/api/generative/sim-image", ok, method("PUT"), 405, "bad_request"},
		{"head", "/api/llm/delta", ok, method("HEAD"), 405, "bad_request"},
		{"no content type", "/api/llm/delta", ok, func(r *http.Request) { r.Header.Del("Content-Type") }, 415,
			"bad_request"},
		{"form", "/api/llm/delta", ok, with("Content-Type", "application/x-www-form-urlencoded"), 415, "bad_request"},
		{"text/plain, as a foreign web page could send", "/api/llm/delta", ok, with("Content-Type", "text/plain"), 415,
			"bad_request"},
		{"compressed", "/api/llm/delta", ok, with("Content-Encoding", "gzip"), 415, "bad_request"},
		{"too large", "/api/llm/delta", body(map[string]any{"prompt": strings.Repeat("x", 4<<20)}), nil, 413,
			"too_large"},
		{"too large, length unknown", "/api/llm/delta", body(map[string]any{"prompt": strings.Repeat("x", 4<<20)}),
			func(r *http.Request) { r.ContentLength = -1 }, 413, "too_large"},
		{"empty body", "/api/llm/delta", "", nil, 400, "bad_request"},
		{"not JSON", "/api/llm/delta", "prompt=p", nil, 400, "bad_request"},
		{"an array", "/api/llm/delta", `["apikey"]`, nil, 400, "bad_request"},
		{"null", "/api/llm/delta", `null`, nil, 400, "bad_request"},
		{"two objects", "/api/llm/delta", ok + ok, nil, 400, "bad_request"},
		{"no apikey", "/api/llm/delta", `{"prompt":"p"}`, nil, 400, "bad_request"},
		{"empty apikey", "/api/llm/delta", `{"apikey":"","prompt":"p"}`, nil, 400, "bad_request"},
		{"numeric apikey", "/api/llm/delta", `{"apikey":7,"prompt":"p"}`, nil, 400, "bad_request"},
		{"wrong apikey", "/api/llm/delta", `{"apikey":"wrong-key-wrong","prompt":"p"}`, nil, 401, "unauthorized"},
		{"no prompt", "/api/llm/delta", body(nil), nil, 400, "bad_request"},
		{"null prompt", "/api/llm/delta", body(map[string]any{"prompt": nil}), nil, 400, "bad_request"},
		{"blank prompt", "/api/llm/delta", body(map[string]any{"prompt": " \n"}), nil, 400, "bad_request"},
		{"prompt of another type", "/api/llm/delta", body(map[string]any{"prompt": []string{"p"}}), nil, 400,
			"bad_request"},
		{"systemprompt of another type", "/api/llm/delta", body(map[string]any{"prompt": "p", "systemprompt": true}),
			nil,
			400, "bad_request"},
		{"unknown model", "/api/llm/gpt-9", ok, nil, 404, "unknown_model"},
		{"no model", "/api/llm/", ok, nil, 404, "unknown_model"},
		{"model with a tail", "/api/llm/delta/x", ok, nil, 404, "unknown_model"},
		{"text model as picture", "/api/generative/delta", ok, nil, 404, "unknown_model"},
		{"picture model as text", "/api/llm/sim-image", ok, nil, 404, "unknown_model"},
		{"nowhere", "/api/v1/delta", ok, nil, 404, "bad_request"},
		{"root", "/", ok, nil, 404, "bad_request"},
		{"bad ratio", "/api/generative/sim-image", body(map[string]any{"prompt": "p", "aspect_ratio": "wide"}), nil,
			400,
			"bad_request"},
		{"ratio beyond 4:1", "/api/generative/sim-image", body(map[string]any{"prompt": "p", "aspect_ratio": "9:2"}),
			nil,
			400, "bad_request"},
		{"ratio of zero", "/api/generative/sim-image", body(map[string]any{"prompt": "p", "aspect_ratio": "0:1"}), nil,
			400,
			"bad_request"},
		{"ratio of another type", "/api/generative/sim-image", body(map[string]any{"prompt": "p", "aspect_ratio": 1.5}),
			nil,
			400, "bad_request"},
		{"nonce of another type", "/api/generative/sim-image", body(map[string]any{"prompt": "p", "nonce": 1}), nil,
			400,
			"bad_request"},
		{"no source", "/api/generative/imageedit", ok, nil, 400, "bad_request"},
		{"empty source", "/api/generative/imageedit", body(map[string]any{"prompt": "p", "imageUrl": ""}), nil, 400,
			"bad_request"},
		{"source under another name", "/api/generative/imageedit",
			body(map[string]any{"prompt": "p", "imageurl": "http://example.org/"}), nil, 400, "bad_request"},
		{"source out of reach", "/api/generative/imageedit",
			body(map[string]any{"prompt": "p", "imageUrl": "http://127.0.0.1/x.png"}), nil, 422, "image_unreachable"},
		{"no such picture", "/pictures/guess", "", method("GET"), 404, "bad_request"},
	} {
		t.Run(c.name, func(t *testing.T) {
			change := c.change
			if change == nil {
				change = func(*http.Request) {}
			}
			w := post(h, c.path, c.body, change)
			var got api.ErrorBody
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatalf("the body %q is no JSON: %v", w.Body, err)
			}
			if w.Code != c.status || got.Status != c.status || got.Error.Code != c.code || got.Error.Message == "" {
				t.Errorf("got %d %+v, want %d %s with a sentence", w.Code, got, c.status, c.code)
			}
			if strings.Contains(w.Body.String(), key) {
				t.Errorf("the refusal %s holds the key", w.Body)
			}
			if c.status == 405 && w.Header().Get("Allow") == "" {
				t.Error("405 without Allow")
			}
			if w.Header().Get("X-Request-Id") == "" {
				t.Error("no X-Request-Id")
			}
		})
	}
	if w := post(h, "/api/llm/delta", `{"apikey":"another-key-of-16","prompt":"p"}`); w.Code != 200 {
		t.Errorf("the second key got %d", w.Code)
	}
}

func TestErrorsOfTheEngine(t *testing.T) {
	for _, c := range []struct {
		name   string
		err    error
		status int
		code   string
	}{
		{"a refusal", &engine.Error{Status: 422, Code: "bad_request", Message: "No."}, 422, "bad_request"},
		{"wrapped", fmt.Errorf("step: %w", &engine.Error{Status: 429, Code: "rate_limited", Message: "Later."}), 429,
			"rate_limited"},
		{"an odd status", &engine.Error{Status: 200, Message: "Hm."}, 500, "service"},
		{"anything else", errors.New("secret detail"), 500, "service"},
		{"too slow", context.DeadlineExceeded, 504, "timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := echo()
			f.text = func(context.Context, engine.TextRequest) (engine.Text, error) { return engine.Text{}, c.err }
			w := post(handler(t, server.Options{Engine: f}), "/api/llm/delta", body(map[string]any{"prompt": "p"}))
			var got api.ErrorBody
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != c.status ||
				got.Error.Code != c.code {
				t.Errorf("got %d %s, want %d %s", w.Code, w.Body, c.status, c.code)
			}
			if strings.Contains(w.Body.String(), "secret detail") {
				t.Errorf("%s tells what is inside", w.Body)
			}
		})
	}
}

func TestPicturesAreReusedByNonce(t *testing.T) {
	var drawn atomic.Int64
	f := echo()
	plain := f.image
	f.image = func(ctx context.Context, r engine.ImageRequest) (engine.Picture, error) {
		drawn.Add(1)
		return plain(ctx, r)
	}
	h := handler(t, server.Options{Engine: f})
	ask := func(model, prompt, aspect, nonce string) *httptest.ResponseRecorder {
		fields := map[string]any{"prompt": prompt}
		if aspect != "" {
			fields["aspect_ratio"] = aspect
		}
		if nonce != "" {
			fields["nonce"] = nonce
		}
		return post(h, "/api/generative/"+model, body(fields))
	}
	for i, c := range []struct {
		model, prompt, aspect, nonce string
		cached                       bool
	}{
		{"sim-image", "p", "", "", false}, {"sim-image", "p", "", "", true}, {"sim-image", "p", "1:1", "", true},
		{"sim-image", "p", "16:9", "", false}, {"sim-image", "p", "", "n", false}, {"sim-image", "p", "", "n", true},
		{"diffusion-xl", "p", "", "", false}, {"sim-image", "q", "", "", false},
	} {
		w := ask(c.model, c.prompt, c.aspect, c.nonce)
		if got := w.Header().Get(api.HeaderCache) == "HIT"; w.Code != 200 || got != c.cached {
			t.Errorf("request %d %+v: got %d, reused %v", i, c, w.Code, got)
		}
		if w.Header().Get("Content-Type") != "image/png" ||
			w.Header().Get("Content-Length") != fmt.Sprint(w.Body.Len()) {
			t.Errorf("request %d: header %v", i, w.Header())
		}
	}
	if drawn.Load() != 5 {
		t.Errorf("%d pictures were drawn, want 5", drawn.Load())
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	var drawn atomic.Int64
	f := echo()
	f.image = func(context.Context, engine.ImageRequest) (engine.Picture, error) {
		drawn.Add(1)
		return engine.Picture{Bytes: make([]byte, 400), ContentType: "image/png"}, nil
	}
	h := handler(t, server.Options{Engine: f, Limits: limitsWith(func(l *server.Limits) { l.Cache = 1000 })})
	for _, nonce := range []string{"a", "b", "a", "c", "a", "b"} { // b is let go of for c
		post(h, "/api/generative/sim-image", body(map[string]any{"prompt": "p", "nonce": nonce}))
	}
	if drawn.Load() != 4 {
		t.Errorf("%d pictures were drawn, want 4: a, b, c, b", drawn.Load())
	}
}

func TestEqualRequestsShareOneDrawing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var drawn atomic.Int64
		f := echo()
		f.image = func(ctx context.Context, r engine.ImageRequest) (engine.Picture, error) {
			drawn.Add(1)
			time.Sleep(time.Second) // virtual
			return engine.Picture{Bytes: []byte("picture"), ContentType: "image/png"}, ctx.Err()
		}
		h := handler(t, server.Options{Engine: f})
		var all sync.WaitGroup
		leave, cancel := context.WithCancel(t.Context())
		for i := range 5 {
			all.Go(func() {
				w := post(h, "/api/generative/sim-image", body(map[string]any{"prompt": "p"}), func(r *http.Request) {
					if i == 0 {
						*r = *r.WithContext(leave)
					}
				})
				if i > 0 && (w.Code != 200 || w.Body.String() != "picture") {
					t.Errorf("request %d got %d %q", i, w.Code, w.Body)
				}
			})
		}
		time.AfterFunc(500*time.Millisecond, cancel) // one that leaves must not stop the others
		all.Wait()
		if drawn.Load() != 1 {
			t.Errorf("%d pictures were drawn, want 1", drawn.Load())
		}
	})
}

func TestADrawingStopsWhenNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := make(chan struct{})
		f := echo()
		f.image = func(ctx context.Context, _ engine.ImageRequest) (engine.Picture, error) {
			<-ctx.Done()
			close(stopped)
			return engine.Picture{}, ctx.Err()
		}
		h := handler(t, server.Options{Engine: f})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		post(h, "/api/generative/sim-image", body(map[string]any{"prompt": "p"}),
			func(r *http.Request) { *r = *r.WithContext(ctx) })
		<-stopped // or the bubble reports a deadlock
	})
}

func TestTooMuchAtOnceIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		f := echo()
		f.text = func(context.Context, engine.TextRequest) (engine.Text, error) {
			<-release
			return engine.Text{Text: "done"}, nil
		}
		limits := limitsWith(func(l *server.Limits) { l.Texts, l.Waiting = 2, 1 })
		h := handler(t, server.Options{Engine: f, Limits: limits})
		codes := make(chan int, 8)
		for range 5 {
			go func() { codes <- post(h, "/api/llm/delta", body(map[string]any{"prompt": "p"})).Code }()
		}
		synctest.Wait()
		close(release)
		count := map[int]int{}
		for range 5 {
			count[<-codes]++
		}
		if count[200] != 3 || count[429] != 2 {
			t.Errorf("the statuses were %v, want three of 200 and two of 429", count)
		}
	})
}

// buffer collects a log from several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestTheLogHasNoPromptAndNoKey(t *testing.T) {
	const prompt = "a very private question"
	var out buffer
	f := echo()
	f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
		switch r.Model {
		case "delta":
			panic("fault near " + r.Prompt + " and " + key)
		case "zeta":
			return engine.Text{}, errors.New("upstream said: " + r.Prompt + " key " + key)
		case "oss-120b":
			return engine.Text{}, &engine.Error{Status: 502, Code: "service", Message: "The engine failed.",
				Err: errors.New("cannot tokenize " + r.Prompt), Detail: r.Prompt}
		}
		return engine.Text{Text: "fine"}, nil
	}
	h := handler(t,
		server.Options{Engine: f,
			Log:   slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})),
			Fetch: fetch.Options{Dial: noDial(t)}})
	for _, path := range []string{"/api/llm/oss-20b", "/api/llm/delta", "/api/llm/zeta", "/api/llm/oss-120b",
		"/api/llm/" + key, "/" + key + "?" + key, "/api/generative/imageedit", "/pictures/" + key} {
		post(h, path,
			body(map[string]any{"prompt": prompt, "systemprompt": prompt, "imageUrl": "http://10.0.0.1/" + key}),
			func(r *http.Request) { r.Header.Set("X-Request-Id", "id\n"+key) })
	}
	log := out.String()
	if strings.Contains(log, prompt) || strings.Contains(log, key) {
		t.Errorf("the log tells too much:\n%s", log)
	}
	for _, want := range []string{"status=200", "status=500", "status=404", "status=422", "model=oss-20b",
		"Recovered from a panic", "elapsed_ms", `error="The engine failed."`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
	if n := strings.Count(log, "msg=Answered"); n != 8 {
		t.Errorf("the log has %d lines of access, want 8", n)
	}
}

func TestAPanicEndsOnlyItsRequest(t *testing.T) {
	f := echo()
	f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
		if r.Prompt == "bang" {
			panic("bang")
		}
		return engine.Text{Text: "fine"}, nil
	}
	f.image = func(context.Context, engine.ImageRequest) (engine.Picture, error) { panic("bang") }
	h := handler(t, server.Options{Engine: f})
	for _, path := range []string{"/api/llm/delta", "/api/generative/sim-image"} {
		if w := post(h, path, body(map[string]any{"prompt": "bang"})); w.Code != 500 ||
			!strings.Contains(w.Body.String(), `"code":"service"`) {
			t.Errorf("%s: got %d %s", path, w.Code, w.Body)
		}
	}
	if w := post(h, "/api/llm/delta", body(map[string]any{"prompt": "p"})); w.Code != 200 {
		t.Errorf("afterwards got %d", w.Code)
	}
}

func TestRequestIDs(t *testing.T) {
	h := handler(t, server.Options{})
	for given, kept := range map[string]bool{"abc-123": true, "": false, "with blank": false,
		strings.Repeat("x", 65): false} {
		w := post(h, "/api/llm/delta", body(map[string]any{"prompt": "p"}),
			func(r *http.Request) { r.Header.Set("X-Request-Id", given) })
		if got := w.Header().Get("X-Request-Id"); got == "" || (got == given) != kept {
			t.Errorf("for %q got %q", given, got)
		}
	}
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
