package openai_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/chat"
	"confab/internal/redact"
	"confab/service/engine"
	"confab/service/engine/enginetest"
	"confab/service/engine/openai"
	"confab/service/engine/openai/stub"
)

func start(t testing.TB) *stub.Server {
	t.Helper()
	s := stub.Start()
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func options(s *stub.Server) openai.Options {
	return openai.Options{Name: "local", URL: s.Base(),
		Key: func(context.Context) (string, error) { return stub.Key, nil }, Mask: redact.NewMasker(stub.Key).String}
}

func newChat(t testing.TB, o openai.Options) *openai.Chat {
	t.Helper()
	e, err := openai.New(o)
	must(t, err)
	return e
}

func images(t *testing.T, o openai.Options) *openai.Images {
	t.Helper()
	e, err := openai.NewImages(o)
	must(t, err)
	return e
}

func TestConformance(t *testing.T) {
	s := start(t)
	t.Run("chat", func(t *testing.T) {
		enginetest.Run(t, func(t *testing.T) engine.Engine { return newChat(t, options(s)) },
			enginetest.Traits{Text: []string{"slow-30ms", "one", "two"}, Repeats: true})
	})
	t.Run("chat, streamed", func(t *testing.T) {
		o := options(s)
		o.Streams = true
		enginetest.Run(t, func(t *testing.T) engine.Engine { return newChat(t, o) },
			enginetest.Traits{Text: []string{"slow-30ms", "one", "two"}, Repeats: true})
	})
	t.Run("images of any size", func(t *testing.T) {
		o := options(s)
		o.TakesSeed = true
		enginetest.Run(t, func(t *testing.T) engine.Engine { return images(t, o) },
			enginetest.Traits{Image: []string{"slow-30ms", "sd"}, Edit: []string{"slow-30ms", "sd"}, Repeats: true})
	})
	t.Run("images of a few sizes", func(t *testing.T) {
		enginetest.Run(t, func(t *testing.T) engine.Engine { return images(t, options(s)) },
			enginetest.Traits{Image: []string{"gpt-image-1", "dall-e-3"}, Edit: []string{"gpt-image-1"}})
	})
}

func TestWhatIsSent(t *testing.T) {
	s := start(t)
	o := options(s)
	got, err := newChat(t, o).Text(t.Context(),
		engine.TextRequest{Model: "qwen3:8b", Prompt: "p", System: "s",
			Params: engine.Params{"temperature": 0.5, "a.b": 1,
				"chat_template_kwargs": map[string]any{"enable_thinking": false}}})
	if err != nil || got.Text != "qwen3:8b|p|s" || got.Model != "qwen3:8b-2026-01-01" || got.Engine != "local" ||
		got.Note != "" {
		t.Fatalf("got %+v, %v", got, err)
	}
	c := s.Last()
	nested, _ := c.Fields["chat_template_kwargs"].(map[string]any)
	if c.Path != "/v1/chat/completions" || c.Fields["temperature"] != 0.5 || c.Fields["a.b"] != 1.0 ||
		nested["enable_thinking"] != false {
		t.Errorf("sent %s %v", c.Path, c.Fields)
	}
	if c.Header.Get("Authorization") != "Bearer "+stub.Key || c.Header.Get("User-Agent") != "confab" {
		t.Errorf("header %v", c.Header)
	}
	for name := range c.Header {
		if strings.HasPrefix(name, "X-Stainless") {
			t.Errorf("tells of this machine: %s", name)
		}
	}
	i := images(t, options(s))
	if _, err := i.Image(t.Context(),
		engine.ImageRequest{Model: "gpt-image-1", Prompt: "p", Aspect: "21:9", Nonce: "n"}); err != nil {
		t.Fatal(err)
	}
	if f := s.Last().Fields; f["size"] != "1536x1024" || f["response_format"] != nil || f["seed"] != nil ||
		f["n"] != 1.0 {
		t.Errorf("gpt-image-1 was sent %v", f)
	}
	o.TakesSeed = true
	p, err := images(t, o).Image(t.Context(),
		engine.ImageRequest{Model: "flux", Prompt: "p", Aspect: "16:9", Nonce: "n"})
	if f := s.Last().Fields; err != nil || f["size"] != "1368x768" || f["response_format"] != "b64_json" ||
		f["seed"] == nil || !strings.Contains(p.Note, "seed") {
		t.Errorf("flux was sent %v, note %q, %v", f, p.Note, err)
	}
	source := enginetest.Source(t, 20, 10, true)
	if _, err := i.Edit(t.Context(),
		engine.EditRequest{Model: "m", Prompt: "grey", Source: source,
			Params: engine.Params{"quality": "low"}}); err != nil {
		t.Fatal(err)
	}
	c = s.Last()
	if _, sized := c.Fields["size"]; c.Path != "/v1/images/edits" || string(c.Source) != string(source) || sized ||
		c.Fields["model"] != "m" || c.Fields["prompt"] != "grey" || c.Fields["quality"] != "low" {
		t.Errorf("an edit was sent %s %v, %d bytes", c.Path, c.Fields, len(c.Source))
	}
}

// TestWhatServersAnswer requests every kind of response, whole and streamed.
func TestWhatServersAnswer(t *testing.T) {
	s := start(t)
	for _, c := range []struct {
		model  string
		status int
		code   string
		said   string
		wait   time.Duration
	}{
		{"openai-quota", 429, "rate_limited", "quota", 0},
		{"rate-limit-7", 429, "rate_limited", "too much to do", 7 * time.Second},
		{"rate-limit-ms", 429, "rate_limited", "", 1500 * time.Millisecond},
		{"openai-500", 502, "service", "HTTP 500", 0},
		{"openai-400", 422, "bad_request", "'temperature' does not support 3", 0},
		{"ollama-missing", 502, "service", `does not know the model "ollama-missing"`, 0},
		{"vllm-missing", 502, "service", "does not know", 0},
		{"ollama-500", 502, "service", "HTTP 500", 0},
		{"llamacpp-loading", 503, "service", "not ready", 0},
		{"llamacpp-context", 422, "bad_request", "context size", 0},
		{"vllm-context", 422, "bad_request", "maximum context length is 4096", 0},
		{"fastapi-422", 422, "bad_request", "refuses the request: body: messages: Field required", 0},
		{"openai-param", 422, "bad_request", "refuses the parameter top_k: Unsupported parameter", 0},
		{"fastapi-param", 422, "bad_request", "refuses the parameter min_p: body: min_p: Extra inputs", 0},
		{"lmstudio-error", 422, "bad_request", "No models loaded", 0},
		{"lmstudio-200", 502, "service", "failed", 0},
		{"gateway-502", 502, "service", "HTTP 502", 0},
		{"gateway-504", 504, "timeout", "too long", 0},
		{"gateway-html", 502, "service", "cannot be understood", 0},
		{"gateway-402", 502, "service", "account", 0},
		{"gateway-403", 502, "service", "check its key", 0},
		{"gateway-413", 413, "too_large", "too large", 0},
		{"status-418", 502, "service", "HTTP 418", 0},
		{"no-choices", 502, "service", "without an answer", 0},
		{"not-completion", 502, "service", "without an answer", 0},
		{"array", 502, "service", "", 0},
		{"null", 502, "service", "", 0},
		{"bad-json", 502, "service", "", 0},
		{"empty", 502, "service", "", 0},
		{"no-content", 502, "service", "", 0},
		{"escapes", 422, "bad_request", "line two", 0},
		{"deep", 422, "bad_request", "refuses the request", 0},
		{"key-echo", 422, "bad_request", "may not use this model", 0},
		{"redirect", 502, "service", "307", 0},
		{"cut-off", 502, "service", "", 0},
		{"close", 502, "service", "broke off", 0},
		{"huge", 502, "service", "more than is accepted", 0},
		{"stream-error", 502, "service", "in the middle", 0},
		{"stream-error-text", 502, "service", "in the middle", 0},
		{"stream-cut", 502, "service", "broke off", 0},
		{"stream-close", 502, "service", "broke off", 0},
	} {
		for _, stream := range []bool{false, true} {
			if strings.HasPrefix(c.model, "stream-") != stream && strings.HasPrefix(c.model, "stream-") {
				continue
			}
			t.Run(fmt.Sprintf("%s, stream %v", c.model, stream), func(t *testing.T) {
				o := options(s)
				o.Streams = stream
				got, err := newChat(t, o).Text(t.Context(), engine.TextRequest{Model: c.model, Prompt: "a b c"})
				var e *engine.Error
				if !errors.As(err, &e) {
					t.Fatalf("got %+v, %v", got, err)
				}
				if e.Status != c.status || e.Code != c.code {
					t.Errorf("got %d %s %q, want %d %s", e.Status, e.Code, e.Message, c.status, c.code)
				}
				if !strings.Contains(e.Message, c.said) {
					t.Errorf("it says %q, want %q in it", e.Message, c.said)
				}
				if e.RetryAfter != c.wait {
					t.Errorf("wait %v", e.RetryAfter)
				}
				for _, text := range []string{e.Message, errors.Unwrap(wrappedError{e.Err}).Error()} {
					if strings.Contains(text, stub.Key) || strings.ContainsAny(text, "\x1b\x07\n") ||
						strings.Contains(text, "10.0.0.7") || strings.Contains(text, "\u202e") {
						t.Errorf("it tells too much: %q", text)
					}
				}
			})
		}
	}
}

// wrappedError wraps an error that may be nil.
type wrappedError struct{ err error }

func (w wrappedError) Error() string { return "" }
func (w wrappedError) Unwrap() error {
	if w.err == nil {
		return errors.New("")
	}
	return w.err
}

func TestAnswersThatAreOddButFine(t *testing.T) {
	s := start(t)
	for model, want := range map[string]struct {
		text, note string
		finish     chat.FinishReason
	}{
		"length":       {"length|p|", "", chat.FinishLength},
		"null-content": {"", "", chat.FinishStop},
		"parts":        {"one two", "", chat.FinishStop},
		"refusal":      {"I cannot help with that.", "", chat.FinishRefusal},
	} {
		got, err := newChat(t, options(s)).Text(t.Context(), engine.TextRequest{Model: model, Prompt: "p"})
		if err != nil || got.Text != want.text || got.Note != want.note || got.Finish != want.finish {
			t.Errorf("%s: %+v, %v", model, got, err)
		}
	}
}

func TestPicturesThatAreNone(t *testing.T) {
	s := start(t)
	for model, want := range map[string]string{
		"picture-url-foreign": "elsewhere", "picture-webp": "neither PNG nor JPEG",
		"picture-broken": "cannot be understood",
		"picture-none":   "without a picture", "picture-url": "does not give out the picture",
		"openai-content": "rejected by the safety system",
	} {
		_, err := images(t, options(s)).Image(t.Context(),
			engine.ImageRequest{Model: model, Prompt: "p", Aspect: "1:1"})
		var e *engine.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, want) {
			t.Errorf("%s: %v, want %q", model, err, want)
		}
	}
	if _, err := images(t, options(s)).Image(t.Context(),
		engine.ImageRequest{Model: "picture-data-url", Prompt: "p", Aspect: "1:1"}); err != nil {
		t.Error(err)
	}
}

