package openai_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"confab/internal/chat"
	"confab/service/engine"
	"confab/service/engine/enginetest"
)

// finished is a regular end of a stream.
const finished = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"

// collect requests a text and collects the parts.
func collect(
	ctx context.Context, e engine.Engine, r engine.TextRequest,
) (parts []engine.Part, got engine.Text, err error) {
	r.Emit = func(p engine.Part) { parts = append(parts, p) }
	got, err = e.Text(ctx, r)
	return parts, got, err
}

// join joins parts.
func join(parts []engine.Part) (whole engine.Part) {
	for _, p := range parts {
		whole.Text += p.Text
		whole.Reasoning += p.Reasoning
	}
	return whole
}

// TestStreamsOfServers replays streams of real servers: unchanged, with the line ends of Windows, in packets that
// split lines and characters, and in one packet.
func TestStreamsOfServers(t *testing.T) {
	s := start(t)
	o := options(s)
	o.Streams = true
	for name, want := range map[string]struct {
		text, reasoning, model string
		usage                  chat.Usage
		finish                 chat.FinishReason
		parts                  int
	}{
		"openai": {"The moon pulls the sea — twice a day.", "", "gpt-5-mini-2025-08-07", chat.Usage{InputTokens: 14,
			OutputTokens: 139, ReasoningTokens: 128}, chat.FinishStop, 3},
		"ollama": {"Ebbe & Flut: ≈ 12 h", "The user asks about tides.", "qwen3:8b",
			chat.Usage{InputTokens: 17, OutputTokens: 21}, chat.FinishStop, 4},
		"llamacpp": {"It rises.", "We need one line.", "gpt-oss-20b-mxfp4.gguf",
			chat.Usage{InputTokens: 17, OutputTokens: 12}, chat.FinishLength, 5},
		"vllm": {"\n\nThe moon does.", "Moon first.", "Qwen/Qwen3-8B", chat.Usage{InputTokens: 15, OutputTokens: 8},
			chat.FinishStop, 4},
		"lmstudio": {"The moon, </think> aside.", "Why tides? 1 < 2.\n", "deepseek-r1-distill-qwen-7b", chat.Usage{},
			chat.FinishStop, 4},
		"openrouter": {"Gravity 🌊.", "Gravity.", "deepseek/deepseek-r1", chat.Usage{InputTokens: 11, OutputTokens: 42,
			ReasoningTokens: 37, Cost: 9.12e-05}, chat.FinishStop, 4},
	} {
		stream, err := os.ReadFile(filepath.Join("testdata", "streams", name+".sse"))
		must(t, err)
		s.Replay(name, stream, 0)
		s.Replay(name+", CRLF", bytes.ReplaceAll(stream, []byte("\n"), []byte("\r\n")), 300)
		s.Replay(name+", cut", stream, 7)
		for _, model := range []string{name, name + ", CRLF", name + ", cut"} {
			parts, got, err := collect(t.Context(), newChat(t, o), engine.TextRequest{Model: model, Prompt: "p"})
			if err != nil {
				t.Errorf("%s: %v", model, err)
				continue
			}
			whole := engine.Part{Text: want.text, Reasoning: want.reasoning}
			if got.Text != want.text || got.Reasoning != want.reasoning || join(parts) != whole ||
				len(parts) != want.parts {
				t.Errorf("%s: %q after %q, in parts %+v", model, got.Text, got.Reasoning, parts)
			}
			if got.Usage != want.usage || got.Finish != want.finish || got.Model != want.model {
				t.Errorf("%s: %+v, finish %q, model %q", model, got.Usage, got.Finish, got.Model)
			}
		}
	}
}

// TestABrokenStreamKeepsItsBeginning breaks streams: the answer fails, and the parts so far are kept.
func TestABrokenStreamKeepsItsBeginning(t *testing.T) {
	s := start(t)
	o := options(s)
	o.Streams = true
	for model, said := range map[string]string{
		"stream-cut": "broke off", "stream-close": "broke off", "stream-error": "in the middle",
		"stream-error-text": "in the middle", "stream-error-event": "in the middle",
		"stream-error-choice": "in the middle",
	} {
		parts, got, err := collect(t.Context(), newChat(t, o), engine.TextRequest{Model: model, Prompt: "a b c"})
		var e *engine.Error
		if !errors.As(err, &e) || e.Status != 502 || e.IsEngineDown || !strings.Contains(e.Message, said) ||
			!reflect.DeepEqual(got, engine.Text{}) {
			t.Errorf("%s: %+v, %v", model, got, err)
		}
		if len(parts) != 1 || parts[0].Text != model+"|a " {
			t.Errorf("%s emitted %+v", model, parts)
		}
	}
	recorded, err := os.ReadFile(filepath.Join("testdata", "streams", "ollama-broken.sse")) // its runner was killed
	must(t, err)
	s.Replay("ollama-broken", recorded, 0)
	parts, got, err := collect(t.Context(), newChat(t, o), engine.TextRequest{Model: "ollama-broken", Prompt: "p"})
	if e := new(engine.Error); !errors.As(err, &e) || e.Status != 502 || !strings.Contains(e.Message, "broke off") ||
		join(parts).Text != "The also with" || !reflect.DeepEqual(got, engine.Text{}) {
		t.Errorf("Ollama whose runner was killed: %+v, %+v, %v", parts, got, err)
	}
	s.Replay("done at once", []byte("data: [DONE]\n\n"), 0)
	if _, err := newChat(t, o).Text(t.Context(), engine.TextRequest{Model: "done at once", Prompt: "p"}); err == nil ||
		!strings.Contains(err.Error(), "without an answer") {
		t.Errorf("a stream of nothing: %v", err)
	}
}

