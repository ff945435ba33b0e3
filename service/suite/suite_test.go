package suite_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"confab/history"
	"confab/service/api"
	"confab/service/suite"
)

const refund = `# The refund mails.
description: Refund tone   # kept short

prompts:
  - 'Write a {{tone}} reply in {{language}} to: {{mail}}'
  - id: short
    label: Short one
    raw: "Reply to {{mail}}"

providers:
  - llm:alpha
  - id: llm:beta
    label: B
    x-owner: Ana   # unknown, stays

defaultTest:
  vars:
    language: English
  assert:
    - type: not-contains
      value: "I'm an AI"

x-team: support

tests:
  # The first case.
  - description: late parcel
    vars:
      mail: My parcel {{order}} is late
      order: 4417
      tone: [warm, brief]
      system: You answer for {{order}}.
    assert:
      - type: icontains
        value: sorry
        metric: politeness
      - {type: latency, threshold: 5000}

  # The second case.
  - vars:
      mail: |
        Where is it?

        Ana
      tone: kind
    metadata:
      kind: question
      weight: 2

evaluateOptions:
  repeat: 2
  maxConcurrency: 4
`

// catalogue is small and holds every kind.
func catalogue(t testing.TB) api.Catalogue {
	t.Helper()
	c, err := api.Catalogue{}.With(
		api.Model{Slug: "alpha", Kind: api.Text, TakesSystem: true}, api.Model{Slug: "beta", Kind: api.Text},
		api.Model{Slug: "pict", Kind: api.Image}, api.Model{Slug: "retouch", Kind: api.Edit},
	)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func load(t testing.TB, text string, files ...string) (suite.Suite, error) {
	t.Helper()
	fsys := fstest.MapFS{"s/suite.yaml": {Data: []byte(text)}, "outside.txt": {Data: []byte("secret")}}
	for i := 0; i+1 < len(files); i += 2 {
		fsys["s/"+files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return suite.Load(t.Context(), fsys, "s/suite.yaml")
}

func must(t testing.TB, text string, files ...string) suite.Suite {
	t.Helper()
	s, err := load(t, text, files...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func cellsOf(t testing.TB, s suite.Suite) []suite.Call {
	t.Helper()
	cells, err := suite.Calls(s, catalogue(t))
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

func TestCells(t *testing.T) {
	cells := cellsOf(t, must(t, refund))
	if got, want := len(cells), 24; got != want { // (2 tones + 1) × 2 prompts × 2 models × 2 repetitions
		t.Fatalf("got %d cells, want %d", got, want)
	}
	c := cells[0]
	if want := "Write a warm reply in English to: My parcel {{order}} is late"; c.Prompt != want {
		t.Errorf("got %q, want %q", c.Prompt, want)
	}
	if c.System != "You answer for 4417." || c.Provider != "llm:alpha" || c.PromptID != "1" || c.Repeat != 1 ||
		c.TestIndex != 0 || c.Description != "late parcel" {
		t.Errorf("got %+v", c)
	}
	var order []string
	for _, c := range cells[:10] {
		order = append(order, fmt.Sprint(c.Vars["tone"], c.PromptID, c.Provider, c.Repeat))
	}
	want := []string{
		"warm1llm:alpha1", "warm1llm:alpha2", "warm1B1", "warm1B2", "warmshortllm:alpha1",
		"warmshortllm:alpha2", "warmshortB1", "warmshortB2", "brief1llm:alpha1", "brief1llm:alpha2",
	}
	if fmt.Sprint(order) != fmt.Sprint(want) {
		t.Errorf("got the order\n%v, want\n%v", order, want)
	}
	if cells[2].System != "" {
		t.Errorf("a model that takes no system prompt is sent %q", cells[2].System)
	}
	if c := cells[16]; c.Prompt != "Write a kind reply in English to: Where is it?\n\nAna\n" || c.TestIndex != 1 ||
		c.System != "" {
		t.Errorf("got %+v", c)
	}
	var checks []string
	for _, c := range c.Checks {
		checks = append(checks, c.String())
	}
	if want := []string{`not-contains "I'm an AI"`, `icontains "sorry"`, "latency (5000)"}; !slices.Equal(checks,
		want) {
		t.Errorf("got the checks %q, want %q", checks, want)
	}
}

func TestKeys(t *testing.T) {
	keys := func(text string) []string {
		var out []string
		for _, c := range cellsOf(t, must(t, text)) {
			out = append(out, c.Key)
		}
		return out
	}
	before := keys(refund)
	if n := len(slices.Compact(slices.Sorted(slices.Values(before)))); n != len(before) || len(before[0]) != 64 {
		t.Errorf("%d cells have %d keys", len(before), n)
	}
	same := strings.NewReplacer("sorry", "SORRY", "label: B", "label: Beta", "late parcel", "x").Replace(refund)
	if got := keys(same); !slices.Equal(got, before) {
		t.Error("checks, labels or descriptions change the keys")
	}
	turned := strings.Replace(refund, "[warm, brief]", "[brief, warm]", 1)
	if got := slices.Sorted(slices.Values(keys(turned))); !slices.Equal(got, slices.Sorted(slices.Values(before))) {
		t.Error("the order of values changes the keys")
	}
	other := keys(strings.Replace(refund, "for {{order}}", "to {{order}}", 1))
	for i, c := range cellsOf(t, must(t, refund)) {
		if changed, want := other[i] != before[i], c.System != ""; changed != want {
			t.Errorf("cell %d with system %q: the key changed: %v", i, c.System, changed)
		}
	}
	// Tests that send the same are told apart, whatever stands before them.
	twice := "prompts: [a]\nproviders: [llm:alpha]\ntests:\n  - description: x\n  - description: y\n"
	if k := keys(twice); k[0] == k[1] {
		t.Error("two tests that send the same have one key")
	}
}

func TestPicturesAndEdits(t *testing.T) {
	s := must(t, `
prompts: ['{{what}} in ink', {id: other, raw: 'other {{what}}'}]
providers:
  - id: image:pict
    prompts: ['1']
    config: {aspect_ratio: 16:9, nonce: new}
  - id: edit:retouch
    prompts: ['other']
    config: {imageUrl: 'file://pictures/{{what}}.png'}
  - id: edit:retouch
    prompts: ['1']
    config:
      imageUrl: https://example.com/{{what}}.png
tests:
  - vars: {what: [fox, file://owl.png]}
    providers: ['image:*', 'edit:*']
    prompts: ['1']
    x-checks:
      - type: image-aspect
      - type: not-same-as
        value: source
`)
	cells := cellsOf(t, s)
	if len(cells) != 4 { // the second provider is asked none of the prompts
		t.Fatalf("got %d cells, want 4", len(cells))
	}
	if c := cells[0]; c.Aspect != "16:9" || c.Nonce != "new" || c.Source != "" || c.Model.Slug != "pict" ||
		len(c.Checks) != 2 {
		t.Errorf("got %+v", c)
	}
	if c := cells[1]; c.Source != "https://example.com/fox.png" || c.Nonce != "" {
		t.Errorf("got %+v", c)
	}
	if c := cells[2]; c.Prompt != "file://owl.png in ink" {
		t.Errorf("got %q: the file of a picture is not read as text", c.Prompt)
	}
}

func TestKeysOfPictures(t *testing.T) {
	const text = "prompts: [a]\nproviders:\n  - {id: image:pict, config: {aspect_ratio: '1:1', nonce: n}}\n  - {id: " +
		"edit:retouch, config: {imageUrl: u}}\n"
	before := cellsOf(t, must(t, text))
	for i, change := range []string{"1:1", "n}", "u}"} {
		after := cellsOf(t, must(t, strings.Replace(text, change, "2"+change, 1)))
		for j := range after {
			if changed, want := after[j].Key != before[j].Key, j == i/2; changed != want {
				t.Errorf("another %s: the key of cell %d changed: %v, want %v", change, j, changed, want)
			}
		}
	}
}

func TestThresholdsOfCases(t *testing.T) {
	s := must(t, "prompts: [a]\nproviders: [llm:alpha]\ntests: file://c.csv\n",
		"c.csv", "a,__expected,__expected2,__config:__expected2:threshold\n1,levenshtein: x,latency,900\n")
	if got, want := fmt.Sprint(cellsOf(t, s)[0].Checks), `[levenshtein "x" latency (900)]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := load(t, "prompts: [a]\ntests: file://c.csv\n", "c.csv",
		"a,__expected,__config:__expected:threshold\n1,latency,soon\n"); err == nil ||
		!strings.Contains(err.Error(), "ine 2 of c.csv: __config:__expected:threshold must be a number") {
		t.Errorf("got %v", err)
	}
}

func TestPeerOf(t *testing.T) {
	cells := cellsOf(t, must(t, refund))
	for i, c := range cells {
		for name, want := range map[string]bool{"llm:alpha": c.Model.Slug == "beta", "B": c.Model.Slug == "alpha",
			"beta": c.Model.Slug == "alpha", "nobody": false} {
			j, ok := suite.PeerOf(cells, i, name)
			if ok != want {
				t.Fatalf("cell %d: there is %s: %v, want %v", i, name, ok, want)
			}
			if ok && (cells[j].Prompt != c.Prompt || cells[j].Repeat != c.Repeat ||
				!maps.Equal(cells[j].Vars, c.Vars) ||
				cells[j].Model.Slug == c.Model.Slug) {
				t.Fatalf("the peer %s of %+v is %+v", name, c, cells[j])
			}
		}
	}
}

func TestFiles(t *testing.T) {
	s := must(t, `
prompts: [file://prompts/*.txt, {id: file://./one.md, label: One}]
providers: [llm:alpha]
defaultTest: file://default.yaml
tests:
  - file://cases.csv
  - file://more.yaml
`,
		"prompts/a.txt", "A {{q}}\n---\nB {{q}}\n", "prompts/b.txt", "\ufeffC {{q}} ---\n", "one.md", "D {{q}}\n---\n",
		"default.yaml", "vars: {persona: p}\nassert: [{type: equals, value: file://want.json}]\n",
		"want.json", `{"a": [1.0]}`, "long.txt", "a long text",
		"cases.csv", "q,system,__expected,__expected2,__description,__suffix,__metadata:kind,not a name\n"+
			"1,\"S, {{persona}}\",contains: Hello,levenshtein(2): x,first,!,k,z\n"+
			"file://long.txt,,,\"contains-any: \"\"a,b\"\", c\",,,,\n",
		"more.yaml", "- vars: {q: [y, z]}\n  options: {disableDefaultAsserts: true}\n",
	)
	cells := cellsOf(t, s)
	if len(cells) != 16 {
		t.Fatalf("got %d cells, want 16", len(cells))
	}
	var got []string
	for _, c := range cells {
		got = append(got, c.PromptID+"="+c.Prompt)
	}
	want := []string{"a.txt#1=A 1!", "a.txt#2=B 1!", "b.txt=C 1 ---!", "One=D 1\n---!", "a.txt#1=A a long text"}
	if !slices.Equal(got[:5], want) {
		t.Errorf("got %q, want %q", got[:5], want)
	}
	if c := cells[0]; c.System != "S, p" || c.Description != "first" {
		t.Errorf("got %+v", c)
	}
	names := func(c suite.Call) (out []string) {
		for _, c := range c.Checks {
			out = append(out, c.String())
		}
		return out
	}
	if got, want := names(cells[0]), []string{`equals {"a":[1.0]}`, `contains "Hello"`,
		`levenshtein "x" (2)`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := names(cells[4]), []string{`equals {"a":[1.0]}`, `contains-any "\"a,b\", c"`}; !slices.Equal(got,
		want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := names(cells[8]); len(got) != 0 {
		t.Errorf("got the checks %q where the defaults are off", got)
	}
	if len(s.Unapplied) != 1 || !strings.Contains(s.Unapplied[0].Text, `"not a name"`) {
		t.Errorf("got the notes %v", s.Unapplied)
	}
}

func TestExpected(t *testing.T) {
	for written, want := range map[string]string{
		"Paris":                  `equals "Paris"`,
		"equals: 4":              `equals "4"`,
		"not-icontains:sorry":    `not-icontains "sorry"`,
		"Note: this":             `equals "Note: this"`,
		"is-json":                `is-json`,
		"levenshtein(2.5): a: b": `levenshtein "a: b" (2.5)`,
		"latency(2.5)":           `latency (2.5)`,
		"llm-rubric: is kind":    `llm-rubric "is kind"`,
		"grade: is kind":         `llm-rubric "is kind"`,
		"fn: output.length":      `javascript "output.length"`,
		"file://judge.js":        `javascript "file://judge.js"`,
		"regex: a\nb":            `regex "a\nb"`,
	} {
		s := must(t, "prompts: a\nproviders: llm:alpha\ntests: file://cases.csv", "cases.csv",
			"__expected\n\""+written+"\"\n")
		calls, err := suite.Calls(s, catalogue(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := calls[0].Checks[0].String(); got != want {
			t.Errorf("%q: got %s, want %s", written, got, want)
		}
	}
}

func TestNotes(t *testing.T) {
	s := must(t, `prompts:
  - 'Hi {{ name }}'
  - prompt.txt
providers:
  - {id: llm:alpha, transform: x, config: {organization: x}}
tests:
  - threshold: 0.5
    options: {transform: output.trim()}
    assert:
      - {type: equals, value: a}
    vars: {name: x}
scenarios: [{config: []}]
`)
	want := []string{"3", "5", "5", "8"}
	var got []string
	for _, n := range s.Unapplied {
		got = append(got, fmt.Sprint(n.Line))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got notes on the lines %v, want %v: %v", got, want, s.Unapplied)
	}
	c := cellsOf(t, s)[0]
	if r := suite.Judge(t.Context(), c.Checks, suite.AnswerInput{Kind: history.KindText, Text: "a"},
		nil)[1]; r.Verdict != history.CheckSkipped {
		t.Errorf("an assert behind a transform is %s", r.Verdict)
	}
}

func TestLoadRefuses(t *testing.T) {
	head := "prompts: [a]\nproviders: [llm:alpha]\n"
	tests := []struct{ name, text, want string }{
		{"nothing", "", "it is empty"},
		{"null", "~\n", "it is empty"},
		{"a text", "hello", "line 1: a suite must be a mapping"},
		{"not YAML", head + "tests: [\n", "this is not YAML"},
		{"a tab", "prompts:\n\t- a\n", "line 2: this is not YAML"},
		{"two documents", head + "---\na: b\n", "line 3: a second document"},
		{"a name twice", head + "prompts: [b]\n", `line 3: "prompts" stands twice`},
		{"an empty prompt", "prompts: ['']\n", "line 1: a prompt is empty"},
		{"a prompt of lists", "prompts: [[a]]\n", "line 1: a prompt must be a text"},
		{"a provider without id", head[:13] + "providers:\n  - {id: '', label: x}\n", "line 3: a provider needs an id"},
		{"a test of words", head + "tests:\n  - hello\n", "line 4: a test must be a mapping"},
		{"a variable's name", head + "tests:\n  - vars: {a b: c}\n", `line 4: "a b" cannot be the name`},
		{"a list of none", head + "tests:\n  - vars:\n      a: []\n",
			`line 5: the variable "a" has a list without values`},
		{"no type", head + "tests:\n  - assert:\n      - value: a\n", "line 5: a check needs a type"},
		{"an expression that does not compile",
			head + "tests:\n  - assert:\n      - type: equals\n        value: a\n      - type: not-regex\n        " +
				"value: '(a'\n", "line 7: regex does not compile"},
		{"in the defaults", head + "defaultTest:\n  assert:\n    - type: regex\n      value: '(?<a'\n",
			"line 5: regex does not compile"},
		{"a threshold in words", head + "tests:\n  - assert:\n      - type: latency\n        threshold: fast\n",
			"line 6: threshold must be a number"},
		{"a latency without", head + "tests:\n  - assert:\n      - type: latency\n",
			"line 5: latency needs a threshold"},
		{"half a repetition", head + "evaluateOptions:\n  repeat: 1.5\n", "line 4: repeat must be a whole number"},
		{"too many repetitions", head + "evaluateOptions:\n  repeat: 1001\n",
			"line 4: repeat must be a number from 0 to 1000"},
		{"x-checks at the top", head + "x-checks: []\n", "line 3: x-checks belong into a test"},
		{"out of the folder", "prompts: [file://../outside.txt]\n",
			`line 1: the file "file://../outside.txt" is not inside`},
		{"out by a way round", "prompts: [file://a/../../outside.txt]\n", "is not inside the suite's folder"},
		{"an absolute path", "prompts: [file:///etc/passwd]\n", "is not inside the suite's folder"},
		{"with backslashes", `prompts: ['file://..\outside.txt']`, "is not inside the suite's folder"},
		{"cases out of the folder", head + "tests: file://../outside.csv\n", "line 3: the file"},
		{"a variable out of the folder", head + "tests:\n  - vars: {a: file://../outside.txt}\n", "line 4: the file"},
		{"a check's value out of the folder",
			head + "tests:\n  - assert: [{type: equals, value: file://../outside.txt}]\n",
			"line 4: the file"},
		{"a file that is not there", "prompts:\n  - file://none.txt\n", `line 2: the file "none.txt" does not exist`},
		{"a pattern for none", "prompts: [file://x*.txt]\n", "no file fits"},
		{"a folder", "prompts: [file://folder]\n", "is a folder, not a file"},
		{"a prompt that is a script", "prompts: [file://a.js]\n", "confab runs no code"},
		{"cases that are a script", head + "tests: file://a.py\n", "confab runs no code"},
		{"a variable that is a script", head + "tests: [{vars: {a: file://a.py}}]\n", "confab runs none"},
		{"binary", "prompts: [file://binary.txt]\n", "is not text"},
		{"broken cases", head + "tests: file://broken.csv\n", "line 3 of broken.csv: this is not CSV"},
		{"cases that do not compile", head + "tests: file://wrong.csv\n",
			"line 2 of wrong.csv: regex does not compile"},
		{"cases of cases", head + "tests: file://again.yaml\n", "names another file of cases"},
		{"an alias of itself", "prompts: [a]\ntests: [{metadata: &a [*a]}]\n", "nested too deep"},
		{"aliases that multiply", bomb(), "too large once its aliases are followed"},
		{"deep", "x: " + strings.Repeat("[", 20000), "this is not YAML"},
		{"deep variables", head + "tests: [{vars: {a: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}}]",
			"nested too deep"},
		{"large", "prompts: [a]\n# " + strings.Repeat("x", suite.MaxBytes), "larger than 1 MiB"},
		{"large files", "prompts: [file://many/*.txt]\nproviders: [llm:alpha]\n", "larger than 16 MiB together"},
	}
	files := []string{
		"folder/x", "", "binary.txt", "a\x00b", "broken.csv", "a,b\n1,2\n1\n", "wrong.csv",
		"a,__expected\n1,regex: (\n",
		"again.yaml", "- file://again.yaml\n",
	}
	for i := range suite.MaxAllBytes/suite.MaxBytes + 1 { // each as large as a file may be
		files = append(files, fmt.Sprintf("many/%d.txt", i), strings.Repeat("x", suite.MaxBytes))
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(t, tt.text, files...)
			var p *api.Error
			if !errors.As(err, &p) || p.Code != api.CodeUsage || !strings.Contains(p.Message, tt.want) {
				t.Fatalf("got %v, want a usage error with %q", err, tt.want)
			}
			if strings.Contains(p.Message, "\n") || !strings.HasPrefix(p.Message, "The suite s/suite.yaml") ||
				!strings.HasSuffix(p.Message, ".") || strings.HasSuffix(p.Message, "..") {
				t.Errorf("this is not one sentence: %q", p.Message)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := suite.Load(ctx, fstest.MapFS{"s.yaml": {Data: []byte("prompts: [file://a.txt]")}},
		"s.yaml"); api.CodeOf(err) != api.CodeCancelled {
		t.Errorf("got %v after the end, want cancelled", err)
	}
	if _, err := suite.Load(t.Context(), fstest.MapFS{}, "none.yaml"); err == nil ||
		!strings.Contains(err.Error(), "does not exist") {
		t.Errorf("got %v", err)
	}
}

// bomb is a suite whose aliases stand for 10^9 texts.
func bomb() string {
	var b strings.Builder
	b.WriteString("x-0: &x0 [a, a, a, a, a, a, a, a, a, a]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&b, "x-%d: &x%d [%s]\n", i, i,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i-1), 10), ", "))
	}
	return b.String() + "prompts: [a]\nproviders: [llm:alpha]\ntests:\n  - metadata: *x8\n"
}

func TestCellsRefuses(t *testing.T) {
	tests := []struct {
		name, text, want string
		code             api.Code
	}{
		{"no prompts", "providers: [llm:alpha]\n", "there is no prompt", api.CodeUsage},
		{"no providers", "prompts: [a]\n", "there is no model", api.CodeUsage},
		{"a provider of others", "prompts: [a]\nproviders: ['openai:gpt']\n",
			`[suite.providers] "openai:gpt" = "alpha"`, api.CodeUnknownModel},
		{"no such model", "prompts: [a]\nproviders: ['llm:omega']\n", `line 2: no model is called “omega”`,
			api.CodeUnknownModel},
		{"another kind", "prompts: [a]\nproviders: ['image:alpha']\n", `"alpha" is no image model`,
			api.CodeUnknownModel},
		{"values missing", "prompts: ['{{a}} {{b}} {{c}}']\nproviders: [llm:alpha]\ntests:\n  - vars: {b: x}\n",
			"line 4: prompt 1: no value for a, c", api.CodeUsage},
		{"a name with line breaks", "prompts: [\"{{ a\\r\\n.b }}\"]\nproviders: [llm:alpha]\n",
			"prompt 1: no value for a .b.", api.CodeUsage},
		{"a value for a check",
			"prompts: [a]\nproviders: [llm:alpha]\ntests:\n  - assert: [{type: equals, value: '{{a}}'}]\n",
			"no value for a", api.CodeUsage},
		{"a value for the system prompt", "prompts: [a]\nproviders: [llm:alpha]\ntests:\n  - vars: {system: '{{a}}'}\n",
			"the system prompt: no value for a", api.CodeUsage},
		{"an edit of nothing", "prompts: [a]\nproviders: [edit:retouch]\n", "needs a picture", api.CodeUsage},
		{"too many",
			"prompts: [a]\nproviders: [llm:alpha]\nevaluateOptions: {repeat: 1000}\ntests: [{vars: {a: [" +
				strings.Repeat("x,",
					101) + "]}}]\n", "more than 100000 calls", api.CodeUsage},
		{"too many combinations",
			"prompts: [a]\nproviders: [llm:alpha]\ntests: [{vars: {a: &l [" + strings.Repeat("x,",
				100) + "], b: *l, c: *l}}]\n", "more than 100000 combinations", api.CodeUsage},
		{"too much text",
			"prompts: ['" + strings.Repeat("x",
				200_000) + "']\nproviders: [llm:alpha]\ntests: [{vars: {a: [" + strings.Repeat("x,",
				1000) + "]}}]\n", "larger than 64 MiB", api.CodeUsage},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := suite.Calls(must(t, tt.text), catalogue(t))
			var p *api.Error
			if !errors.As(err, &p) || p.Code != tt.code || !strings.Contains(p.Message, tt.want) {
				t.Errorf("got %v, want %s with %q", err, tt.code, tt.want)
			}
		})
	}
}

func TestFromTurn(t *testing.T) {
	turn := history.Turn{
		Prompt: "Explain {{name}} and {{{{x}}}}", System: "Be {{brief}}", Aspect: "4:3", Samples: 2,
		Nonce: history.Nonce{Mode: history.NonceFixed,
			Value: "4417"}, Source: &history.Source{URL: "https://example.com/a.png"},
		Answers: []history.Answer{
			{Model: "alpha", Kind: history.KindText, Sample: 1}, {Model: "alpha", Kind: history.KindText, Sample: 2},
			{Model: "pict", Kind: history.KindImage}, {Model: "retouch", Kind: history.KindEdit},
		},
	}
	text, err := suite.FromTurns(turn)
	if err != nil {
		t.Fatal(err)
	}
	want := `prompts:
  - Explain {{{{name}}}} and {{{{{{{{x}}}}}}
providers:
  - llm:alpha
  - id: image:pict
    config:
      aspect_ratio: 4:3
      nonce: "4417"
  - id: edit:retouch
    config:
      imageUrl: https://example.com/a.png
defaultTest:
  vars:
    system: Be {{{{brief}}}}
evaluateOptions:
  repeat: 2
`
	if string(text) != want {
		t.Errorf("got\n%s, want\n%s", text, want)
	}
	cells := cellsOf(t, must(t, string(text)))
	if len(cells) != 6 {
		t.Fatalf("got %d cells, want 6", len(cells))
	}
	if c := cells[1]; c.Prompt != turn.Prompt || c.System != turn.System || c.Repeat != 2 {
		t.Errorf("got %+v", c)
	}
	if c := cells[2]; c.Aspect != "4:3" || c.Nonce != "4417" {
		t.Errorf("got %+v", c)
	}
	if c := cells[5]; c.Source != "https://example.com/a.png" {
		t.Errorf("got %+v", c)
	}
}

func TestOptions(t *testing.T) {
	s := must(t, refund+"  delay: 250\n  timeoutMs: 60000\n")
	if want := (suite.EvaluateOptions{Repeat: 2, Concurrency: 4, Delay: 250 * time.Millisecond,
		Timeout: time.Minute}); s.Options != want {
		t.Errorf("got %+v, want %+v", s.Options, want)
	}
}
