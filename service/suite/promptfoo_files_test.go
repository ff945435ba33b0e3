package suite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"confab/service/suite"
)

// sent returns the prompts of a suite, with its checks.
func sent(t *testing.T, text string, files ...string) []string {
	t.Helper()
	var out []string
	for _, c := range cellsOf(t, must(t, text, files...)) {
		line := c.PromptID + "=" + c.Prompt
		for _, check := range c.Checks {
			line += " [" + check.String() + "]"
		}
		out = append(out, line)
	}
	return out
}

func TestFilesOfPromptfoo(t *testing.T) {
	const head = "prompts: ['{{a}}']\nproviders: [llm:alpha]\n"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"prompts without file://", "prompts: [p.txt, 'texts/*.md']\nproviders: [llm:alpha]\n",
			[]string{"p.txt#1=One", "p.txt#2=Two", "m.md=Four", "n.md=Three"}},
		{"prompts with labels", "prompts: {p.txt: short, inline: long}\nproviders: [llm:alpha]\n",
			[]string{"short#1=One", "short#2=Two", "long=inline"}},
		{"prompts of JSONL", "prompts: file://p.jsonl\nproviders: [llm:alpha]\n",
			[]string{`p.jsonl#1=[{"role":"user","content":"A"}]`, `p.jsonl#2=[{"role":"user","content":"B"}]`}},
		{"prompts of a table", "prompts: file://p.csv\nproviders: [llm:alpha]\n",
			[]string{"first=Say, hi", "p.csv=Bye"}},
		{"prompts of a table without names", "prompts: file://q.csv\nproviders: [llm:alpha]\n",
			[]string{"q.csv#1=Say hi", "q.csv#2=Bye"}},
		{"providers of a file", "prompts: [a]\nproviders: file://providers.yaml\n", []string{"1=a", "1=a"}},
		{"cases of JSONL", head + "tests: file://c.jsonl\n", []string{"1=x [contains \"x\"]", "1=y"}},
		{"cases without file://", head + "tests: c.csv\n", []string{"1=v [equals \"v\"] [not-contains \"w\"]"}},
		{"variables of a file", head + "tests: [{vars: file://vars.yaml}, {vars: vars.yaml}]\n",
			[]string{"1=of a file", "1=of a file"}},
		{"a reference", head + "assertionTemplates:\n  polite: {type: icontains, value: please}\ntests:\n" +
			"  - vars: {a: b}\n    assert:\n      - $ref: '#/assertionTemplates/polite'\n" +
			"      - {$ref: '#/assertionTemplates/polite', value: thanks}\n",
			[]string{`1=b [icontains "please"] [icontains "thanks"]`}},
		{"the environment", "env: {CITY: Porto}\nprompts: ['{{a}} in {{ env.CITY }}', file://e.txt]\n" +
			"providers: [llm:alpha]\ntests: [{vars: {a: '{{env.CITY}}'}}]\n",
			[]string{"1=Porto in Porto", "e.txt=from Porto"}},
		{"an environment without the name", "prompts: ['{{ env.HOME | default(\"none\") }}']\nproviders: [llm:alpha]\n",
			[]string{"1=none"}},
		{"scenarios", head + "defaultTest: {assert: [{type: contains, value: d}]}\nscenarios:\n" +
			"  - config: [{vars: {a: '1', b: x}}, {vars: {a: '2', b: y}, assert: [{type: equals, value: '{{b}}'}]}]\n" +
			"    tests: [{}, {vars: {b: z}, assert: [{type: contains, value: '{{b}}'}]}]\n  - file://s.yaml\n",
			[]string{`1=1 [contains "d"]`, `1=1 [contains "d"] [contains "z"]`,
				`1=2 [contains "d"] [equals "y"]`, `1=2 [contains "d"] [equals "z"] [contains "z"]`,
				`1=file [contains "d"]`}},
		{"variables of several files", head + "tests: [{vars: {a: 'file://texts/*.md'}}]\n",
			[]string{"1=Four\n", "1=Three\n"}},
		{"variables in YAML", "prompts: ['{{a}} {{a.n}}']\nproviders: [llm:alpha]\n" +
			"tests: [{vars: {a: file://m.yaml}}]\n", []string{`1={"n":1} 1`}},
		{"a list of mappings", "prompts: ['{% for x in l %}{{x.n}}{% endfor %}']\nproviders: [llm:alpha]\n" +
			"tests: [{vars: {l: [{n: a}, {n: b}]}}]\n", []string{"1=ab"}},
	}
	files := []string{
		"p.txt", "One\n---\nTwo\n", "texts/m.md", "Four\n", "texts/n.md", "Three\n", "e.txt", "from {{env.CITY}}",
		"p.jsonl", `[{"role":"user","content":"A"}]` + "\n\n" + `[{"role":"user","content":"B"}]` + "\n",
		"p.csv", "prompt,label\n\"Say, hi\",first\nBye\n", "q.csv", "Say hi\nBye\n",
		"providers.yaml", "- llm:alpha\n- {id: llm:beta, label: b}\n",
		"c.jsonl", `{"vars":{"a":"x"},"assert":[{"type":"contains","value":"x"}]}` + "\n" + `{"vars":{"a":"y"}}` + "\n",
		"c.csv", "a,__expected1,__expected2\nv,v,not-contains: w\n",
		"vars.yaml", "a: of a file\n", "m.yaml", "n: 1\n", "s.yaml", "config: [{vars: {a: file}}]\n",
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := sent(t, tt.text, files...)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestFilesOfPromptfooThatAreErrors(t *testing.T) {
	const head = "prompts: [a]\nproviders: [llm:alpha]\n"
	for text, want := range map[string]string{
		head + "a: &a {$ref: '#/b'}\nb: {$ref: '#/a'}\n":                "nested too deep",
		head + "tests: [{$ref: 'tests.yaml#/a'}]\n":                     `names nothing in this file`,
		head + "tests: file://c.jsonl\n":                                "line 2 of c.jsonl",
		head + "tests: [{vars: file://v.yaml}]\n":                       "more than 1000 files",
		head + "tests: file://../c.csv\n":                               "not inside the suite's folder",
		head + "tests: https://example.com/c.csv\n":                     "must be a mapping, or file://",
		"prompts: file://p.py:f\nproviders: [llm:alpha]\n":              "confab runs no code",
		"prompts: [a]\nproviders: file:///etc/passwd.yaml\n":            "not inside the suite's folder",
		"prompts: ['{{env.HOME}}']\nproviders: [llm:alpha]\n":           "no value for env.HOME",
		head + "scenarios: [{config: [{}], test: []}]\n":                "did you mean tests?",
		"prompts: [a]\nproviders: [{id: llm:alpha, config: {topP: 5}}]": "top_p is",
	} {
		s, err := load(t, text, "c.jsonl", "{}\n{\"var\": 1}\n", "v.yaml", "file://v.yaml")
		if err == nil {
			err = errorOfCalls(t, s)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot %v, want %q in it", text, err, want)
		}
	}
}

func TestParametersOfPromptfoo(t *testing.T) {
	c := cellsOf(t, must(t, "prompts: [a]\nproviders: [{id: llm:alpha, config: {max_completion_tokens: 9, topP: 0.5, "+
		"stopSequences: [x], temperature: 0}}]\n"))[0]
	if got, want := fmt.Sprint(c.Params), "map[max_tokens:9 stop:[x] temperature:0 top_p:0.5]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func errorOfCalls(t *testing.T, s suite.Suite) error {
	t.Helper()
	_, err := suite.Calls(s, catalogue(t))
	return err
}
