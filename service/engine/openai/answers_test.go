package openai_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"confab/internal/chat"
	"confab/service/engine"
	"confab/service/engine/enginetest"
	"confab/service/engine/openai"
)

// event returns an event of a stream with a delta.
func event(delta string) string {
	return `data: {"choices":[{"index":0,"delta":` + delta + `}]}` + "\n\n"
}

const hello = `data: {"choices":[{"index":0,"delta":{"content":"Hello "}}]}` + "\n\n"

// answered returns what an engine makes of a server's body.
func answered(t testing.TB, body string) (parts []engine.Part, got engine.Text, err error) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(body))
	}))
	defer s.Close()
	e := newChat(t, openai.Options{Name: "local", URL: s.URL, Streams: true})
	return collect(t.Context(), e, engine.TextRequest{Model: "m", Prompt: "p"})
}

// TestErrorsInAnyDisguise lets servers report an error after a part of the answer in different forms.
func TestErrorsInAnyDisguise(t *testing.T) {
	for _, disguise := range []string{
		`error: {"code":500,"message":"boom"}`, `error: boom`, `error:{"error":{"message":"boom"}}`,
		`data: {"object":"error","message":"boom"}`, `data: {"detail":"boom"}`, `data: {"detail":[{"msg":"boom"}]}`,
		`data: {"code":40003,"message":"boom"}`, `data: {"error":"boom"}`, `data: {"error":{"message":"boom"}}`,
		`data: {"error":{"error":{"message":"boom"}}}`, `data: {"error":{"code":1,"msg":"boom"}}`,
		`data: {"type":"error","error":{"type":"overloaded_error","message":"boom"}}`,
		"event: error\ndata: {\"type\":\"x\",\"message\":\"boom\"}", "event: error\ndata: boom",
		`data: [{"error":{"code":503,"message":"boom","status":"UNAVAILABLE"}}]`,
		`data: {"error_code":18,"error_msg":"boom"}`, `data: {"success":false,"errors":[{"code":7,"message":"boom"}]}`,
		`data: {"choices":[],"error":{"message":"boom"}}`, `data: {"choices":null,"message":"boom"}`,
		`data: {"choices":[{"index":0,"delta":{"content":""},"error":{"message":"boom"},"finish_reason":"error"}]}`,
		`data: {"choices":[{"index":0,"delta":{}}],"error":{"message":"boom"}}`, `{"error":{"message":"boom"}}`,
		`data: {"error":{"message":"{\"error\":{\"message\":\"boom\"}}"}}`, `data: {"msg":"boom","code":"1261"}`,
	} {
		parts, got, err := answered(t, hello+disguise+"\n\ndata: [DONE]\n\n")
		var e *engine.Error
		if !errors.As(err, &e) || e.Status != 502 || e.Detail != "boom" ||
			join(parts).Text != "Hello " || got.Text != "" {
			t.Errorf("%s: %+v, %+v, %+v", disguise, parts, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "boom") || e != nil &&
			!strings.Contains(e.OwnerMessage(), ": boom.") {
			t.Errorf("%s: everybody reads %q, the owner %q", disguise, err, e.OwnerMessage())
		}
	}
}

// TestNoErrors lets servers send fields that resemble errors along with an answer.
func TestNoErrors(t *testing.T) {
	for _, odd := range []string{
		`"error":""`, `"error":{}`, `"error":null`, `"error":[]`, `"error":{"code":null,"message":""}`, `"message":"x"`,
		`"code":40003`, `"detail":"x"`, `"error":false`, `"prompt_filter_results":[{"error":{"code":"x"}}]`,
	} {
		_, got, err := answered(t, `data: {`+odd+`,"choices":[{"index":0,"delta":{"content":"Hello "}}]}`+"\n\n"+finished)
		if err != nil || got.Text != "Hello " {
			t.Errorf("%s: %+v, %v", odd, got, err)
		}
	}
	for _, odd := range []string{`data: {"type":"ping"}`, "event: ping\ndata: {}", `data: {"code":0,"message":"success"}`,
		`data: {"choices":[],"prompt_filter_results":[{"prompt_index":0}]}`, `data: null`, `data: 5`, `data: "x"`, `data: []`,
		`data: : PROCESSING`, `data: ping`, `: OPENROUTER PROCESSING`, `data:`, `id: 7`, `retry: 10`, `nonsense`, `data`} {
		_, got, err := answered(t, hello+odd+"\n\n"+finished)
		if err != nil || got.Text != "Hello " {
			t.Errorf("%s: %+v, %v", odd, got, err)
		}
	}
}

// TestEnds ends streams in every way.
func TestEnds(t *testing.T) {
	finish := func(reason string) string {
		return hello + `data: {"choices":[{"index":0,"delta":{},"finish_reason":` + reason + `}]}` + "\n\n"
	}
	for body, want := range map[string]struct {
		finish chat.FinishReason
		said   string
	}{
		hello + "data: [DONE]\n\n": {said: "broke off"}, hello: {said: "broke off"},
		hello + `data: {"choices":[{"index":0,"delta":{},"finish_reason":null}]}` + "\n\ndata: [DONE]\n\n": {
			said: "broke off"},
		finish(`""`) + "data: [DONE]\n\n": {said: "broke off"},
		hello + `data: {"choices":[{"ind`: {said: "broke off"}, "data: [DONE]\n\n": {said: "without an answer"},
		finish(`"stop"`): {finish: "stop"}, finish(`"stop"`) + "data: [DONE]": {finish: "stop"},
		finish(`"MAX_TOKENS"`): {finish: "length"}, finish(`"max_tokens"`): {finish: "length"},
		finish(`"model_length"`): {finish: "length"}, finish(`"SAFETY"`): {finish: "SAFETY"},
		finish(`"abort"`): {finish: "abort"}, finish(`"insufficient_system_resource"`): {
			finish: "insufficient_system_resource"}, finish(`"end_turn"`): {finish: "stop"},
		finish(`{}`) + "data: [DONE]\n\n": {}, finish(`5`): {}, finish(`"error"`): {said: "in the middle"},
		finish(`"content_filter"`): {finish: "filter"}, finish(`"tool_calls"`): {finish: "tool_calls"},
	} {
		parts, got, err := answered(t, body)
		var e *engine.Error
		switch {
		case want.said == "" && (err != nil || got.Text != "Hello " || got.Finish != want.finish):
			t.Errorf("%s: %+v, %v", body, got, err)
		case want.said != "" && (!errors.As(err, &e) || !strings.Contains(e.Message, want.said)):
			t.Errorf("%s: %+v, %v", body, got, err)
		case want.said != "" && strings.HasPrefix(body, hello) && join(parts).Text != "Hello ":
			t.Errorf("%s: the part is %+v", body, parts)
		}
	}
}

// TestAConnectionThatStaysOpen lets a server finish an answer and keep the connection open.
func TestAConnectionThatStaysOpen(t *testing.T) {
	for _, body := range []string{finished[:strings.Index(finished, "data: [")],
		`{"choices":[{"message":{"content":"Hello "},"finish_reason":"stop"}],"usage":{"prompt_tokens":3}}`} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if body[0] != '{' {
				_, _ = w.Write([]byte(hello))
			}
			_, _ = w.Write([]byte(body))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		began := time.Now()
		got, err := newChat(t, openai.Options{Name: "x", URL: s.URL, Streams: true}).Text(t.Context(),
			engine.TextRequest{Model: "m", Prompt: "p"})
		if took := time.Since(began); err != nil || got.Text != "Hello " || took > 10*time.Second {
			t.Errorf("%s: %+v, %v after %v", body, got, err, took)
		}
		s.Close()
	}
}

