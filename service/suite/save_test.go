package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aymanbagabas/go-udiff"
)

func saved(t testing.TB, s Suite) string {
	t.Helper()
	b, err := s.Save()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// forms are suites in many forms of YAML.
func forms() map[string]string {
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
		"characters": "prompts:\n  - \"é {{größe}} \\u00e9\"\nproviders: [llm:alpha]\ntests:\n  - vars: {größe: 'it''s'}\n",
		"targets":    "prompts: [a]\ntargets:\n  - llm:alpha\n",
		"comments": "# head\n\nprompts: # here\n  # one\n  - a # first\n  # two\n  - b\n  # three\n\n# before " +
			"providers\nproviders:\n  - llm:alpha\n# foot\n",
		"bom":   "\ufeffprompts: [a]\nproviders: [llm:alpha]\n",
		"start": "---\nprompts: [a]\nproviders: [llm:alpha]\n...\n",
	}
}

func TestUneditedIsByteForByte(t *testing.T) {
	for name, text := range forms() {
		t.Run(name, func(t *testing.T) {
			if got := saved(t, must(t, text)); got != text {
				t.Errorf("got\n%q, want\n%q", got, text)
			}
		})
	}
}

// TestEdits shows which lines an edit changes.
func TestEdits(t *testing.T) {
	tests := []struct {
		name, form string
		edit       func(*Suite)
		want       string // removed and added lines
	}{
		{"the description", "refund", func(s *Suite) { s.Description = "New: tone" },
			"-description: Refund tone   # kept short\n+description: 'New: tone'   # kept short\n"},
		{"its removal", "refund", func(s *Suite) { s.Description = "" }, "-description: Refund tone   # kept short\n"},
		{"a prompt, in its quotes", "refund", func(s *Suite) { s.Prompts[0].Raw = "It's {{mail}}" },
			"-  - 'Write a {{tone}} reply in {{language}} to: {{mail}}'\n+  - 'It''s {{mail}}'\n"},
		{"a prompt of several lines", "refund", func(s *Suite) { s.Prompts[0].Raw = "a\nb\n" },
			"-  - 'Write a {{tone}} reply in {{language}} to: {{mail}}'\n+  - |\n+    a\n+    b\n"},
		{"the label of a provider", "refund", func(s *Suite) { s.Providers[1].Label = "Beta" },
			"-    label: B\n+    label: Beta\n"},
		{"a first label", "refund", func(s *Suite) { s.Providers[0].Label = "A" },
			"-  - llm:alpha\n+  - id: llm:alpha\n+    label: A\n"},
		{"one provider more", "refund", func(s *Suite) { s.Providers = append(s.Providers, Provider{ID: "llm:gamma"}) },
			"+  - llm:gamma\n"},
		{"one provider before", "refund",
			func(s *Suite) { s.Providers = append([]Provider{{ID: "llm:gamma"}}, s.Providers...) }, "+  - llm:gamma\n"},
		{"one provider less", "refund", func(s *Suite) { s.Providers = s.Providers[:1] },
			"-  - id: llm:beta\n-    label: B\n-    x-owner: Ana   # unknown, stays\n"},
		{"a value", "refund", func(s *Suite) { s.Tests[0].Vars[1].Values[0] = "4418" },
			"-      order: 4417\n+      order: \"4418\"\n"},
		{"a value of a list in brackets", "refund", func(s *Suite) { s.Tests[0].Vars[2].Values[1] = "curt" },
			"-      tone: [warm, brief]\n+      tone: [warm, curt]\n"},
		{"a value of several lines", "refund", func(s *Suite) { s.Tests[1].Vars[0].Values[0] = "Where?\n" },
			"-        Where is it?\n-\n-        Ana\n+        Where?\n"},
		{"one variable more", "refund",
			func(s *Suite) {
				s.Tests[1].Vars = append(s.Tests[1].Vars, Var{Name: "z", Values: []string{"1"}})
			}, "+      z: \"1\"\n"},
		{"one variable less", "refund", func(s *Suite) { s.Tests[0].Vars = slices.Delete(s.Tests[0].Vars, 1, 2) },
			"-      order: 4417\n"},
		{"a check", "refund", func(s *Suite) { s.Tests[0].Assert[0].Value = "so sorry" },
			"-        value: sorry\n+        value: so sorry\n"},
		{"a threshold in brackets", "refund", func(s *Suite) { n := 100.0; s.Tests[0].Assert[1].Threshold = &n },
			"-      - {type: latency, threshold: 5000}\n+      - {type: latency, threshold: 100}\n"},
		{"a check of our own", "refund", func(s *Suite) {
			s.Tests[1].Own = []Assert{{Type: "bytes-max", Value: "2MB"}}
		}, "+    x-checks:\n+      - type: bytes-max\n+        value: 2MB\n"},
		{"one test more", "refund", func(s *Suite) {
			s.Tests = append(s.Tests, Test{Vars: []Var{{Name: "mail", Values: []string{"Hi"}}}})
		}, "+  - vars:\n+      mail: Hi\n"},
		{"the first test less", "refund", func(s *Suite) { s.Tests = s.Tests[1:] },
			"-  - description: late parcel\n-    vars:\n-      mail: My parcel {{order}} is late\n-      order: 4417\n-      " +
				"tone: [warm, brief]\n-      system: You answer for {{order}}.\n-    assert:\n-      - type: icontains\n-       " +
				" value: sorry\n-        metric: politeness   # unknown to confab\n-      - {type: latency, threshold: 5000}\n"},
		{"the repetitions", "refund", func(s *Suite) { s.Options.Repeat = 5 }, "-  repeat: 2\n+  repeat: 5\n"},
		{"the options", "refund", func(s *Suite) { s.Options = Options{} },
			"-evaluateOptions:\n-  repeat: 2\n-  maxConcurrency: 4\n"},
		{"line ends stay", "windows", func(s *Suite) { s.Options.Repeat = 5; s.Prompts[0].Raw = "a\nb\n" },
			"-  - 'Write a {{tone}} reply in {{language}} to: {{mail}}'\r\n+  - |\r\n+    a\r\n+    b\r\n-  repeat: 2\r\n+  " +
				"repeat: 5\r\n"},
		{"one line without an end", "bare", func(s *Suite) { s.Description = "d" },
			"-providers: llm:alpha\n\\ No newline at end of file\n+providers: llm:alpha\n+description: d\n"},
		{"in brackets, unknown names stay", "flow", func(s *Suite) { s.Tests[0].Vars[0].Values[0] = "2" },
			"-{prompts: [a, b], providers: [llm:alpha], tests: [{vars: {a: 1}, x-n: 2}]}\n+{prompts: [a, b], providers: " +
				"['llm:alpha'], tests: [{vars: {a: \"2\"}, x-n: 2}]}\n"},
		{"lists without indentation", "tight", func(s *Suite) {
			s.Prompts[1].Raw = "B"
			s.Prompts[2].Raw = "D"
			s.Tests[0].Assert = append(s.Tests[0].Assert, Assert{Type: "is-json"})
		}, "--   b   # two\n+-   B   # two\n-  raw: d\n+  raw: D\n+  - type: is-json\n"},
		{"an alias is written out", "anchors", func(s *Suite) { s.Tests[0].Assert[0].Value = "x" },
			"-    assert: *all\n+    assert:\n+      - type: icontains\n+        value: x\n"},
		{"a text that only looks like a comment", "blocks",
			func(s *Suite) { s.Prompts = append(s.Prompts, Prompt{Raw: "c"}) }, "+  - c\n"},
		{"the other name of providers", "targets", func(s *Suite) { s.Providers[0].ID = "llm:beta" },
			"-  - llm:alpha\n+  - llm:beta\n"},
		{"comments between", "comments", func(s *Suite) { s.Prompts = []Prompt{{Raw: "A"}, {Raw: "b"}, {Raw: "c"}} },
			"-  - a # first\n+  - A # first\n+  - c\n"},
		{"behind letters of two bytes", "characters", func(s *Suite) { s.Prompts[0].Raw = "ü" },
			"-  - \"é {{größe}} \\u00e9\"\n+  - \"ü\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := forms()[tt.form]
			s := must(t, text)
			tt.edit(&s)
			got := saved(t, s)
			if d := changes(text, got); d != tt.want {
				t.Errorf("changed\n%s, want\n%s", d, tt.want)
			}
			if again := saved(t, must(t, got)); again != got {
				t.Error("what was saved does not come back byte for byte")
			}
		})
	}
}