// TestCommentsDoNotKeepAStreamForEver lets a server send only comments: the route's time-out ends the answer.
func TestCommentsDoNotKeepAStreamForEver(t *testing.T) {
	s := start(t)
	o := options(s)
	o.Streams = true
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, _, err := collect(ctx, newChat(t, o), engine.TextRequest{Model: "stream-comments", Prompt: "a b c"})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestAStreamMayBeLargerThanItsText sends 20 MB of events for a small text, and then too much text.
func TestAStreamMayBeLargerThanItsText(t *testing.T) {
	s := start(t)
	o := options(s)
	o.Streams = true
	padded := []byte(`data: {"choices":[{"index":0,"delta":{"content":"ab"}}],"pad":"` + strings.Repeat("x", 20000) + `"}` +
		"\n\n")
	end := []byte(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n")
	s.Replay("padded", append(bytes.Repeat(padded, 1000), end...), 0)
	if got, err := newChat(t, o).Text(t.Context(), engine.TextRequest{Model: "padded", Prompt: "p"}); err != nil ||
		len(got.Text) != 2000 {
		t.Errorf("%d bytes of text, %v", len(got.Text), err)
	}
	large := []byte(`data: {"choices":[{"index":0,"delta":{"content":"` + strings.Repeat("x", 1<<20) + `"}}]}` + "\n\n")
	s.Replay("large", bytes.Repeat(large, 9), 0)
	if _, err := newChat(t, o).Text(t.Context(), engine.TextRequest{Model: "large", Prompt: "p"}); err == nil ||
		!strings.Contains(err.Error(), "more than is accepted") {
		t.Errorf("nine megabytes of text: %v", err)
	}
}

// TestServersWithoutStreams gets whole answers to requests for streams, and a refusal of token counts.
func TestServersWithoutStreams(t *testing.T) {
	s := start(t)
	o := options(s)
	o.Streams = true
	parts, got, err := collect(t.Context(), newChat(t, o), engine.TextRequest{Model: "whole-only", Prompt: "p"})
	if err != nil || got.Text != "whole-only|p|" || len(parts) != 1 || got.Usage.OutputTokens != 10 {
		t.Errorf("whole: %+v, %+v, %v", got, parts, err)
	}
	if n := len(s.Calls()); n != 1 {
		t.Errorf("%d calls", n)
	}
}

// TestStreamOptionsAreLeftOutWhereTheyAreNotKnown counts the requests of two calls: the refusal of stream_options is
// remembered, and no other refusal causes a retry.
func TestStreamOptionsAreLeftOutWhereTheyAreNotKnown(t *testing.T) {
	for model, want := range map[string]struct{ calls, status int }{
		"no-stream-options": {3, 0}, "no-stream-options-fastapi": {3, 0}, "no-stream-options-plain": {3, 0},
		"no-stream-options-busy": {3, 429}, // an answer without them is no reason to add them again
		"openai-400":             {2, 422}, "fastapi-422": {2, 422}, "fastapi-echo": {2, 422}, "vllm-context": {2, 422},
		"ok": {2, 0},
	} {
		s := start(t)
		o := options(s)
		o.Streams = true
		c := newChat(t, o)
		for range 2 {
			got, err := c.Text(t.Context(), engine.TextRequest{Model: model, Prompt: "p"})
			var refused *engine.Error
			if want.status == 0 && (err != nil || got.Text != model+"|p|" ||
				(got.Usage == chat.Usage{}) == (model == "ok")) {
				t.Errorf("%s: %+v, %v", model, got, err)
			}
			if want.status != 0 && (!errors.As(err, &refused) || refused.Status != want.status) {
				t.Errorf("%s: %+v, %v, want %d", model, got, err, want.status)
			}
		}
		if n := len(s.Calls()); n != want.calls {
			t.Errorf("%s: %d calls, want %d", model, n, want.calls)
		}
	}
}

// TestReasoningIsKeptApart reads reasoning from whole answers.
func TestReasoningIsKeptApart(t *testing.T) {
	s := start(t)
	for model, want := range map[string]engine.Part{
		"think":     {Text: "It rises.", Reasoning: "A tide, then.\n"},
		"reasoning": {Text: "reasoning|p|", Reasoning: "A tide, then."},
	} {
		parts, got, err := collect(t.Context(), newChat(t, options(s)), engine.TextRequest{Model: model, Prompt: "p"})
		if err != nil || got.Text != want.Text || got.Reasoning != want.Reasoning || join(parts) != want ||
			got.Usage.ReasoningTokens != 4 {
			t.Errorf("%s: %+v, %+v, %v", model, got, parts, err)
		}
	}
}

// TestTagsOfReasoning reads texts that begin like reasoning and are none, or do not end, split at every position.
func TestTagsOfReasoning(t *testing.T) {
	s := start(t)
	o := options(s)
	o.Streams = true
	for text, want := range map[string]engine.Part{
		"<thinker> is no tag":            {Text: "<thinker> is no tag"},
		"  a <think>b</think>":           {Text: "  a <think>b</think>"},
		"<th":                            {Text: "<th"},
		"<think>never ends </thi":        {Reasoning: "never ends </thi"},
		" <think></think> only":          {Text: "only"},
		"<think>a</t></think>b</think>c": {Text: "b</think>c", Reasoning: "a</t>"},
	} {
		for cut := range len(text) {
			var stream strings.Builder
			for _, part := range []string{text[:cut], text[cut:]} {
				stream.WriteString(`data: {"choices":[{"index":0,"delta":{"content":"` + part + `"}}]}` + "\n\n")
			}
			s.Replay("m", []byte(stream.String()+finished), 0)
			parts, got, err := collect(t.Context(), newChat(t, o), engine.TextRequest{Model: "m", Prompt: "p"})
			if err != nil || join(parts) != want || got.Text != want.Text || got.Reasoning != want.Reasoning {
				t.Errorf("%q cut at %d: %+v, %v", text, cut, parts, err)
			}
		}
	}
}

func TestMessagesParametersAndPicturesAreSent(t *testing.T) {
	s := start(t)
	o := options(s)
	o.Streams = true
	got, err := newChat(t, o).Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "And now?", System: "s",
		Messages: []chat.Message{{Role: chat.RoleUser, Content: "hello"}, {Role: chat.RoleAssistant,
			Content: "hi"}},
		Params: engine.Params{"max_tokens": 7, "stop": []any{"x"}, "seed": 3, "response_format": "json_object"},
		Images: [][]byte{enginetest.Source(t, 4, 4, false), enginetest.Source(t, 4, 4, true)}})
	if err != nil || got.Text != "m|And now?|s|user: hello|assistant: hi|2 pictures" {
		t.Errorf("got %q, %v", got.Text, err)
	}
	f := s.Last().Fields
	if f["max_tokens"] != 7.0 || f["seed"] != 3.0 || f["stream"] != true ||
		!reflect.DeepEqual(f["response_format"], map[string]any{"type": "json_object"}) ||
		!reflect.DeepEqual(f["stream_options"], map[string]any{"include_usage": true}) {
		t.Errorf("sent %v", f)
	}
	messages := f["messages"].([]any)
	parts := messages[len(messages)-1].(map[string]any)["content"].([]any)
	for i, kind := range []string{"data:image/png;base64,iVBOR", "data:image/jpeg;base64,/9j/"} {
		url := parts[i+1].(map[string]any)["image_url"].(map[string]any)["url"].(string)
		if !strings.HasPrefix(url, kind) {
			t.Errorf("picture %d is sent as %.40q", i, url)
		}
	}
}

