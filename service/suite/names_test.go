package suite_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/service/suite"
)

// TestWhatConfabDoesNotKnowIsAnError checks that unknown names are refused: they would disable checks.
func TestWhatConfabDoesNotKnowIsAnError(t *testing.T) {
	const head = "prompts: [a]\nproviders: [llm:alpha]\n"
	tests := []struct{ name, text, want string }{
		{"test for tests", head + "test: []\n", `line 3: a suite has no "test"; did you mean tests?`},
		{"asert for assert", head + "tests:\n  - description: x\n    asert: []\n",
			`line 5: a test has no "asert"; did you mean assert?`},
		{"in the defaults", head + "defaultTest:\n  asserts: []\n",
			`line 4: defaultTest has no "asserts"; did you mean assert?`},
		{"a name far from all", head + "judges: []\n",
			`line 3: a suite has no "judges"; names of your own begin with x-`},
		{"a check's", head + "tests:\n  - assert:\n      - type: equals\n        vlaue: a\n",
			`line 6: a check has no "vlaue"; did you mean value?`},
		{"a prompt's", "prompts:\n  - {raw: a, lable: b}\n", `line 2: a prompt has no "lable"; did you mean label?`},
		{"a provider's", "prompts: [a]\nproviders:\n  - {id: llm:alpha, promts: [a]}\n",
			`line 3: a provider has no "promts"; did you mean prompts?`},
		{"a setting", "prompts: [a]\nproviders:\n  - {id: image:pict, config: {aspect_ration: '1:1'}}\n",
			"did you mean aspect_ratio?"},
		{"an option of a test", head + "tests:\n  - options: {prefx: a}\n", "did you mean prefix?"},
		{"an option", head + "evaluateOptions: {repeats: 3}\n",
			`line 3: evaluateOptions has no "repeats"; did you mean repeat?`},
		{"a type", head + "tests:\n  - assert:\n      - {type: contians, value: a}\n",
			`line 5: there is no check "contians"; did you mean contains?`},
		{"a type in cases", head + "tests: file://c.csv\n",
			`line 2 of c.csv: there is no check "contians"; write contains, or equals:`},
		{"a column", head + "tests: file://d.csv\n",
			`line 1 of d.csv: there is no column "__expcted"; did you mean __expected?`},
		{"a column with letters", head + "tests: file://e.csv\n", `there is no column "__expected_a"; did you mean`},
		{"a column of nobody", head + "tests: file://f.csv\n",
			`there is no column "__judge"; only promptfoo's names begin with __`},
		{"a threshold of no column", head + "tests: file://g.csv\n",
			`is for the column "__expected2", which is not there`},
		{"a threshold that is no number", head + "tests: file://h.csv\n",
			"line 2 of h.csv: __config:__expected:threshold must be a number"},
		{"a check of our own", head + "tests:\n  - assert:\n      - {type: same-as, value: source}\n",
			"write it under x-checks"},
		{"$ref", head + "tests:\n  - assert:\n      - $ref: '#/a'\n",
			`line 5: $ref "#/a" names nothing in this file`},
		{"tests of a script", head + "tests:\n  path: file://a.py:f\n",
			"line 4: path belongs to tests that a script makes"},
		{"a boolean in words", head + "tests:\n  - options: {disableDefaultAsserts: 'yes'}\n",
			"disableDefaultAsserts must be true or false"},
		{"a weight in words", head + "tests:\n  - assert: [{type: is-json, weight: none}]\n",
			"weight must be a number"},
		{"a threshold that is none", head + "tests:\n  - assert: [{type: levenshtein, value: a, threshold: .nan}]\n",
			"threshold must be a number"},
		{"both names of providers", head + "targets: [llm:beta]\n",
			"line 3: providers and targets are two names of one thing"},
		{"a test for no provider", head + "tests:\n  - providers: ['llm:alpa']\n",
			`line 4: a test is for the provider "llm:alpa", which the suite does not have; did you mean llm:alpha?`},
		{"a test for no prompt",
			"prompts: [{id: short, raw: a}]\nproviders: [llm:alpha]\ntests:\n  - prompts: [shrt]\n",
			"did you mean short?"},
		{"a provider for no prompt", "prompts: [a]\nproviders: [{id: llm:alpha, prompts: [long]}]\n",
			`the provider "llm:alpha" is for the prompt "long", which the suite does not have`},
		{"defaults for no provider", head + "defaultTest:\n  providers: [B]\n", `for the provider "B"`},
		{"the same as nobody", head + "tests:\n  - x-checks: [{type: same-as, value: llm:alpa}]\n",
			"did you mean llm:alpha?"},
		{"the file of a check that is empty",
			head + "tests:\n  - assert: [{type: is-json, value: file://empty.json}]\n",
			`line 4: the file "file://empty.json" is empty`},
		{"the file of a check that says nothing",
			head + "tests:\n  - assert: [{type: is-json, value: file://null.yaml}]\n",
			`the file "file://null.yaml" is empty`},
		{"a schema that is misspelt", head + "tests:\n  - assert:\n      - type: is-json\n        value: {requierd: " +
			"[a]}\n",
			"did you mean required?"},
	}
	files := []string{
		"c.csv", "a,__expected\n1,contians: x\n", "d.csv", "a,__expcted\n1,x\n", "e.csv", "a,__expected_a\n1,x\n",
		"f.csv", "a,__judge\n1,x\n",
		"g.csv", "a,__expected,__config:__expected2:threshold\n1,x,2\n", "h.csv",
		"a,__expected,__config:__expected:threshold\n1,levenshtein: x,NaN\n",
		"empty.json", " \n", "null.yaml", "~\n",
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := load(t, tt.text, files...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// TestTemplatesThatAreErrors checks that templates that confab does not do are refused, since it would send or compare
// the braces.
func TestTemplatesThatAreErrors(t *testing.T) {
	const head = "prompts: [a]\nproviders: [llm:alpha]\n"
	tests := []struct{ name, text, want string }{
		{"a filter", "prompts:\n  - 'Hi {{ name | shout }}'\n",
			`line 2: confab does not do the template "{{ name | shout }}": there is no filter "shout"; there are u`},
		{"a tag", "prompts:\n  - '{% set a = 1 %}b'\n", `"{% set a = 1 %}": it does if, elif, else and for`},
		{"a tag without its end", "prompts:\n  - 'a {% if b %}c'\n",
			"line 2: the template has an if or for without its end; write {{{{ and }}}} for braces"},
		{"no expression", "prompts:\n  - '{{ a b }}'\n", "line 2: the template cannot be read ("},
		{"within lines", "prompts:\n  - id: p\n    raw: |\n      a\n      b {{ c.d() }}\n",
			`line 5: confab does not do the template "{{ c.d() }}": d() is a call, and confab`},
		{"in a file", "prompts: [file://p.txt]\n", "line 3 of p.txt: confab does not do the template"},
		{"in a check", head + "tests:\n  - assert:\n      - type: contains-any\n        value:\n          - " +
			"a\n          - '{{ b | lowr }}'\n", `line 8: confab does not do the template "{{ b | lowr }}"`},
		{"in a check of the defaults", head + "defaultTest:\n  assert: [{type: equals, value: '{% a %}'}]\n",
			`line 4: confab does not do the template "{% a %}"`},
		{"in a text of a check", head + "tests:\n  - assert: [{type: equals, value: file://p.txt}]\n",
			"line 3 of p.txt: confab"},
		{"in data of a check", head + "tests:\n  - assert: [{type: equals, value: file://v.yaml}]\n",
			"line 2 of v.yaml: confab"},
		{"in the system prompt", head + "tests:\n  - vars: {system: '{{ a() }}'}\n",
			`line 4: confab does not do the template "{{ a() }}"`},
		{"in the file of a system prompt", head + "tests:\n  - vars: {system: file://p.txt}\n",
			"line 3 of p.txt: confab"},
		{"before the prompt", head + "tests:\n  - options: {prefix: '{{ a(b) }}'}\n", "line 4: confab does not do"},
		{"in a setting", "prompts: [a]\nproviders: [{id: edit:retouch, config: {imageUrl: '{{ a.b() }}'}}]\n",
			"line 2: confab does not do"},
		{"in cases", head + "tests: file://c.csv\n", "line 2 of c.csv: confab does not do"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(t, tt.text, "p.txt", "a\n---\n{{ x * 0 }}\n", "v.yaml", "a: 1\nb: '{{ x | y }}'\n", "c.csv",
				"q,__expected\n1,\"contains: {{ q | uper }}\"\n")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
	s := must(t, head[:13]+"  # the escape\nproviders: [llm:alpha]\ntests:\n  - vars: {a: '{{ b | c }} {% d %}'}\n    "+
		"assert:\n      - {type: equals, value: '{{{{ x | y }}}} {{a}}'}\n      - {type: python, value: '{{ a | "+
		"b }}'}\n")
	if got := cellsOf(t, s)[0].Checks[0].String(); got != `equals "{{ x | y }} {{ b | c }} {% d %}"` {
		t.Errorf("the escaped braces became %s", got)
	}
}

// TestWhatPromptfooKnowsIsSaid checks that unsupported names of promptfoo load with a note, and that checks with
// another meaning are skipped.
func TestWhatPromptfooKnowsIsSaid(t *testing.T) {
	s := must(t, `$schema: https://promptfoo.dev/config-schema.json
tags: {team: support}
env: {A: b}
extensions: [file://hooks.py:f]
x-own: 1
prompts: [a]
providers:
  - {id: llm:alpha, delay: 5}
  - {id: llm:beta, transform: output.trim()}
defaultTest:
  metadata: {a: b}
  threshold: 0.5
tests:
  - assert:
      - {type: equals, value: a, metric: m, weight: 2, threshold: 1}
      - {type: assert-set, assert: [{type: equals, value: a}]}
      - {type: 'similar:cosine', value: a, provider: x, rubricPrompt: y}
      - {type: equals, value: a, weight: 0.0}
  - providerOutput: a
    assert: [{type: equals, value: a}]
  - provider: llm:beta
    options: {organization: x, runSerially: true}
evaluateOptions: {cache: false, maxEvalTimeMs: 5}
`)
	var noted []int
	leftOut := 0
	for _, n := range s.Unapplied {
		noted = append(noted, n.Line)
		if n.LeavesOut {
			leftOut++
		}
	}
	if want := []int{4, 8, 9, 15, 17, 19, 21, 22, 22, 23}; !slices.Equal(noted, want) {
		t.Errorf("notes on the lines %v, want %v: %v", noted, want, s.Unapplied)
	}
	if leftOut != 2 {
		t.Errorf("%d notes say that something is left out, want those of extensions and provider: %v", leftOut,
			s.Unapplied)
	}
	cells := cellsOf(t, s)
	for i, want := range []string{"passed passed passed skipped passed skipped",
		"skipped skipped skipped skipped skipped skipped", "skipped skipped", "skipped skipped", "", ""} {
		var got []string
		for _, r := range suite.Judge(t.Context(), cells[i].Checks,
			suite.AnswerInput{Kind: history.KindText, Text: "a"},
			nil) {
			got = append(got, cmp.Or(r.Advisory, r.Verdict))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("cell %d: %v, want %s", i+1, got, want)
		}
	}
}

// TestPromptsHaveNamesOfTheirOwn, so that results tell which one they are about.
func TestPromptsHaveNamesOfTheirOwn(t *testing.T) {
	s := must(t, `
prompts: [file://p.txt, {id: x, raw: c}, {label: x, raw: d}, e, file://more/*.txt, {id: 'x#1', raw: f}]
providers: [llm:alpha]
tests:
  - prompts: [p.txt, 'x#2', '5']
  - prompts: ['p.txt#2']
  - {}
`, "p.txt", "a\n---\nb", "more/p.txt", "g")
	var got []string
	for _, c := range cellsOf(t, s) {
		got = append(got, c.PromptID+"="+c.Prompt)
	}
	want := "p.txt#1=a p.txt#2=b x#2=c 5=e p.txt#3=g p.txt#2=b p.txt#1=a p.txt#2=b x#2=c x#3=d 5=e p.txt#3=g x#1=f"
	if g := strings.Join(got, " "); g != want {
		t.Errorf("got  %s\nwant %s", g, want)
	}
}

func TestTheDefaultsChooseModelsAndPrompts(t *testing.T) {
	s := must(t, "prompts: [a, b]\nproviders: [llm:alpha, llm:beta]\ndefaultTest: {providers: [llm:beta], prompts: "+
		"['2']}\ntests:\n  - {}\n  - providers: [llm:alpha]\n")
	var got []string
	for _, c := range cellsOf(t, s) {
		got = append(got, c.Provider+" "+c.Prompt)
	}
	if want := []string{"llm:beta b", "llm:alpha b"}; !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
}
