package suite_test

import (
	"strings"
	"testing"

	"confab/history"
	"confab/service/suite"
)

func TestExportPromptfoo(t *testing.T) {
	s := must(t, `# mine
prompts:
  - file://p.txt
  - 'Say {{{{x}}}} and {{{{ y | z }}}} to {{name}}'
  - {raw: Bye, label: bye, config: {a: 1}}
providers:
  - llm:alpha
  - {id: llm:beta, label: B, prompts: ['2'], config: {temperature: 1}, delay: 5, x-team: red}
  - id: image:pict
    config: {aspect_ratio: '{{ratio}}', nonce: new}
x-mine: 1
tests:
  - vars: {name: 'A "B" }}', ratio: 16:9, system: 'You are {{name}}'}
    x-weird: kept
    metadata: {owner: me}
    assert:
      - {type: contains, value: a, metric: m}
    x-checks:
      - {type: image-aspect}
`, "p.txt", "Hi {{name}}")
	got, err := suite.ExportPromptfoo(s, "https://api.example.com/v1/", catalogue(t))
	if err != nil {
		t.Fatal(err)
	}
	want := `# mine
prompts:
  - id: p.txt
    label: p.txt
    raw: Hi {{name}}
  - '{{ "Say {" + "{x}" + "} and {" + "{ y | z }" + "} to " }}{{name}}'
  - id: bye
    label: bye
    raw: Bye
    config: {a: 1}
providers:
  - id: https
    label: llm:alpha
    config:
      url: https://api.example.com/v1/api/llm/alpha
      method: POST
      headers:
        Content-Type: application/json
      body: '{"apikey":"{{env.CONFAB_API_KEY}}","prompt":{{prompt | dump}}{% if system %},"systemprompt":{{system | dump}}{% endif %}}'
      transformResponse: json.data.text
  - id: https
    label: B
    config:
      url: https://api.example.com/v1/api/llm/beta
      method: POST
      headers:
        Content-Type: application/json
      body: '{"apikey":"{{env.CONFAB_API_KEY}}","prompt":{{prompt | dump}},"params":{"temperature":1}}'
      transformResponse: json.data.text
    prompts:
      - "2"
    delay: 5
    x-team: red
  - id: https
    label: image:pict
    config:
      url: https://api.example.com/v1/api/generative/pict
      method: POST
      headers:
        Content-Type: application/json
      body: '{"apikey":"{{env.CONFAB_API_KEY}}","prompt":{{prompt | dump}},"aspect_ratio":{{ ("" + ratio) | dump }},"nonce":"` + strings.Repeat("{{ [0,1,2,3,4,5,6,7,8,9] | random }}", 10) + `"}'
      transformResponse: '"[picture]"'
x-mine: 1
tests:
  - vars: {name: 'A "B" }}', ratio: '16:9', system: 'You are {{name}}'}
    x-weird: kept
    metadata: {owner: me}
    assert:
      - {type: contains, value: a, metric: m}
`
	if string(got) != want {
		t.Errorf("got\n%s\nchanged\n%s", got, changes(want, string(got)))
	}
}

// TestExportOfChecks escapes braces in what is looked for, as it does in prompts.
func TestExportOfChecks(t *testing.T) {
	s := must(t, "prompts: [a]\nproviders: [llm:alpha]\ntests:\n  - vars: {who: Ana}\n    assert: [{type: contains, "+
		"value: '{{who}} {{{{x}}}}'}, {type: contains-any, "+
		"value: ['{{{{y}}}}']}, {type: python, value: '{{{{z}}}}'}]\n")
	text, err := suite.ExportPromptfoo(s, "https://x.example/v1", catalogue(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{{who}}{{ " {" + "{x}" + "}" }}`, `{{ "{" + "{y}" + "}" }}`, "{{{{z}}}}"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

func TestExportOfATurn(t *testing.T) {
	text, err := suite.FromTurns(history.Turn{Prompt: "Explain {{ .Values.x }}",
		Answers: []history.Answer{{Model: "alpha", Kind: history.KindText}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := suite.ExportPromptfoo(must(t, string(text)), "http://127.0.0.1:8080", catalogue(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"id: http\n", "url: http://127.0.0.1:8080/api/llm/alpha\n",
		`- '{{ "Explain {" + "{ .Values.x }" + "}" }}'`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestExportOfParametersWithVariables(t *testing.T) {
	got, err := suite.ExportPromptfoo(must(t, `prompts: [a]
providers:
  - id: llm:alpha
    config: {temperature: '{{heat}}', stop: '{{s}}', reasoning_effort: '{{e}}'}
  - id: llm:alpha
    config: {stop: 'a{{s}}', response_format: '{{f}}'}
  - id: llm:alpha
    config: {stop: [a, '{{s}}']}
`), "http://127.0.0.1:8080", catalogue(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"params":{"temperature":{{heat}},"stop":{{ s | dump }},"reasoning_effort":{{ ("" + e) | dump }}}`,
		`"params":{"stop":[{{ ("" + "a" + s) | dump }}],"response_format":{{ ("" + f) | dump }}}`,
		`"params":{"stop":[{{ ("" + "a") | dump }},{{ ("" + s) | dump }}]}`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	good := "prompts: [a]\nproviders: [llm:alpha]\n"
	tests := []struct{ name, text, base, want string }{
		{"no address", good, "", "is not one that promptfoo can ask"},
		{"a key in the address", good, "https://key@example.com", "is not one that promptfoo can ask"},
		{"a name with minus", "prompts: ['{{a-b}}']\nproviders: [llm:alpha]\n", "https://example.com", "rename it"},
		{"a variable with minus", good + "tests: [{vars: {a-b: c}}]\n", "https://example.com", "rename it"},
		{
			"a variable in an object",
			"prompts: [a]\nproviders: [{id: llm:alpha, config: {response_format: {a: '{{b}}'}}}]\n",
			"https://example.com",
			"response_format cannot be written for promptfoo",
		},
		{"no such model", "prompts: [a]\nproviders: [llm:omega]\n", "https://example.com", "there is no text model"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := suite.ExportPromptfoo(must(t, tt.text), tt.base, catalogue(t))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}