func TestTheKey(t *testing.T) {
	s := start(t)
	s.IsGuarded = true
	o := options(s)
	if _, err := newChat(t, o).List(t.Context()); err != nil {
		t.Error(err)
	}
	const wrong = "sk-wrong-0123456789abcdef"
	o.Key = func(context.Context) (string, error) { return wrong, nil }
	o.Mask = redact.NewMasker(wrong).String
	_, err := newChat(t, o).Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"})
	var e *engine.Error
	if !errors.As(err, &e) || e.Status != 502 || e.Code != "service" ||
		strings.Contains(e.Message+e.Err.Error(), wrong) {
		t.Errorf("a wrong key: %v", err)
	}
	if _, err := newChat(t, o).List(t.Context()); err == nil || !strings.Contains(err.Error(), "check its key") {
		t.Errorf("a check with a wrong key: %v", err)
	}
	o.Key = func(context.Context) (string, error) { return "", errors.New("the command for the key failed") }
	if _, err := newChat(t, o).Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"}); !errors.As(err, &e) {
		t.Errorf("without a key: %v", err)
	}
}

func TestCancellingReachesTheServer(t *testing.T) {
	s := start(t)
	for _, model := range []string{"hang", "stream-hang"} {
		o := options(s)
		o.Streams = model == "stream-hang"
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		if _, err := newChat(t, o).Text(ctx, engine.TextRequest{Model: model, Prompt: "a b"}); !errors.Is(err,
			context.Canceled) {
			t.Errorf("%s: %v", model, err)
		}
		if got := <-s.Ended(); got != model {
			t.Errorf("the server saw %s end, want %s", got, model)
		}
	}
}