// TestOddBookkeeping lets servers send all but the answer in odd types.
func TestOddBookkeeping(t *testing.T) {
	for _, odd := range []string{`"usage":3.0`, `"usage":"3"`, `"usage":""`, `"usage":null`, `"usage":[]`,
		`"usage":{"prompt_tokens":99999999999999999999,"completion_tokens":"x"}`, `"usage":{"prompt_tokens":null}`,
		`"usage":{"completion_tokens_details":[]}`, `"created":1.5`, `"created":"today"`, `"model":7`, `"id":5`,
		`"object":{}`, `"system_fingerprint":[]`, `"usage":99999999999999999999`, `"created":NaN`,
		`"usage":{"prompt_tokens":Infinity}`, `"x":-Infinity`, `"ERROR":"x"`, `"Choices":[]`} {
		for _, choice := range []string{`"index":0`, `"index":"0"`, `"index":null`, `"index":0.0`, `"x":1`,
			`"index":0,"logprobs":7`} {
			body := `{` + odd + `,"choices":[{` + choice + `,"message":{"role":5,"content":"Hello NaN"},` +
				`"finish_reason":"stop"}]}`
			for _, sent := range []string{body, "data: " + body + "\n\ndata: [DONE]\n\n"} {
				_, got, err := answered(t, sent)
				if err != nil || got.Text != "Hello NaN" || got.Usage != (chat.Usage{}) {
					t.Errorf("%s: %+v, %v", sent, got, err)
				}
			}
		}
	}
	for odd, want := range map[string]int{`3`: 3, `3.0`: 3, `"3"`: 3, `3.5`: 0, `-3`: 0, `null`: 0, `true`: 0} {
		_, got, err := answered(t, `{"choices":[{"message":{"content":"x"},"finish_reason":{}}],`+
			`"usage":{"prompt_tokens":`+odd+`}}`)
		if err != nil || got.Usage.InputTokens != want {
			t.Errorf("%s tokens: %+v, %v", odd, got.Usage, err)
		}
	}
}

