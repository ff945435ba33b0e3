package suite_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"confab/history"
	"confab/internal/chat"
	"confab/service/suite"
)

func TestParametersOfCells(t *testing.T) {
	const head = "prompts: [{raw: a, config: {seed: 7}}]\nproviders:\n" +
		"  - {id: llm:alpha, config: {temperature: 0.2, max_tokens: 60, stop: END}}\n  - image:pict\n"
	plain := cellsOf(t, must(t, "prompts: [a]\nproviders: [llm:alpha, image:pict]\n"))
	cells := cellsOf(t, must(t, head+"defaultTest: {options: {temperature: 0.5, top_p: 1}}\n"+
		"tests:\n  - {}\n  - options: {temperature: 0, response_format: {type: json_object}}\n"))
	want := history.Params{"temperature": json.Number("0.5"), "top_p": json.Number("1"),
		"max_tokens": json.Number("60"), "seed": json.Number("7"), "stop": []any{"END"}}
	if !reflect.DeepEqual(cells[0].Params, want) {
		t.Errorf("got %v, want %v", cells[0].Params, want)
	}
	want["temperature"], want["response_format"] = json.Number("0"), `{"type":"json_object"}`
	if !reflect.DeepEqual(cells[2].Params, want) {
		t.Errorf("got %v, want %v", cells[2].Params, want)
	}
	if !cells[1].Params.IsZero() || cells[1].Key != plain[1].Key || cells[0].Key == plain[0].Key ||
		cells[0].Key == cells[2].Key {
		t.Error("the keys of cells do not tell their parameters apart, or those of pictures")
	}
	for _, wrong := range []string{"temperature: warm", "max_tokens: 1.5", "stop: [[a]]"} {
		if _, err := load(t, "prompts: [a]\nproviders: [{id: llm:alpha, config: {"+wrong+"}}]\n"); err == nil {
			t.Errorf("%s is no error", wrong)
		}
	}
}

func TestParametersWithVariables(t *testing.T) {
	s := must(t, `prompts: [a]
providers:
  - id: llm:alpha
    config:
      temperature: '{{heat}}'
      max_tokens: '{{tens}}0'
      seed: '{{seed}}'
      stop: '{{stops}}'
      reasoning_effort: '{{effort}}'
      response_format: {type: '{{type}}', strict: '{{strict}}', enum: '{{list}}', title: 'a {{effort}}', '{{x}}': 1}
tests:
  - vars: {heat: [0.2, 1], tens: 12, seed: 9007199254740993, stops: [["END", "7"]], effort: low, type: json_schema,
      strict: true, list: [[1, b]]}
  - vars: {stops: 5}
    options: {temperature: 0, max_tokens: 7, seed: 1, reasoning_effort: high, stop: ['{{stops}}', '{{{{x}}}}'],
      response_format: text}
  - vars: {stops: 5, title: 'a "b"'}
    options: {temperature: 0, max_tokens: 7, seed: 1, reasoning_effort: high, response_format: '{"title": "{{title}}"}'}
`)
	cells := cellsOf(t, s)
	want := history.Params{"temperature": json.Number("0.2"), "max_tokens": json.Number("120"),
		"seed": json.Number("9007199254740993"), "stop": []any{"END", "7"}, "reasoning_effort": "low",
		"response_format": `{"enum":[1,"b"],"strict":true,"title":"a low","type":"json_schema","{{x}}":1}`}
	if !reflect.DeepEqual(cells[0].Params, want) {
		t.Errorf("got %v, want %v", cells[0].Params, want)
	}
	want["temperature"] = json.Number("1")
	if !reflect.DeepEqual(cells[1].Params, want) || cells[0].Key == cells[1].Key {
		t.Errorf("got %v, want %v", cells[1].Params, want)
	}
	if got := cells[2].Params; !reflect.DeepEqual(got["stop"], []any{"5", "{{x}}"}) {
		t.Errorf("got %v", got)
	}
	if got := cells[3].Params; got["response_format"] != `{"title": "a \"b\""}` ||
		!reflect.DeepEqual(got["stop"], []any{"5"}) {
		t.Errorf("got %v", got)
	}

	for wrong, message := range map[string]string{
		"vars: {heat: warm}, description: too warm": `line 4: the test "too warm", llm:alpha: temperature is "warm", ` +
			"and must be a number from 0 to 2",
		"vars: {heat: true}": `test 1, llm:alpha: temperature is "true"`,
		"vars: {other: 1}":   `test 1, llm:alpha: temperature: no value for heat`,
		"vars: {heat: 1}, options: {max_tokens: '1.{{heat}}'}": `test 1, llm:alpha: max_tokens is "1.1"`,
		"vars: {heat: 1}, options: {stop: ['{{heat}}', 5]}":    `test 1, llm:alpha: stop is`,
	} {
		s := must(t, "prompts: [a]\nproviders: [{id: llm:alpha, config: {temperature: '{{heat}}'}}]\ntests:\n  - {"+
			wrong+"}\n")
		if _, err := suite.Calls(s, catalogue(t)); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: got %v, want %q", wrong, err, message)
		}
	}
	if _, err := load(t, "prompts: [a]\nproviders: [{id: llm:alpha, config: {seed: '{{ x | f }}'}}]\n"); err == nil {
		t.Error("an unknown filter is no error")
	}
}