func TestNobodyThere(t *testing.T) {
	s := stub.Start()
	url := s.Base()
	s.Close()
	_, err := newChat(t, openai.Options{Name: "gone", URL: url}).Text(t.Context(),
		engine.TextRequest{Model: "m", Prompt: "p"})
	var e *engine.Error
	if !errors.As(err, &e) || !e.IsEngineDown ||
		e.Message != "The engine gone cannot be reached: nothing listens at its address." {
		t.Errorf("got %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for url, ok := range map[string]bool{
		"http://127.0.0.1:1/v1": true, "http://localhost/v1/": true, "https://api.example.com/v1": true,
		"http://[::1]:8000/v1": true,
		"http://10.0.0.1/v1":   false, "ftp://localhost": false, "": false, "http://user:pass@localhost/v1": false,
		"http://localhost/?a=b": false, "localhost:11434": false,
	} {
		if _, err := openai.New(openai.Options{Name: "x", URL: url}); (err == nil) != ok {
			t.Errorf("%q: %v", url, err)
		}
	}
	if _, err := openai.New(openai.Options{Name: "x", URL: "http://10.0.0.1/v1", AllowsPlainHTTP: true}); err != nil {
		t.Error(err)
	}
}

// TestWaiting waits for a silent server in virtual time.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newChat(t, openai.Options{Name: "x", URL: "http://127.0.0.1/v1", Transport: unreachable{}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		_, err := e.Text(ctx, engine.TextRequest{Model: "m", Prompt: "p"})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

type unreachable struct{}

func (unreachable) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}
