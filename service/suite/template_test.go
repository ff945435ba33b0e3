package suite_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/service/suite"
)

func TestExpandTemplate(t *testing.T) {
	values := map[string]string{"name": "Ana", "order_id": "4417", "größe": "L", "empty": "", "sly": "{{name}}"}
	tests := []struct {
		name, text, want string
		names            []string
	}{
		{"nothing", "Hello", "Hello", nil},
		{"empty text", "", "", nil},
		{"one", "Hello {{name}}!", "Hello Ana!", []string{"name"}},
		{"blanks inside", "{{ name }}{{\tname\n}}", "AnaAna", []string{"name"}},
		{"order of appearance, each once", "{{order_id}} {{name}} {{order_id}}", "4417 Ana 4417",
			[]string{"order_id", "name"}},
		{"letters of any script", "{{größe}}", "L", []string{"größe"}},
		{"an empty value is a value", "[{{empty}}]", "[]", []string{"empty"}},
		{"a value is not a template", "{{sly}}", "{{name}}", []string{"sly"}},
		{"literal braces", "{{{{name}}}}", "{{name}}", nil},
		{"literal opening alone", "write {{{{ to open", "write {{ to open", nil},
		{"braces that close JSON", `{"a":{"b":{"c":{"d":1}}}}`, `{"a":{"b":{"c":{"d":1}}}}`, nil},
		{"closing braces first", "}}}} {{name}}}}}}", "}}}} Ana}}}}", []string{"name"}},
		{"JSON around a variable", `{"a":{"b":{{order_id}}}}`, `{"a":{"b":4417}}`, []string{"order_id"}},
		{"three braces", "{{{name}}}", "{Ana}", []string{"name"}},
		{"five braces", "{{{{{name}}", "{{{name}}", nil},
		{"a variable between literal braces", "{{{{ {{name}} }}}}", "{{ Ana }}", []string{"name"}},
		{"only the first closing is doubled", "{{{{x}}}} }}}}", "{{x}} }}}}", nil},
		{"Go template", "{{ .Values.x }}", "{{ .Values.x }}", nil},
		{"style of a page", "style={{color: 'red'}}", "style={{color: 'red'}}", nil},
		{"filter", "{{ name | upper }}", "{{ name | upper }}", nil},
		{"digit first", "{{1a}}", "{{1a}}", nil},
		{"empty braces", "{{}} {{ }}", "{{}} {{ }}", nil},
		{"unclosed", "{{name", "{{name", nil},
		{"closed by one", "{{name}", "{{name}", nil},
		{"broken UTF-8 stays", "\xff{{name}}\xfe", "\xffAna\xfe", []string{"name"}},
		{"a name too long", "{{" + strings.Repeat("n", 65) + "}}", "{{" + strings.Repeat("n", 65) + "}}",
			nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := suite.Variables(tt.text); !slices.Equal(got, tt.names) {
				t.Errorf("Parse(%q) = %q, want %q", tt.text, got, tt.names)
			}
			got, err := suite.Expand(tt.text, values)
			if err != nil || got != tt.want {
				t.Errorf("Expand(%q) = %q, %v, want %q", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestNamesAreBounded(t *testing.T) {
	fits, tooLong := strings.Repeat("ß", 64), strings.Repeat("ß", 65)
	for name, isTaken := range map[string]bool{fits: true, tooLong: false} {
		_, err := load(t, "prompts: a\nproviders: llm:alpha\ntests: {vars: {"+name+": b}}")
		if (err == nil) != isTaken {
			t.Errorf("a name has at most 64 characters, and one of %d bytes: %v", len(name), err)
		}
	}
	text := "{{" + tooLong + "}} {{" + fits + "}}"
	got, err := suite.Expand(text, map[string]string{fits: "short", tooLong: "long"})
	if want := "{{" + tooLong + "}} short"; got != want || err != nil {
		t.Errorf("expanded to %q, %v, want %q", got, err, want)
	}
}

func TestExpandListsWhatIsMissing(t *testing.T) {
	got, err := suite.Expand("{{b}} {{a}} {{b}} {{c}}", map[string]string{"c": "1"})
	var missing *suite.MissingVariablesError
	if got != "" || !errors.As(err, &missing) || !slices.Equal(missing.Names, []string{"b", "a"}) {
		t.Errorf("got %q, %v, want the names b and a", got, err)
	}
	if want := "no value for b, a"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

// TestForeignIsLinear finds promptfoo's templates in a text that begins many and ends none.
func TestForeignIsLinear(t *testing.T) {
	if _, err := load(t, "prompts: '"+strings.Repeat("{%{#{{ .", 100_000)+"'\nproviders: llm:alpha"); err != nil {
		t.Error(err)
	}
}

func TestMatrix(t *testing.T) {
	values := map[string][]string{"a": {"1", "2"}, "b": {"x", "y"}, "c": {"z"}}
	tests := []struct {
		name  string
		order []string
		want  []string
	}{
		{"last changes fastest", []string{"a", "b", "c"}, []string{"1xz", "1yz", "2xz", "2yz"}},
		{"another order", []string{"b", "a", "c"}, []string{"1xz", "2xz", "1yz", "2yz"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, row := range suite.Combinations(values, tt.order) {
				got = append(got, row["a"]+row["b"]+row["c"])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	if got := suite.Combinations(nil, nil); !reflect.DeepEqual(got, []map[string]string{{}}) {
		t.Errorf("no variables make %v, want one empty combination", got)
	}
	if got := suite.Combinations(map[string][]string{"a": {}}, nil); got != nil {
		t.Errorf("a variable without values makes %v, want none", got)
	}
}

func TestCombinationsAreBounded(t *testing.T) {
	many := map[string][]string{}
	for i := range 80 {
		many[fmt.Sprint(i)] = []string{"a", "b"}
	}
	if suite.Combinations(many, nil) != nil {
		t.Error("a matrix past the bound was made")
	}
}

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"", "{{a}}", "{{{{a}}}}", "{{{a}}}", "{{ a }} }}}} {{{{{", "{{ {{ }}}}",
		`{"a":{"b":{}}}`, "{%x%}", "\xff{{\xff}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names := suite.Variables(text)
		values := map[string]string{}
		for _, name := range names {
			values[name] = "v"
		}
		if _, err := suite.Expand(text, values); err != nil {
			t.Fatalf("Expand(%q): %v", text, err)
		}
		if len(names) > 0 {
			if _, err := suite.Expand(text, nil); err == nil {
				t.Fatalf("Expand(%q) wants no values", text)
			}
		}
		written, err := suite.FromTurns(history.Turn{Prompt: text, Samples: 1,
			Answers: []history.Answer{{Model: "alpha", Kind: history.KindText}}})
		if err != nil || strings.TrimSpace(text) == "" {
			return // YAML cannot hold every text
		}
		s, err := load(t, string(written))
		if err != nil {
			t.Fatalf("%q is written as %s: %v", text, written, err)
		}
		if calls, err := suite.Calls(s, catalogue(t)); err == nil && calls[0].Prompt != text {
			t.Fatalf("%q is written as %s, which asks %q", text, written, calls[0].Prompt)
		}
	})
}