func TestParametersOfTurns(t *testing.T) {
	params := history.Params{"temperature": json.Number("0.25"), "seed": json.Number("-3"),
		"stop": []any{"END", "\n", "{{x}}"}, "response_format": `{"title":"{{x}}"}`,
		"extra": map[string]any{"mirostat": json.Number("2"), "grammar": "{{x}}"}}
	text, err := suite.FromTurns(history.Turn{Prompt: "a", Params: params, Samples: 1,
		Answers: []history.Answer{{Model: "alpha", Kind: history.KindText}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := cellsOf(t, must(t, string(text)))[0].Params; !reflect.DeepEqual(got, params) {
		t.Errorf("got %v of\n%s", got, text)
	}
}

func TestChatPrompts(t *testing.T) {
	s := must(t, `prompts:
  - '[{"role": "system", "content": "Be {{how}}"}, {"role": "user", "content": "hi"},
    {"role": "assistant", "content": "hello"}, {"role": "user", "content": "{{what}}"}]'
  - '[{{what}}]'
  - |
    # in YAML
    - role: system
      content: Be {{how}}
    - {role: user, content: hi}
    - role: assistant
      content: hello
    - role: user
      content: {{what}}
  - '[{"role": "developer", "content": [{"type": "text", "text": "Be {{how}}"}]}, {"role": "user", "content": "hi"},
    {"role": "assistant", "content": "hello"}, {"role": "user", "content": [{"type": "text", "text": "{{what}}"}]}]'
providers: [llm:alpha]
defaultTest: {vars: {system: other}}
tests: [{vars: {how: 'a "friend": {{x}}', what: "two\nlines"}}]
`)
	cells := cellsOf(t, s)
	want := &suite.Chat{System: `Be a "friend": {{x}}`, Prompt: "two\nlines",
		Messages: []chat.Message{{Role: "user", Content: "hi"}, {Role: "assistant", Content: "hello"}}}
	for _, i := range []int{0, 2, 3} {
		c, err := suite.ParseChat(cells[i].Prompt)
		if err != nil || !reflect.DeepEqual(c, want) || cells[i].System != want.System {
			t.Errorf("prompt %d: got %+v with the system prompt %q, %v, want %+v", i+1, c, cells[i].System, err, want)
		}
	}
	if cells[1].Prompt != "[two\nlines]" || cells[1].System != "other" {
		t.Errorf("a text that is no list of messages: %q, %q", cells[1].Prompt, cells[1].System)
	}
	for _, other := range []string{"", "[]", `[1]`, "[Draft] the role: user", "- a list\n- of things", "{x}"} {
		if c, err := suite.ParseChat(other); c != nil || err != nil {
			t.Errorf("%s: got %v, %v", other, fmt.Sprint(c), err)
		}
	}
}

// TestChatPromptsAreNeverSentAsText checks prompts that begin like messages and are invalid as such.
func TestChatPromptsAreNeverSentAsText(t *testing.T) {
	for prompt, want := range map[string]string{
		`[{"role":"user","content":"x"},]`:                                   "is not JSON",
		`[{"role":"user","content":"{{v}}"]`:                                 "is not JSON",
		`[{role: user, content: x}]`:                                         "is not JSON",
		`[{"role":"tool","content":"x"}]`:                                    `message 1 has the role "tool"`,
		`[{"role":"user","content":null}]`:                                   "message 1 has no text",
		`[{"role":"user","content":"x","name":"a"}]`:                         `message 1 has "name"`,
		`[{"role":"user","content":[{"type":"image_url"}]}]`:                 "a part that is no text",
		`[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]`: "its last message must be",
		`[{"role":"system","content":"x"}]`:                                  "its last message must be",
		`[{"role":"user","content":"x"}, "y"]`:                               "message 2 is no object",
		`{"messages":[{"role":"user","content":"x"}]}`:                       "begins like a message",
		"- role: user\n  content: [x":                                        "line 1: this is not YAML",
		"- role: user\n  content: 5":                                         "message 1 has no text",
		"- {content: x, role: 5}":                                            "message 1 has no role",
	} {
		text := fmt.Sprintf("prompts: [%q]\nproviders: [llm:alpha]\ntests: [{vars: {v: 1}}]\n", prompt)
		s, err := load(t, text)
		if err == nil {
			_, err = suite.Calls(s, catalogue(t))
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", prompt, err, want)
		}
	}
	const chatPrompt = `'[{"role":"user","content":"x"}]'`
	for written, want := range map[string]string{
		"prompts: [" + chatPrompt + "]\nproviders: [image:pict]\n": "image:pict takes none",
		"prompts: [" + chatPrompt + "]\nproviders: [llm:alpha]\n" +
			"defaultTest: {options: {prefix: 'Now: '}}\n": "it can have no prefix",
		"prompts: ['{{q}}']\nproviders: [llm:alpha]\ntests: [{vars: {q: '[{\"role\":\"user\",}]'}}]\n": "is not JSON",
	} {
		s := must(t, written)
		if _, err := suite.Calls(s, catalogue(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", written, err, want)
		}
	}
}