// changes returns the lines that differ.
func changes(a, b string) string {
	var out strings.Builder
	for i, line := range strings.SplitAfter(udiff.Unified("", "", a, b), "\n") {
		if i > 1 && line != "" && strings.ContainsRune("+-\\", rune(line[0])) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// Where the lines cannot be edited, the part is written anew and the rest
// stays.
func TestAFormThatCannotBeEditedIsWrittenAnew(t *testing.T) {
	text := "# head\nprompts: [a]   # mine\nproviders:\n  - llm:alpha: {label: A}\nx-mine: 1 # stays\n"
	s := must(t, text)
	s.Providers[0].Label = "B"
	got := saved(t, s)
	for _, want := range []string{"# head\n", "# mine\n", "x-mine: 1 # stays\n", "label: B\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is lost in\n%s", want, got)
		}
	}
}

func TestEditedEverywhere(t *testing.T) {
	for name, text := range forms() {
		t.Run(name, func(t *testing.T) {
			s := must(t, text)
			touch(&s)
			back, err := Parse([]byte(saved(t, s)))
			if err != nil {
				t.Fatal(err)
			}
			if !same(back.node(), s.node()) {
				t.Error("the edit is not what was saved")
			}
		})
	}
}

// touch edits a suite in several places.
func touch(s *Suite) {
	s.Description += " # edited: 'yes'"
	s.Prompts = slices.Clone(s.Prompts)
	for i := range s.Prompts {
		if !strings.HasPrefix(s.Prompts[i].Raw, fileScheme) {
			s.Prompts[i].Raw += "\nmore: {{x}}"
		}
	}
	s.Providers = append(slices.Clone(s.Providers), Provider{ID: "llm:new", Config: []Setting{{"aspect_ratio", "1:1"}}})
	s.Tests = slices.Clone(s.Tests)
	for i := range s.Tests {
		if t := &s.Tests[i]; t.File == "" {
			t.Vars = append(slices.Clone(t.Vars), Var{Name: fmt.Sprintf("new_%d", len(t.Vars)), Values: []string{"a", "- b"}})
			t.Assert = append([]Assert{{Type: "regex", Value: `\d: "x"`}}, t.Assert...)
		}
	}
	s.Options.Delay = 0
	s.Options.Repeat = 7
}

