// Package stub is a test server that imitates OpenAI's server and compatible ones: their bodies, streams and errors.
// The name of the model selects the behaviour, see [Server.Behave].
package stub

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// Key is the key that a guarded [Server] accepts.
const Key = "sk-stub-0123456789abcdef"

// Call is a received request.
type Call struct {
	Path   string
	Header http.Header
	Fields map[string]any // of a JSON body, or the texts of a form
	Source []byte         // of an edit
}

// Server is a server on loopback.
type Server struct {
	*httptest.Server
	IsGuarded bool     // refuses keys other than [Key], as OpenAI does
	Listed    []string // models that /models lists until [Server.List] is called

	mu        sync.Mutex
	bodies    map[string]string // by path
	calls     []Call
	replays   map[string]replay
	now, most int
	ended     chan string
}

// Start returns a [Server]; the caller closes it.
func Start() *Server {
	s := &Server{ended: make(chan string, 100), replays: map[string]replay{}, Listed: []string{"ok"}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Base returns the address including the version.
func (s *Server) Base() string { return s.URL + "/v1" }

// Calls returns the requests so far.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Last returns the last request but for lists of models.
func (s *Server) Last() Call {
	for _, call := range slices.Backward(s.Calls()) {
		if call.Path != "/v1/models" {
			return call
		}
	}
	return Call{}
}

// Most returns the maximum number of simultaneous requests.
func (s *Server) Most() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// Ended returns a channel of the models of requests whose client disconnected.
func (s *Server) Ended() <-chan string { return s.ended }

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.now--; s.mu.Unlock() }()
	call := Call{Path: r.URL.Path, Header: r.Header.Clone(), Fields: map[string]any{}}
	switch {
	case strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/"):
		_ = r.ParseMultipartForm(64 << 20) // an invalid form has no fields
		if r.MultipartForm != nil {
			for k, v := range r.MultipartForm.Value {
				call.Fields[k] = v[0]
			}
			for _, files := range r.MultipartForm.File {
				if f, err := files[0].Open(); err == nil {
					call.Source, _ = io.ReadAll(f)
				}
			}
		}
	case r.Method == http.MethodPost:
		_ = json.NewDecoder(r.Body).Decode(&call.Fields) // checked by its fields
	}
	s.mu.Lock()
	body, isFixed := s.bodies[call.Path]
	if len(s.calls) < 10000 {
		s.calls = append(s.calls, call)
	}
	s.mu.Unlock()
	if s.IsGuarded && r.Header.Get("Authorization") != "Bearer "+Key {
		fail(w, 401,
			`{"error":{"message":"Incorrect API key provided: `+strings.TrimPrefix(r.Header.Get("Authorization"),
				"Bearer ")+`. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`)
		return
	}
	model, _ := call.Fields["model"].(string)
	switch {
	case isFixed:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body) // the client may have disconnected
		return
	case call.Path == "/v1/models":
		s.models(w)
		return
	}
	switch r.URL.Path {
	case "/v1/chat/completions", "/v1/images/generations", "/v1/images/edits":
		s.Behave(w, r, model, call)
	default:
		fail(w, 404, "404 page not found") // as from Ollama
	}
}