func TestResponseFormats(t *testing.T) {
	s := start(t)
	e := newChat(t, options(s))
	schema := map[string]any{"type": "object", "required": []any{"a"}}
	for text, want := range map[any]any{
		"text": map[string]any{"type": "text"},
		`{"type":"object","required":["a"]}`: map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": "answer", "schema": schema}},
		`{"type":"json_schema","json_schema":{"name":"x"}}`: map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": "x"}},
	} {
		_, err := e.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p",
			Params: engine.Params{"response_format": text}})
		if f := s.Last().Fields; err != nil || !reflect.DeepEqual(f["response_format"], want) {
			t.Errorf("%s was sent as %v, %v", text, f["response_format"], err)
		}
	}
	before := len(s.Calls())
	for name, value := range map[string]any{"response_format": "yaml", "model": "other", "messages": []any{},
		"stream": true, "n": 2, "extra": map[string]any{"model": "other"}} {
		_, err := e.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p", Params: engine.Params{name: value}})
		var refused *engine.Error
		says := strings.Replace(name, "extra", "model", 1)
		if !errors.As(err, &refused) || refused.Status != 400 || !strings.Contains(refused.Message, says) {
			t.Errorf("%s = %v: %v", name, value, err)
		}
	}
	if len(s.Calls()) != before {
		t.Error("a request with a bad parameter was sent")
	}
}