func TestFreshSuite(t *testing.T) {
	want := Suite{Prompts: []Prompt{{Raw: "yes"}, {Raw: "4417"}, {ID: "x", Raw: " lead\n\ntail "}},
		Providers: []Provider{{ID: "llm:alpha"}}}
	got, err := Parse([]byte(saved(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Prompts {
		got.Prompts[i].Line = 0
	}
	if !reflect.DeepEqual(got.Prompts, want.Prompts) {
		t.Errorf("got %+v, want %+v", got.Prompts, want.Prompts)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range forms() {
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
	c := catalogue(f)
	f.Fuzz(func(t *testing.T, text string) {
		began := time.Now()
		defer func() {
			if d := time.Since(began); d > time.Second {
				t.Fatalf("%s for %d bytes", d, len(text))
			}
		}()
		s, err := Parse([]byte(text))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("an error of several lines: %q", err)
			}
			return
		}
		b, err := s.Save()
		if err != nil || string(b) != text {
			t.Fatalf("unedited, got %q, %v, want %q", b, err, text)
		}
		cells, err := Cells(s, c)
		if err == nil && len(cells) > MaxCells {
			t.Fatalf("%d cells", len(cells))
		}
		touch(&s)
		if b, err = s.Save(); err != nil {
			return
		}
		back, err := Parse(b)
		if err != nil || !same(back.node(), s.node()) {
			t.Fatalf("%q edited is saved as %q: %v", text, b, err)
		}
	})
}

func FuzzCSV(f *testing.F) {
	f.Add("q,__expected\n1,contains: a\n\"x\n\",\n")
	f.Add("\ufeffa,b\r\n1,2\r\n")
	f.Add("a,__config:__expected:threshold,__expected\n1,2,levenshtein: x\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := reader{left: maxNodes}
		tests, err := r.csv(text)
		if err == nil && len(tests) == 0 {
			t.Fatal("no cases and no error")
		}
	})
}
