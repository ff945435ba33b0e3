package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"confab/internal/chat"
	"confab/internal/fetch"
	"confab/service/api"
	"confab/service/engine"
	"confab/service/engine/enginetest"
	"confab/service/server"
)

var update = flag.Bool("update", false, "write docs/openapi/openapi.json")

// description is what the tests need of the OpenAPI document.
type description struct {
	Paths      map[string]item `json:"paths"`
	Components struct {
		Schemas map[string]json.RawMessage `json:"schemas"`
	} `json:"components"`
}

// item is what one path takes.
type item struct {
	Get  *operation `json:"get"`
	Post *operation `json:"post"`
}

func (i item) operations() []*operation {
	return slices.DeleteFunc([]*operation{i.Get, i.Post}, func(o *operation) bool { return o == nil })
}

type operation struct {
	Responses map[string]struct {
		Content map[string]struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"content"`
		Headers map[string]json.RawMessage `json:"headers"`
	} `json:"responses"`
}

// probe is a request with the described place that it is for.
type probe struct {
	path, template string
	status         int
	body           string
	change         func(*http.Request)
	o              server.Options
}

func probes(t *testing.T) []probe {
	t.Helper()
	okText, okPicture := body(map[string]any{"prompt": "p", "systemprompt": "s"}), body(map[string]any{"prompt": "p",
		"aspect_ratio": "16:9", "nonce": "n"})
	const llm, gen = "/api/llm/{slug}", "/api/generative/{slug}"
	method := func(m string) func(*http.Request) { return func(r *http.Request) { r.Method = m } }
	var all []probe
	add := func(template, path string, status int, body string, change func(*http.Request), o server.Options) {
		all = append(all, probe{path, template, status, body, change, o})
	}
	for _, c := range []struct{ template, path, ok string }{{llm, "/api/llm/delta", okText},
		{gen, "/api/generative/sim-image", okPicture}} {
		add(c.template, c.path, 200, c.ok, nil, server.Options{})
		add(c.template, c.path, 400, `{"apikey":"sk-sentinel-0123456789"}`, nil, server.Options{})
		add(c.template, c.path, 401, c.ok, nil,
			server.Options{Access: server.Access{Keys: []string{"another-key-of-16"}}})
		add(c.template, strings.Replace(c.path, "/delta", "/nobody", 1)+map[bool]string{true: "x"}[c.template == gen],
			404,
			c.ok, nil, server.Options{})
		add(c.template, c.path, 405, c.ok, method("GET"), server.Options{})
		add(c.template, c.path, 408, c.ok,
			func(r *http.Request) { r.Body = readCloser{iotest.ErrReader(errors.New("slow"))} }, server.Options{})
		add(c.template, c.path, 413, body(map[string]any{"prompt": strings.Repeat("x", 4<<20)}), nil, server.Options{})
		add(c.template, c.path, 415, c.ok, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
			server.Options{})
		if c.template == llm {
			add(c.template, c.path, 200, c.ok, asStream, server.Options{Engine: writer("One ", "two.")})
		}
		for _, status := range []int{422, 429, 500, 502, 503, 504} {
			err := error(&engine.Error{Status: status,
				Code: map[int]string{422: "bad_request", 429: "rate_limited",
					504: "timeout"}[status], Message: "m.", RetryAfter: 3 * time.Second})
			if status == 500 {
				err = errors.New("x")
			}
			f := echo()
			f.text = func(context.Context, engine.TextRequest) (engine.Text, error) { return engine.Text{}, err }
			f.image = func(context.Context, engine.ImageRequest) (engine.Picture, error) {
				return engine.Picture{}, err
			}
			add(c.template, c.path, status, c.ok, nil, server.Options{Engine: f})
		}
	}
	add(gen, "/api/generative/imageedit", 422, body(map[string]any{"prompt": "p", "imageUrl": "http://127.0.0.1/x"}),
		nil,
		server.Options{Fetch: fetch.Options{Dial: noDial(t)}})
	for _, path := range []string{"/healthz", "/readyz", "/openapi.json"} {
		add(path, path, 200, "", method("GET"), server.Options{})
		add(path, path, 405, "", nil, server.Options{})
	}
	add("/readyz", "/readyz", 503, "", method("GET"),
		server.Options{Ready: func() error { return errors.New("No engine is up.") }})
	for template, verb := range map[string]string{llm: "POST", gen: "POST", "/healthz": "GET", "/readyz": "GET",
		"/openapi.json": "GET"} {
		// httptest calls itself example.com
		add(template, strings.ReplaceAll(template, "{slug}", "delta"), 421, okText,
			method(verb),
			server.Options{Access: server.Access{IsOwnerOnly: true}})
	}
	return all
}

type readCloser struct {
	r interface{ Read([]byte) (int, error) }
}

func (r readCloser) Read(p []byte) (int, error) { return r.r.Read(p) }
func (r readCloser) Close() error               { return nil }

// TestTheDescriptionHolds sends a request for every described answer and
// checks each answer against the description, in both directions.
func TestTheDescriptionHolds(t *testing.T) {
	var doc description
	w := httptest.NewRecorder()
	handler(t, server.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	must(t, json.Unmarshal(w.Body.Bytes(), &doc))
	reached := map[string]bool{}
	for _, p := range probes(t) {
		name := fmt.Sprintf("%s %d", p.template, p.status)
		got := post(handler(t, p.o), p.path, p.body, func(r *http.Request) {
			if p.change != nil {
				p.change(r)
			}
		})
		if got.Code != p.status {
			t.Errorf("%s: got %d %s", name, got.Code, got.Body)
			continue
		}
		reached[name] = true
		for _, op := range doc.Paths[p.template].operations() {
			said, ok := op.Responses[fmt.Sprint(p.status)]
			if !ok {
				t.Errorf("%s is not described", name)
				continue
			}
			kind, _, err := mime.ParseMediaType(got.Header().Get("Content-Type"))
			content, ok := said.Content[kind]
			if err != nil || !ok {
				t.Errorf("%s answers %q, which is not described", name, kind)
			}
			if kind == "text/event-stream" {
				if err := validEvents(doc, got.Body.String()); err != nil {
					t.Errorf("%s: %s: %v", name, got.Body, err)
				}
			} else if len(content.Schema) > 0 {
				if err := valid(doc, content.Schema, got.Body.Bytes()); err != nil {
					t.Errorf("%s: %s: %v", name, got.Body, err)
				}
			}
			for header := range said.Headers {
				if strings.HasPrefix(header, "X-") && header != "X-Request-Id" {
					continue // only where there is something to tell
				}
				if got.Header().Get(header) == "" && (header != "Retry-After" || p.status == 429) {
					t.Errorf("%s has no header %s", name, header)
				}
			}
		}
	}
	for path, item := range doc.Paths {
		for _, op := range item.operations() {
			for status := range op.Responses {
				if name := path + " " + status; !reached[name] {
					t.Errorf("%s is described and never happens", name)
				}
			}
		}
	}
	for _, path := range []string{"/", "/api", "/api/llm", "/api/other/delta", "/v1/models", "/docs", "/healthz/",
		"/pictures"} {
		if got := post(handler(t, server.Options{}), path, "{}"); got.Code != 404 {
			t.Errorf("%s is not described and answers %d", path, got.Code)
		}
	}
}

// TestTheBodiesOfTheDescription checks that what is described as a request is
// what the handlers take.
func TestTheBodiesOfTheDescription(t *testing.T) {
	var doc description
	w := httptest.NewRecorder()
	f, _ := newNotingEngine(everything)
	h := handler(t, server.Options{Engine: f})
	with := func(more string) string { return `{"apikey":"sk-sentinel-0123456789","prompt":"p",` + more + `}` }
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	must(t, json.Unmarshal(w.Body.Bytes(), &doc))
	for _, c := range []struct{ schema, path, body string }{
		{"TextRequest", "/api/llm/delta", `{"apikey":"sk-sentinel-0123456789","prompt":"p"}`},
		{"TextRequest", "/api/llm/delta", `{"apikey":"sk-sentinel-0123456789","prompt":"p","systemprompt":null}`},
		{"TextRequest", "/api/llm/delta", `{"apikey":"sk-sentinel-0123456789","prompt":"p","systemprompt":7}`},
		{"TextRequest", "/api/llm/delta", `{"apikey":"sk-sentinel-0123456789"}`},
		{"TextRequest", "/api/llm/delta", `{"prompt":"p"}`},
		{"TextRequest", "/api/llm/delta", `{"apikey":"","prompt":"p"}`},
		{"TextRequest", "/api/llm/delta", `{"apikey":1,"prompt":"p"}`},
		{"TextRequest", "/api/llm/delta", `{"apikey":"sk-sentinel-0123456789","prompt":"p","more":1}`},
		{"TextRequest", "/api/llm/delta", with(`"messages":[{"role":"user","content":"a","more":1}]`)},
		{"TextRequest", "/api/llm/delta", with(`"messages":null,"params":null,"images":null`)},
		{"TextRequest", "/api/llm/delta", with(`"messages":{}`)},
		{"TextRequest", "/api/llm/delta", with(`"messages":[{"role":"system","content":"a"}]`)},
		{"TextRequest", "/api/llm/delta", with(`"messages":[{"role":"user"}]`)},
		{"TextRequest", "/api/llm/delta", with(`"params":{"temperature":2,"top_p":null,"stop":["a"],"seed":-3}`)},
		{"TextRequest", "/api/llm/delta", with(`"params":{"stop":"a","response_format":{"type":"text"}}`)},
		{"TextRequest", "/api/llm/delta", with(`"params":{"temperature":2.1}`)},
		{"TextRequest", "/api/llm/delta", with(`"params":{"max_tokens":0}`)},
		{"TextRequest", "/api/llm/delta", with(`"params":{"max_tokens":1.5}`)},
		{"TextRequest", "/api/llm/delta", with(`"params":{"stop":["1","2","3","4","5"]}`)},
		{"TextRequest", "/api/llm/delta", with(`"params":{"model":"x"}`)},
		{"TextRequest", "/api/llm/delta", with(`"images":["https://x.example/1.png"]`)},
		{"TextRequest", "/api/llm/delta", with(`"images":"x"`)},
		{"ImageRequest", "/api/generative/sim-image",
			`{"apikey":"sk-sentinel-0123456789","prompt":"p","aspect_ratio":"16:9","nonce":"n"}`},
		{"ImageRequest", "/api/generative/sim-image", `{"apikey":"sk-sentinel-0123456789","prompt":"p","nonce":1}`},
		{"EditRequest", "/api/generative/imageedit", `{"apikey":"sk-sentinel-0123456789","prompt":"p"}`},
		{"EditRequest", "/api/generative/imageedit", `{"apikey":"sk-sentinel-0123456789","prompt":"p","imageUrl":""}`},
	} {
		described := valid(doc, json.RawMessage(`{"$ref":"#/components/schemas/`+c.schema+`"}`), []byte(c.body)) == nil
		taken := post(h, c.path, c.body).Code == 200
		if described != taken {
			t.Errorf("%s: described as good: %v, taken: %v", c.body, described, taken)
		}
	}
}

// validEvents checks every event of a stream against its schema, and that there is one of every type but error.
func validEvents(doc description, stream string) error {
	seen := map[string]bool{}
	for _, one := range events(stream) {
		kind, data, _ := strings.Cut(one, " ")
		seen[kind] = true
		schema := map[string]string{"delta": "DeltaEvent", "reasoning": "DeltaEvent",
			"queue": "QueueEvent", "image": "ImageEvent", "usage": "UsageEvent",
			"done": "DoneEvent", "error": "Error"}[kind]
		if err := valid(doc, json.RawMessage(`{"$ref":"#/components/schemas/`+schema+`"}`), []byte(data)); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	if len(seen) != 4 {
		return fmt.Errorf("only %v", seen)
	}
	return nil
}

// TestTheDescriptionHoldsTheClient checks what the client of this program sends with extensions.
func TestTheDescriptionHoldsTheClient(t *testing.T) {
	var doc description
	w := httptest.NewRecorder()
	handler(t, server.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	must(t, json.Unmarshal(w.Body.Bytes(), &doc))
	r := api.Request{Model: api.Model{Slug: "delta", Kind: api.Text, TakesSystem: true}, Prompt: "p", System: "s",
		Messages: []chat.Message{{Role: "user", Content: "a"}, {Role: "assistant", Content: "b"}},
		Params: map[string]any{"temperature": 0.5, "top_p": 1, "stop": []string{"x"}, "max_tokens": 7, "seed": -1,
			"response_format": "json_object", "reasoning_effort": "low"},
		Images: [][]byte{enginetest.Source(t, 9, 9, false)}}
	b, err := r.Body(key)
	must(t, err)
	if err := valid(doc, json.RawMessage(`{"$ref":"#/components/schemas/TextRequest"}`), b); err != nil {
		t.Errorf("%s: %v", b, err)
	}
	f, _ := newNotingEngine(everything)
	if w := post(handler(t, server.Options{Engine: f}), "/api/llm/delta", string(b)); w.Code != 200 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

// valid checks a JSON text against a schema of the description.
func valid(doc description, schema json.RawMessage, text []byte) error {
	defs, err := json.Marshal(doc.Components.Schemas)
	if err != nil {
		return err
	}
	fix := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("#/components/schemas/"), []byte("#/$defs/")) }
	root := fmt.Sprintf(`{"$defs":%s,"allOf":[%s]}`, fix(defs), fix(schema))
	written, err := jsonschema.UnmarshalJSON(strings.NewReader(root))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema:description", written); err != nil {
		return err
	}
	compiled, err := compiler.Compile("schema:description")
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return compiled.Validate(v)
}

func TestTheDescriptionIsInTheDocuments(t *testing.T) {
	w := httptest.NewRecorder()
	handler(t, server.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	path := filepath.Join("..", "..", "docs", "openapi", "openapi.json")
	if *update {
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, w.Body.Bytes(), 0o644))
	}
	b, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(b, w.Body.Bytes()) {
		t.Errorf("docs/openapi/openapi.json is not what is served (%v); run go test ./service/server -run Documents "+
			"-update",
			err)
	}
}
