package suite

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
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
			if got := Variables(tt.text); !slices.Equal(got, tt.names) {
				t.Errorf("Parse(%q) = %q, want %q", tt.text, got, tt.names)
			}
			got, err := Expand(tt.text, values)
			if err != nil || got != tt.want {
				t.Errorf("Expand(%q) = %q, %v, want %q", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestNamesAreBounded(t *testing.T) {
	fits, tooLong := strings.Repeat("ß", 64), strings.Repeat("ß", 65)
	if !isVariableName(fits) || isVariableName(tooLong) {
		t.Error("a name has at most 64 characters")
	}
	text := "{{" + tooLong + "}} {{" + fits + "}}"
	got, err := Expand(text, map[string]string{fits: "short", tooLong: "long"})
	if want := "{{" + tooLong + "}} short"; got != want || err != nil {
		t.Errorf("expanded to %q, %v, want %q", got, err, want)
	}
}

func TestExpandListsWhatIsMissing(t *testing.T) {
	got, err := Expand("{{b}} {{a}} {{b}} {{c}}", map[string]string{"c": "1"})
	var missing *MissingVariablesError
	if got != "" || !errors.As(err, &missing) || !slices.Equal(missing.Names, []string{"b", "a"}) {
		t.Errorf("got %q, %v, want the names b and a", got, err)
	}
	if want := "no value for b, a"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestForeign(t *testing.T) {
	tests := []struct {
		text string
		want []foreignTemplate
	}{
		{"{{name}} {{{{x}}}}", nil},
		{"{{ name | upper }}\nand {% if\na %}x{% endif %}\n{{x}}{# note #}",
			[]foreignTemplate{{"{{ name | upper }}", 0}, {"{% if\na %}", 1}, {"{% endif %}", 2}, {"{# note #}", 3}}},
		{"{{env.KEY}}", []foreignTemplate{{"{{env.KEY}}", 0}}},
		{"{{}} {%", nil},
		{"{{" + strings.Repeat("é.", 40) + "}}", []foreignTemplate{{"{{" + strings.Repeat("é.", 40) + "}}", 0}}},
	}
	for _, tt := range tests {
		if got := foreignTemplates(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("Foreign(%q) = %v, want %v", tt.text, got, tt.want)
		}
	}
}

func TestForeignIsLinear(t *testing.T) {
	if got := foreignTemplates(strings.Repeat("{%{#{{ .", 1<<17)); got != nil {
		t.Errorf("got %d pieces, want none", len(got))
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
			for _, row := range Combinations(values, tt.order) {
				got = append(got, row["a"]+row["b"]+row["c"])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	if got := Combinations(nil, nil); !reflect.DeepEqual(got, []map[string]string{{}}) {
		t.Errorf("no variables make %v, want one empty combination", got)
	}
	if got := Combinations(map[string][]string{"a": {}}, nil); got != nil {
		t.Errorf("a variable without values makes %v, want none", got)
	}
}

func TestCountIsBounded(t *testing.T) {
	many := map[string][]string{}
	for i := range 80 {
		many[fmt.Sprint(i)] = []string{"a", "b"}
	}
	if got := countCombinations(many); got <= maxCombinations {
		t.Errorf("2^80 combinations count as %d", got)
	}
	if Combinations(many, nil) != nil {
		t.Error("a matrix past the bound was made")
	}
	many["none"] = nil
	if got := countCombinations(many); got != 0 {
		t.Errorf("got %d, want 0", got)
	}
}

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"", "{{a}}", "{{{{a}}}}", "{{{a}}}", "{{ a }} }}}} {{{{{", "{{ {{ }}}}",
		`{"a":{"b":{}}}`, "{%x%}", "\xff{{\xff}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names := Variables(text)
		values := map[string]string{}
		for _, name := range names {
			if !isVariableName(name) {
				t.Fatalf("Parse(%q) names %q", text, name)
			}
			values[name] = "v"
		}
		if _, err := Expand(text, values); err != nil {
			t.Fatalf("Expand(%q): %v", text, err)
		}
		if len(names) > 0 {
			if _, err := Expand(text, nil); err == nil {
				t.Fatalf("Expand(%q) wants no values", text)
			}
		}
		if got, err := Expand(escapeTemplate(text), nil); err != nil || got != text {
			t.Fatalf("Expand(Escape(%q)) = %q, %v by way of %q", text, got, err, escapeTemplate(text))
		}
		for _, piece := range foreignTemplates(escapeTemplate(text)) {
			if strings.HasPrefix(piece.Text, "{{") {
				t.Fatalf("Escape(%q) = %q, in which promptfoo would read %q", text, escapeTemplate(text), piece.Text)
			}
		}
	})
}