// Behave answers as the name of the model demands: the names below like failing real servers, all others normally.
func (s *Server) Behave(w http.ResponseWriter, r *http.Request, model string, call Call) {
	if rest, ok := strings.CutPrefix(model, "slow-"); ok { // slow-200ms
		d, _ := time.ParseDuration(rest)
		if !s.wait(r.Context(), model, d) {
			return
		}
	}
	if s.replay(w, r, model) {
		return
	}
	if body, ok := fixedResponses()[model]; ok {
		w.Header().Set("Content-Type", body.kind)
		w.WriteHeader(body.status)
		_, _ = io.WriteString(w, body.body) // the client may have disconnected
		return
	}
	switch {
	case model == "hang":
		s.wait(r.Context(), model, time.Hour)
	case model == "rate-limit-7":
		w.Header().Set("Retry-After", "7")
		fail(w, 429,
			`{"error":{"message":"Rate limit reached for gpt-4o in organization org-x on requests per min (RPM): Limit 3, Used 3, Requested 1.","type":"requests","param":null,"code":"rate_limit_exceeded"}}`)
	case model == "rate-limit-ms":
		w.Header().Set("Retry-After-Ms", "1500")
		fail(w, 429, `{"error":{"message":"slow down","type":"requests"}}`)
	case model == "redirect":
		w.Header().Set("Location", "https://example.com/v1/chat/completions")
		w.WriteHeader(307)
	case model == "cut-off":
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"id":"x","choices":[{"message":{"content":"ha`)
	case model == "close":
		panic(http.ErrAbortHandler)
	case model == "huge":
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"`)
		for range 100 {
			if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
				return
			}
		}
		_, _ = io.WriteString(w, `"}}]}`)
	case strings.HasPrefix(call.Path, "/v1/images/"):
		s.picture(w, model, call)
	case call.Fields["stream_options"] != nil && refusalsOfOptions()[model] != "":
		fail(w, 400, refusalsOfOptions()[model])
	case model == "no-stream-options-busy":
		fail(w, 429, `{"error":{"message":"slow down"}}`)
	case call.Fields["stream"] == true && model != "whole-only":
		s.stream(w, r, model, call)
	default:
		chat(w, model, call)
	}
}

// wait delays the request by d; it returns false if the client disconnected.
func (s *Server) wait(ctx context.Context, model string, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		select {
		case s.ended <- model:
		default: // nobody receives
		}
		return false
	}
}

// Reply returns the stub's text for a request: the model, the prompt, the system prompt, then the earlier messages
// and the number of pictures, if any.
func Reply(call Call) string {
	system, prompt, earlier, pictures := "", "", "", 0
	messages, _ := call.Fields["messages"].([]any)
	for i, m := range messages {
		one, _ := m.(map[string]any)
		text, _ := one["content"].(string)
		parts, _ := one["content"].([]any)
		for _, p := range parts {
			part, _ := p.(map[string]any)
			if said, ok := part["text"].(string); ok {
				text = said
			} else {
				pictures++
			}
		}
		switch {
		case one["role"] == "system":
			system = text
		case i == len(messages)-1:
			prompt = text
		default:
			earlier += fmt.Sprintf("|%v: %s", one["role"], text)
		}
	}
	if pictures > 0 {
		earlier += fmt.Sprintf("|%d pictures", pictures)
	}
	return fmt.Sprintf("%v|%s|%s%s", call.Fields["model"], prompt, system, earlier)
}

// chat sends a whole answer in the form of OpenAI's API.
func chat(w http.ResponseWriter, model string, call Call) {
	content, finish := any(Reply(call)), "stop"
	message := map[string]any{"role": "assistant", "refusal": nil, "annotations": []any{}}
	switch model {
	case "length":
		finish = "length"
	case "null-content":
		content = nil
	case "parts":
		content = []any{map[string]any{"type": "text", "text": "one "}, map[string]any{"type": "text", "text": "two"}}
	case "think":
		content = "<think>\nA tide, then.\n</think>\n\nIt rises."
	case "reasoning":
		message["reasoning"] = "A tide, then."
	case "refusal":
		content, message["refusal"] = nil, "I cannot help with that."
	}
	message["content"] = content
	answer(w, map[string]any{
		"id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", "object": "chat.completion", "created": 1741569952,
		"model": model +
			"-2026-01-01",
		"choices": []any{map[string]any{"index": 0, "message": message, "logprobs": nil, "finish_reason": finish}},
		"usage": map[string]any{"prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29,
			"prompt_tokens_details":     map[string]any{"cached_tokens": 0},
			"completion_tokens_details": map[string]any{"reasoning_tokens": 4}},
		"service_tier": "default", "system_fingerprint": nil,
	})
}

// picture sends a PNG of the requested size as base64 or as an address.
func (s *Server) picture(w http.ResponseWriter, model string, call Call) {
	size, _ := call.Fields["size"].(string)
	var width, height int
	if _, err := fmt.Sscanf(size, "%dx%d", &width, &height); err != nil || width*height > 1<<24 {
		width, height = 1024, 1024
	}
	h := fnv.New32a()
	_, _ = fmt.Fprint(h, call.Fields, len(call.Source))
	b64 := base64.StdEncoding.EncodeToString(Picture(width/8, height/8, h.Sum32()))
	one := map[string]any{"b64_json": b64}
	switch model {
	case "picture-url":
		one = map[string]any{"url": s.URL + "/v1/elsewhere"}
	case "picture-url-foreign":
		one = map[string]any{"url": "http://127.0.0.1:1/secret"}
	case "picture-webp":
		one = map[string]any{"b64_json": base64.StdEncoding.EncodeToString([]byte("RIFF\x10\x00\x00\x00WEBPVP8 "))}
	case "picture-broken":
		one = map[string]any{"b64_json": "@@@"}
	case "picture-none":
		answer(w, map[string]any{"created": 1, "data": []any{}})
		return
	case "picture-data-url":
		one = map[string]any{"b64_json": "data:image/png;base64," + b64}
	}
	answer(w, map[string]any{"created": 1713833628, "data": []any{one}, "usage": map[string]any{"total_tokens": 100}})
}

// Picture returns a PNG that depends on a number.
func Picture(w, h int, n uint32) []byte {
	img := image.NewPaletted(image.Rect(0, 0, max(w, 1), max(h, 1)), color.Palette{
		color.RGBA{uint8(n), uint8(n >> 8), uint8(n >> 16), 255}, color.White,
	})
	img.SetColorIndex(0, 0, 1)
	var b bytes.Buffer
	_ = png.Encode(&b, img) // into memory
	return b.Bytes()
}

func answer(w http.ResponseWriter, v any) {
	b, _ := json.Marshal(v) // maps of plain values
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b)
}

func fail(w http.ResponseWriter, status int, body string) {
	kind := "application/json"
	if !strings.HasPrefix(body, "{") {
		kind = "text/plain"
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}