// TestFormsOfStreams sends one answer in every form of a stream.
func TestFormsOfStreams(t *testing.T) {
	plain := event(`{"content":"Hel"}`) + event(`{"content":"lo 🎉"}`) + finished
	parts := event(`{"content":"Hel"}`) + event(`{"content":"lo \ud83c"}`) + event(`{"content":""}`) +
		event(`{"content":"\udf89"}`) + finished
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(plain))
	_ = z.Close()
	for name, body := range map[string]string{
		"plain": plain, "a byte order mark": "\xef\xbb\xbf" + plain, "CR": strings.ReplaceAll(plain, "\n", "\r"),
		"CRLF": strings.ReplaceAll(plain, "\n", "\r\n"), "gzip": zipped.String(), "surrogates": parts,
		"no space":       strings.ReplaceAll(plain, "data: ", "data:"),
		"one line break": strings.ReplaceAll(plain, "\n\n", "\n"),
		"several lines":  strings.ReplaceAll(plain, `"index"`, "\ndata: \"index\""),
		"lines of JSON":  strings.ReplaceAll(strings.ReplaceAll(plain, "data: ", ""), "[DONE]", ""),
		"bytes":          event("{\"content\":\"Hello \xf0\x9f\"}") + event("{\"content\":\"\x8e\x89\"}") + finished,
		"white space":    "\n\n  \r\n" + plain, "names": strings.ReplaceAll(plain, "data:", "event: chunk\ndata:"),
		"quoted end": strings.ReplaceAll(plain, "[DONE]", `"[DONE]"`), "list": strings.NewReplacer("data: {", "data: [{",
			"}\n", "}]\n").Replace(plain),
	} {
		_, got, err := answered(t, body)
		if err != nil || got.Text != "Hello 🎉" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestReasoningInAllForms separates reasoning from the answer.
func TestReasoningInAllForms(t *testing.T) {
	for _, delta := range []string{
		`{"content":"Hm.</think>Yes."}`, `{"content":"<thinking>Hm.</thinking>Yes."}`,
		`{"content":"[THINK]Hm.[/THINK]Yes."}`, `{"content":"<think>H</think><think>m.</think>Yes."}`,
		`{"content":"<THINK>Hm.</think>\n\nYes."}`, `{"content":"<Think>Hm.</Think>Yes."}`, `{"content":"Hm.</THINK>Yes."}`, `{"content":"<mull>Hm.</mull>Yes."}`,
		`{"content":"<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>"}`,
		`{"content":"<|channel|>analysis<|message|>Hm.<|start|>assistant<|channel|>final<|message|>Yes."}`,
		`{"content":"<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Yes.<|END_RESPONSE|>"}`,
		`{"content":"Yes.","reasoning":"Hm."}`, `{"content":"Yes.","reasoning_content":"Hm.","reasoning":"Hm."}`,
		`{"content":"Yes.","reasoning_details":[{"type":"reasoning.text","text":"Hm."},{"type":"reasoning.encrypted","data":"x"}]}`,
		`{"content":"Yes.","reasoning":{"content":"Hm."}}`, `{"content":"Yes.","thinking":"Hm."}`,
		`{"content":"Yes.","reasoning_details":[{"type":"reasoning.summary","summary":"Hm."}]}`,
		`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"Yes."}]}`,
		`{"content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"Yes."}]}`,
		`{"content":[{"text":"Hm.","thought":true},{"text":"Yes."}]}`,
		`{"content":"Yes.","thinking_blocks":[{"type":"thinking","thinking":"Hm.","signature":"x"}]}`,
	} {
		s := start(t)
		o := options(s)
		o.Streams, o.ReasoningTags = true, []engine.ReasoningTags{{Open: "<mull>", Close: "</mull>"}}
		e := newChat(t, o)
		// Once whole, and once in parts of one character if it is one text.
		bodies := []string{event(delta)}
		if text, ok := strings.CutPrefix(delta, `{"content":"`); ok && strings.Count(delta, `"`) == 4 {
			var cut strings.Builder
			text = strings.ReplaceAll(strings.TrimSuffix(text, `"}`), `\n`, "\n")
			for _, r := range text {
				fmt.Fprintf(&cut, "%s", event(fmt.Sprintf(`{"content":%q}`, string(r))))
			}
			bodies = append(bodies, cut.String())
		}
		for _, body := range bodies {
			s.Replay("m", []byte(body+finished), 0)
			parts, got, err := collect(t.Context(), e, engine.TextRequest{Model: "m", Prompt: "p"})
			if err != nil || got.Text != "Yes." || got.Reasoning != "Hm." {
				t.Errorf("%s: %q after %q, %v", delta, got.Text, got.Reasoning, err)
			}
			var whole engine.Part
			for _, p := range parts {
				if p.DropsText {
					whole.Text = ""
				}
				whole.Text, whole.Reasoning = whole.Text+p.Text, whole.Reasoning+p.Reasoning
			}
			if whole.Text != "Yes." || whole.Reasoning != "Hm." {
				t.Errorf("%s: the parts are %+v", delta, parts)
			}
		}
	}
	for _, text := range []string{"Write `</think>` to end it.", "The tags are <think> and </think>.",
		"assist", "<|chan", "A \\\"</think>\\\" ends it."} {
		_, got, err := answered(t, event(`{"content":"`+text+`"}`)+finished)
		if want := strings.ReplaceAll(text, `\"`, `"`); err != nil || got.Text != want || got.Reasoning != "" {
			t.Errorf("%s: %q after %q, %v", text, got.Text, got.Reasoning, err)
		}
	}
}

// TestContentInAllForms reads answers whose content is not a plain text.
func TestContentInAllForms(t *testing.T) {
	for choice, want := range map[string]string{
		`"text":"Yes."`: "Yes.", `"delta":{"content":[{"type":"text","text":"Ye"},{"type":"output_text","text":"s."}]}`: "Yes.",
		`"delta":{"content":["Ye","s."]}`: "Yes.", `"delta":{"content":{"parts":[{"text":"Yes."}]}}`: "Yes.",
		`"delta":{"content":{"type":"text","text":"Yes."}}`: "Yes.", `"delta":{"content":{"a":1}}`: `{"a":1}`,
		`"delta":{"content":[{"type":"text","text":{"value":"Yes."}}]}`: "Yes.", `"delta":{"content":null}`: "",
		`"delta":null`: "", `"delta":{"content":"Yes."},"message":{"content":"Yes."}`: "Yes.",
		`"delta":{"refusal":"No."}`: "No.", `"delta":{"content":[{"type":"refusal","refusal":"No."}]}`: "No.",
	} {
		_, got, err := answered(t, `data: {"choices":[{"index":0,`+choice+`}]}`+"\n\n"+finished)
		if err != nil || got.Text != want {
			t.Errorf("%s: %+v, %v", choice, got, err)
		}
	}
	for _, message := range []string{
		`"content":null,"tool_calls":[{"type":"function","function":{"name":"weather","arguments":"{}"}}]`,
		`"content":"","function_call":{"name":"weather"}`, `"content":[{"type":"tool_use","name":"weather","input":{}}]`,
	} {
		for _, kind := range []string{"delta", "message"} {
			_, _, err := answered(t, `data: {"choices":[{"`+kind+`":{`+message+`},"finish_reason":"tool_calls"}]}`+"\n\n")
			if err == nil || !strings.Contains(err.Error(),
				"the model asked for the tool weather, which confab does not have") {
				t.Errorf("%s: %v", message, err)
			}
		}
	}
}

// TestPicturesInChats reads answers that are pictures.
func TestPicturesInChats(t *testing.T) {
	picture := enginetest.Source(t, 4, 4, false)
	url := dataURL(picture)
	for _, message := range []string{
		`"content":"","images":[{"type":"image_url","image_url":{"url":"` + url + `"}}]`,
		`"content":null,"images":["` + url + `"]`, `"content":[{"type":"image_url","image_url":{"url":"` + url + `"}}]`,
		`"content":[{"inlineData":{"mimeType":"image/png","data":"` + strings.TrimPrefix(url, "data:image/png;base64,") + `"}}]`,
		`"content":[{"type":"image","source":{"type":"base64","data":"` + strings.TrimPrefix(url, "data:image/png;base64,") + `"}}]`,
	} {
		for _, kind := range []string{"delta", "message"} {
			_, got, err := answered(t, `data: {"choices":[{"`+kind+`":{`+message+`},"finish_reason":"stop"}]}`+"\n\n")
			if err != nil || !bytes.Equal(got.Picture, picture) || got.Text != "" {
				t.Errorf("%.60s: %d bytes, %v", message, len(got.Picture), err)
			}
		}
	}
}

// FuzzAnswer checks that for any response the answer fails or ends, and equals its parts.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{hello + finished, hello, "data: [DONE]\n\n", `{"choices":[{"message":{"content":"x"}}]}`,
		event(`{"content":"a</think>b"}`) + finished, hello + "error: boom\n\n", "\xef\xbb\xbf" + hello, "\x1f\x8b", "[]",
		event(`{"content":"\ud83c"}`) + event(`{"content":"\udf89"}`) + finished, `{"a":NaN}`, "data: {\n\n", "{{", "\r\r",
		`{"choices":[{"delta":{"tool_calls":[{}]},"finish_reason":{}}]}`, event(`{"content":[[{}]]}`)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		e := newChat(t, openai.Options{Name: "x", URL: "http://127.0.0.1/v1", Streams: true, Transport: fixed(body)})
		parts, got, err := collect(t.Context(), e, engine.TextRequest{Model: "m", Prompt: "p"})
		var whole engine.Part
		for _, p := range parts {
			if p.DropsText {
				whole.Text = ""
			}
			whole.Text, whole.Reasoning = whole.Text+p.Text, whole.Reasoning+p.Reasoning
		}
		if err == nil && (whole.Text != got.Text || whole.Reasoning != got.Reasoning) {
			t.Errorf("%q: the parts are %+v, the answer is %+v", body, parts, got)
		}
		if e := new(engine.Error); err != nil && !errors.As(err, &e) {
			t.Errorf("%q: %v", body, err)
		}
	})
}

// fixed is a transport that always returns one body.
type fixed string

// RoundTrip implements [http.RoundTripper].
func (f fixed) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(f))),
		Request: r}, nil
}

func dataURL(picture []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture)
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
