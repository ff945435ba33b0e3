package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"confab/service/engine"
	"confab/service/engine/openai"
)

// describe writes the models of a list in a line each.
func describe(t *testing.T, list engine.Lister) string {
	t.Helper()
	models, err := list.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, m := range models {
		lines = append(lines, fmt.Sprintf("%s %s %s %t %d %g %g", m.Name, m.Kind, m.Size, m.HasVision, m.ContextTokens,
			m.InputPrice, m.OutputPrice))
	}
	return strings.Join(lines, "\n")
}

func TestTheListIsChecked(t *testing.T) {
	s := start(t)
	s.List("b", "a", "a", "evil\x1b[31m", "")
	if got := describe(t, newChat(t, options(s))); got != "a text  false 0 0 0\nb text  false 0 0 0" {
		t.Errorf("got %s", got)
	}
	for body, hasList := range map[string]bool{`{"object":"list","data":null}`: true, `{}`: false, `[]`: false,
		`<html>`: false} {
		s.Serve("/v1/models", body)
		models, err := newChat(t, options(s)).List(t.Context())
		if err != nil || (models != nil) != hasList || len(models) > 0 {
			t.Errorf("%s: %v, %v", body, models, err)
		}
	}
}

// TestKindsByName tells embedding, speech and picture models from those that chat where a server only names them.
func TestKindsByName(t *testing.T) {
	s := start(t)
	s.List("llama3.2:3b", "nomic-embed-text:latest", "BAAI/bge-m3", "whisper-1", "tts-1-hd", "dall-e-3", "gpt-4o",
		"black-forest-labs/FLUX.1-dev", "qwen3-reranker", "omni-moderation-latest", "kokoro", "gpt-image-1",
		"text-embedding-3-small", "qwen/qwen3-vl-8b")
	models, err := newChat(t, options(s)).List(t.Context())
	want := "gpt-4o llama3.2:3b qwen/qwen3-vl-8b"
	if got := names(models); err != nil || got != want {
		t.Errorf("texts: %s, want %s, %v", got, want, err)
	}
	images, err := openai.NewImages(options(s))
	if err != nil {
		t.Fatal(err)
	}
	models, err = images.List(t.Context())
	want = "black-forest-labs/FLUX.1-dev dall-e-3 gpt-image-1"
	if got := names(models); err != nil || got != want {
		t.Errorf("pictures: %s, want %s, %v", got, want, err)
	}
}

func names(models []engine.Model) string {
	var all []string
	for _, m := range models {
		all = append(all, m.Name)
	}
	return strings.Join(all, " ")
}

// TestWhatServersTellOfModels reads the lists of servers, as they document them or as they were recorded.
func TestWhatServersTellOfModels(t *testing.T) {
	for _, tt := range []struct {
		server string
		bodies map[string]string
		want   string
	}{
		{"Ollama", map[string]string{
			"/v1/models": `{"object":"list","data":[
				{"id":"llava:latest","object":"model","created":2,"owned_by":"library"},
				{"id":"tiny:latest","object":"model","created":1,"owned_by":"library"}]}`,
			"/api/ps": `{"models":[{"name":"tiny:latest","model":"tiny:latest","context_length":4096}]}`,
			"/api/show": `{"capabilities":["completion","vision"],"details":{"parameter_size":"7.2B"},
				"parameters":"stop \"<|end|>\"\nnum_ctx                        8192","model_info":{"llama.context_length":131072}}`,
		}, "llava:latest text 7.2B true 8192 0 0\ntiny:latest text 7.2B true 4096 0 0"},
		{"Ollama with models of others", map[string]string{
			"/v1/models": `{"object":"list","data":[{"id":"hf.co/me/vecs:Q4","object":"model","owned_by":"me"},
				{"id":"me/vecs:latest","object":"model","owned_by":"me"}]}`,
			"/api/show": `{"capabilities":["embedding"]}`,
		}, ""},
		{"a gateway that lists Ollama's models", map[string]string{
			"/v1/models": `{"object":"list","data":[{"id":"ollama/llama3:8b","object":"model","owned_by":"openai"}]}`,
			"/api/show":  `{"capabilities":["embedding"]}`,
		}, "ollama/llama3:8b text  false 0 0 0"},
		{"Ollama with an embedding model", map[string]string{
			"/v1/models": `{"object":"list","data":[{"id":"mxbai:latest","owned_by":"library"}]}`,
			"/api/show":  `{"capabilities":["embedding"]}`,
		}, ""},
		{"llama.cpp", map[string]string{
			"/v1/models": `{"models":[{"name":"q.gguf","capabilities":["completion","multimodal"]}],"object":"list",
				"data":[{"id":"q.gguf","object":"model","owned_by":"llamacpp","meta":{"n_ctx_train":262144}}]}`,
			"/props": `{"default_generation_settings":{"n_ctx":16384},"modalities":{"vision":true,"audio":false}}`,
		}, "q.gguf text  true 16384 0 0"},
		{"vLLM", map[string]string{
			"/v1/models": `{"object":"list","data":[{"id":"Qwen/Qwen3-8B","owned_by":"vllm","max_model_len":40960}]}`,
		}, "Qwen/Qwen3-8B text  false 40960 0 0"},
		{"LM Studio", map[string]string{
			"/v1/models": `{"object":"list","data":[{"id":"gemma","owned_by":"organization_owner"},
				{"id":"nomic","owned_by":"organization_owner"},{"id":"vl","owned_by":"organization_owner"}]}`,
			"/api/v0/models": `{"object":"list","data":[{"id":"gemma","type":"llm","max_context_length":131072},
				{"id":"nomic","type":"embeddings"},{"id":"vl","type":"vlm","loaded_context_length":4096}]}`,
		}, "gemma text  false 0 0 0\nvl text  true 4096 0 0"},
		{"OpenRouter", map[string]string{
			"/v1/models": `{"data":[{"id":"openai/gpt-5","context_length":400000,
				"architecture":{"input_modalities":["text","image"],"output_modalities":["text"]},
				"pricing":{"prompt":"0.00000125","completion":"0.00001"},"top_provider":{"context_length":272000}},
				{"id":"free/one:free","context_length":8192,"pricing":{"prompt":"0","completion":"0"}},
				{"id":"google/paints","architecture":{"output_modalities":["image"]}},
				{"id":"openrouter/auto","pricing":{"prompt":"-1","completion":"-1"}}]}`,
		}, "free/one:free text  false 8192 0 0\nopenai/gpt-5 text  true 272000 1.25 10\n" +
			"openrouter/auto text  false 0 0 0"},
	} {
		t.Run(tt.server, func(t *testing.T) {
			s := start(t)
			for path, body := range tt.bodies {
				s.Serve(path, body)
			}
			if got := describe(t, newChat(t, options(s))); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
