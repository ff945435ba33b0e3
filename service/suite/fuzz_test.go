package suite_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"confab/service/suite"
)

// seedSuites returns suites in many forms of YAML.
func seedSuites() map[string]string {
	return map[string]string{
		"refund":  refund,
		"windows": strings.ReplaceAll(refund, "\n", "\r\n"),
		"bare":    "prompts: a\nproviders: llm:alpha",
		"flow":    "{prompts: [a, b], providers: [llm:alpha], tests: [{vars: {a: 1}, x-n: 2}]}\n",
		"json":    "{\n  \"prompts\": [\"a\"],\n  \"providers\": [\"llm:alpha\"]\n}\n",
		"tight": "prompts:\n- a\n-   b   # two\n- id: c\n  raw: d\nproviders:\n- llm:alpha\ntests:\n- vars:\n    a: " +
			"1\n  assert:\n  - type: equals\n    value: x\n",
		"wide": "prompts:\n        - a\nproviders:\n        - llm:alpha: {label: A}\n        -\n            id: " +
			"llm:beta\n",
		"anchors": "x-all: &all\n  - type: icontains\n    value: sorry\nprompts: [&p 'a {{b}}']\nproviders: " +
			"[llm:alpha]\ntests:\n  - vars: &v {b: c}\n    assert: *all\n  - vars:\n      <<: *v\n      d: e\n",
		"blocks": "prompts:\n  - |\n    # not a comment\n    a\n\n    b\n  - >-\n    folded\n    text\n\n# " +
			"end\nproviders: [llm:alpha]\n",
		"characters": "prompts:\n  - \"é {{größe}} \\u00e9\"\nproviders: [llm:alpha]\ntests:\n  - vars: {größe: " +
			"'it''s'}\n",
		"targets": "prompts: [a]\ntargets:\n  - llm:alpha\n",
		"comments": "# head\n\nprompts: # here\n  # one\n  - a # first\n  # two\n  - b\n  # three\n\n# before " +
			"providers\nproviders:\n  - llm:alpha\n# foot\n",
		"bom":   "\ufeffprompts: [a]\nproviders: [llm:alpha]\n",
		"start": "---\nprompts: [a]\nproviders: [llm:alpha]\n...\n",
	}
}

func TestFormsOfYAML(t *testing.T) {
	for name, text := range seedSuites() {
		t.Run(name, func(t *testing.T) {
			if calls, err := suite.Calls(must(t, text), catalogue(t)); err != nil || len(calls) == 0 {
				t.Errorf("%d calls, %v", len(calls), err)
			}
		})
	}
}

func FuzzLoad(f *testing.F) {
	for _, text := range seedSuites() {
		f.Add(text)
	}
	f.Add(bomb())
	if more, err := filepath.Glob("testdata/*.yaml"); err == nil {
		for _, name := range more {
			if b, err := os.ReadFile(name); err == nil {
				f.Add(string(b))
			}
		}
	}
	if examples, err := filepath.Glob("testdata/promptfoo/*.txt"); err == nil {
		for _, name := range examples {
			f.Add(string(example(f, name)["promptfooconfig.yaml"].Data))
		}
	}
	c := catalogue(f)
	f.Fuzz(func(t *testing.T, text string) {
		began := time.Now()
		defer func() {
			if d := time.Since(began); d > time.Second {
				t.Fatalf("%s for %d bytes", d, len(text))
			}
		}()
		s, err := load(t, text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("an error of several lines: %q", err)
			}
			return
		}
		s.Models = map[string]string{}
		for _, p := range s.Providers {
			s.Models[p.ID] = "alpha"
		}
		cells, err := suite.Calls(s, c)
		if err == nil && len(cells) > suite.MaxCells {
			t.Fatalf("%d cells", len(cells))
		}
	})
}

// FuzzExpression renders templates of promptfoo: none takes long or ends the program.
func FuzzExpression(f *testing.F) {
	text, err := os.ReadFile("testdata/nunjucks.json")
	if err != nil {
		f.Fatal(err)
	}
	var canned struct{ Templates [][2]string }
	if err := json.Unmarshal(text, &canned); err != nil {
		f.Fatal(err)
	}
	for _, c := range canned.Templates {
		f.Add(c[0])
	}
	f.Add("{{ a\r\n.b }}")
	f.Add("{% for a in list %}{% for b in list %}{{ a ~ b }}{% endfor %}{% endfor %}")
	c := catalogue(f)
	f.Fuzz(func(t *testing.T, template string) {
		written, err := json.Marshal(map[string]any{"prompts": []any{map[string]any{"raw": "x" + template}},
			"providers": "llm:alpha",
			"tests": []any{map[string]any{"vars": map[string]any{"list": `["x",{"a":1}]`, "a": `{"b":[1.5,true,null]}`,
				"n": 3, "name": "é\n"}}}})
		if err != nil {
			t.Skip()
		}
		began := time.Now()
		s, err := load(t, string(written))
		if err == nil {
			_, err = suite.Calls(s, c)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Fatalf("an error of several lines: %q", err)
		}
		if d := time.Since(began); d > 10*time.Second {
			t.Fatalf("%s for %q", d, template)
		}
	})
}

func FuzzCSV(f *testing.F) {
	f.Add("q,__expected\n1,contains: a\n\"x\n\",\n")
	f.Add("\ufeffa,b\r\n1,2\r\n")
	f.Add("a,__config:__expected:threshold,__expected\n1,2,levenshtein: x\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := suite.Load(t.Context(), fstest.MapFS{"cases.csv": {Data: []byte(text)}, "s.yaml": {Data: []byte(
			"prompts: a\nproviders: llm:alpha\ntests: file://cases.csv")}}, "s.yaml")
		if err == nil && len(s.Tests) == 0 {
			t.Fatal("no cases and no error")
		}
	})
}
