package server_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"confab/internal/chat"
	"confab/internal/testserver"
	"confab/service/api"
	"confab/service/engine"
	"confab/service/server"
)

func sumOf(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

// newNotingEngine is an engine with every feature that notes what it was asked.
func newNotingEngine(features engine.Features) (fake, *engine.TextRequest) {
	var got engine.TextRequest
	f := echo()
	f.features = features
	f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
		got = r
		return engine.Text{Text: "x"}, nil
	}
	return f, &got
}

var everything = engine.Features{Streams: true, TakesMessages: true, TakesParams: true, TakesImages: true,
	CountsTokens: true, ContextTokens: 8192}

func TestExtensionsReachTheEngine(t *testing.T) {
	f, got := newNotingEngine(everything)
	png, jpeg := testserver.PNG(3, 2), testserver.JPEG(3, 2)
	r := api.Request{Model: api.Model{Slug: "delta", Kind: api.Text}, Prompt: "p",
		Messages: []chat.Message{{Role: "user", Content: "a"}, {Role: "assistant", Content: ""}},
		Params:   map[string]any{"temperature": 0.5, "stop": []string{"x"}, "max_tokens": 7},
		Images:   [][]byte{png, jpeg}}
	b, err := r.Body(key)
	must(t, err)
	w := post(handler(t, server.Options{Engine: f}), "/api/llm/delta", string(b))
	if w.Code != 200 || w.Header().Get("X-Confab-Extensions") !=
		"stream, messages, params, images, usage, context=8192" {
		t.Fatalf("got %d %s %v", w.Code, w.Body, w.Header())
	}
	want := []chat.Message{{Role: chat.RoleUser, Content: "a"}, {Role: chat.RoleAssistant}}
	params := engine.Params{"temperature": json.Number("0.5"), "stop": []any{"x"}, "max_tokens": json.Number("7")}
	if !slices.Equal(got.Messages, want) || !reflect.DeepEqual(got.Params, params) || len(got.Images) != 2 ||
		string(got.Images[0]) != string(png) || string(got.Images[1]) != string(jpeg) || got.Emit != nil {
		t.Errorf("the engine got %+v", got)
	}
}

func TestExtensionsAreRefused(t *testing.T) {
	image := func(kind string, b []byte) string {
		return "data:image/" + kind + ";base64," + base64.StdEncoding.EncodeToString(b)
	}
	good := image("png", testserver.PNG(2, 2))
	many := slices.Repeat([]chat.Message{{Role: "user", Content: "x"}}, 1001)
	for _, tt := range []struct {
		name     string
		field    string
		value    any
		features engine.Features
		status   int
		code     string
		says     string
	}{
		{"messages that are none", "messages", "x", everything, 400, "bad_request", "must be a list"},
		{"another role", "messages", []any{map[string]any{"role": "system", "content": "x"}}, everything, 400,
			"bad_request", "user or assistant"},
		{"no content", "messages", []any{map[string]any{"role": "user"}}, everything, 400, "bad_request", "a content"},
		{"names in another case", "messages", []any{map[string]any{"Role": "user", "Content": "x"}}, everything, 400,
			"bad_request", "a role"},
		{"a message that is null", "messages", []any{nil}, everything, 400, "bad_request", "a role"},
		{"too many messages", "messages", many, everything, 400, "bad_request", "more than 1000"},
		{"an engine without messages", "messages", many[:1], engine.Features{}, 422, "bad_request",
			"The model delta takes no messages here"},
		{"params that are a list", "params", []any{1}, everything, 400, "bad_request", "must be an object"},
		{"another parameter", "params", map[string]any{"model": "gpt"}, everything, 400, "bad_request",
			`no parameter "model"`},
		{"a hot temperature", "params", map[string]any{"temperature": 2.5}, everything, 400, "bad_request",
			"from 0 to 2"},
		{"a text for a number", "params", map[string]any{"top_p": "1"}, everything, 400, "bad_request", "from 0 to 1"},
		{"no tokens", "params", map[string]any{"max_tokens": 0}, everything, 400, "bad_request", "from 1 to"},
		{"half a seed", "params", map[string]any{"seed": 0.5}, everything, 400, "bad_request", "whole number"},
		{"many ends", "params", map[string]any{"stop": []string{"1", "2", "3", "4", "5"}}, everything, 400,
			"bad_request", "at most four"},
		{"ends of numbers", "params", map[string]any{"stop": []int{1}}, everything, 400, "bad_request", "stop"},
		{"an effort of numbers", "params", map[string]any{"reasoning_effort": 3}, everything, 400, "bad_request",
			"none, minimal"},
		{"fields of the engine's request", "params", map[string]any{"extra": map[string]any{"n": 2}}, everything, 400,
			"bad_request", "extra must be a JSON object without"},
		{"fields that are for the owner", "params", map[string]any{"extra": map[string]any{"tools": 2}}, everything,
			422, "bad_request", "The parameter extra is not taken here"},
		{"an engine without parameters", "params", map[string]any{"seed": 1}, engine.Features{}, 422, "bad_request",
			"takes no params"},
		{"too many images", "images", slices.Repeat([]string{good}, 9), everything, 400, "bad_request", "more than 8"},
		{"an address", "images", []string{"https://x.example/1.png"}, everything, 400, "bad_request", "data URLs"},
		{"an image of another kind", "images", []string{strings.Replace(good, "png", "gif", 1)}, everything, 400,
			"bad_request", "data URLs"},
		{"an image that is a number", "images", []any{1}, everything, 400, "bad_request", "strings"},
		{"no base64", "images", []string{"data:image/png;base64,*"}, everything, 422, "bad_image", "not a whole"},
		{"half an image", "images", []string{image("png", testserver.PNG(9, 9)[:40])}, everything, 422, "bad_image",
			"not a whole"},
		{"a bomb", "images", []string{image("png", testserver.Bomb(50000, 50000))}, everything, 422, "too_large",
			"40 megapixels"},
		{"a giant", "images", []string{image("png", testserver.Giant(8000, 8000))}, everything, 422, "too_large",
			"40 megapixels"},
		{"an engine without images", "images", []string{good}, engine.Features{}, 422, "bad_request",
			"takes no images"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, got := newNotingEngine(tt.features)
			for _, change := range [][]any{nil, {true}} { // whole and as a stream
				w := post(handler(t, server.Options{Engine: f}), "/api/llm/delta",
					body(map[string]any{"prompt": "p", tt.field: tt.value}))
				if change != nil {
					w = post(handler(t, server.Options{Engine: f}), "/api/llm/delta",
						body(map[string]any{"prompt": "p", tt.field: tt.value}), asStream)
				}
				var e api.ErrorBody
				err := json.Unmarshal(w.Body.Bytes(), &e)
				if err != nil || w.Code != tt.status || e.Error.Code != tt.code ||
					!strings.Contains(e.Error.Message, tt.says) || got.Prompt != "" {
					t.Errorf("got %d %s, want %d %s %q", w.Code, w.Body, tt.status, tt.code, tt.says)
				}
			}
		})
	}
}

// TestAnEngineWithoutFeaturesIsThePlainService holds that nothing of the extensions is seen then.
func TestAnEngineWithoutFeaturesIsThePlainService(t *testing.T) {
	f, got := newNotingEngine(engine.Features{})
	w := post(handler(t, server.Options{Engine: f}), "/api/llm/delta",
		body(map[string]any{"prompt": "p", "messages": nil, "params": map[string]any{}, "images": []string{}}),
		asStream)
	if w.Code != 200 || strings.TrimSpace(w.Body.String()) != `{"status":200,"data":{"text":"x","model":"delta"}}` ||
		w.Header().Get("X-Confab-Extensions") != "" || got.Emit != nil {
		t.Errorf("got %d %s %v", w.Code, w.Body, w.Header())
	}
}

func TestThePicturesOfTheContractHaveNoExtensions(t *testing.T) {
	f := echo()
	f.features = everything
	w := post(handler(t, server.Options{Engine: f}), "/api/generative/sim-image", ask, asStream)
	if w.Code != 200 || w.Header().Get("X-Confab-Extensions") != "" || w.Header().Get("Content-Type") != "image/png" {
		t.Errorf("got %d %v", w.Code, w.Header())
	}
	missing := post(handler(t, server.Options{Engine: f}), "/api/llm/delta", body(nil))
	if missing.Code != 400 || missing.Header().Get("X-Confab-Extensions") == "" {
		t.Errorf("a refusal: got %d %v", missing.Code, missing.Header())
	}
}
