package suite_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/service/suite"
)

// prompt returns the prompt that a suite sends for a template and values.
func prompt(t *testing.T, template string, vars map[string]string) (string, error) {
	t.Helper()
	written, err := json.Marshal(map[string]any{"prompts": []any{map[string]any{"raw": template}},
		"providers": []string{"llm:alpha"}, "tests": []any{map[string]any{"vars": vars}}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := load(t, string(written))
	if err != nil {
		return "", err
	}
	cells, err := suite.Calls(s, catalogue(t))
	if err != nil {
		return "", err
	}
	return cells[0].Prompt, nil
}

// TestTemplatesOfNunjucks renders templates whose results nunjucks gave. The differences are those of
// docs/promptfoo.md.
func TestTemplatesOfNunjucks(t *testing.T) {
	text, err := os.ReadFile("testdata/nunjucks.json")
	if err != nil {
		t.Fatal(err)
	}
	var canned struct {
		Vars      map[string]string
		Templates [][2]string
	}
	if err := json.Unmarshal(text, &canned); err != nil {
		t.Fatal(err)
	}
	differences := map[string]string{
		"{{a.b}}":     `{"c":"C"}`, // mappings and lists are written as JSON
		"{{ a }}":     `{"b":{"c":"C"}}`,
		"{{ list }}":  `["x","y"]`,
		"{{ nul }}|":  "null|",
		"{{ n * 2 }}": "* is not for expressions",
		"{% if emptylist %}y{% else %}n{% endif %}": "n", // empty lists do not hold
		// Names of mappings are in alphabetical order.
		"{% for k, v in a2 %}{{k}}={{v}};{% endfor %}": "y=two;z=1;",
		"{{ objs | dump }}":                            `[{"age":3,"name":"Ana"},{"age":4.5,"name":"Bo"}]`,
		"{{ objs | dump(2) }}":                         "\"age\": 3,\n    \"name\"",
		"{{ a.missing }}|":                             "no value for a.missing",
		"{% raw %}{{x}}{% endraw %}":                   "it does if, elif, else and for",
		"{% set z = 1 %}{{ z }}":                       "it does if, elif, else and for",
		"{{ {a: 1} | dump }}":                          "{ is not for expressions",
		"{{ {'a': 1}.a }}":                             "{ is not for expressions",
		"{{ name.toUpperCase() }}":                     "runs no code",
		"{{ name | indent(2) }}":                       `no filter "indent"`,
		"{{ long | truncate(8) }}":                     `no filter "truncate"`,
		"{{ long | wordcount }}":                       `no filter "wordcount"`,
		"{{ list | slice(2) | dump }}":                 `no filter "slice"`,
	}
	alike := 0
	for _, c := range canned.Templates {
		got, err := prompt(t, c[0], canned.Vars)
		if err != nil {
			got = err.Error()
		}
		want, differs := differences[c[0]]
		switch delete(differences, c[0]); {
		case differs && !strings.Contains(got, want), !differs && got != c[1]:
			t.Errorf("%s\n got %q\nwant %q", c[0], got, c[1])
		case !differs:
			alike++
		}
	}
	if left := slices.Collect(maps.Keys(differences)); len(left) > 0 && !slices.Equal(left, []string{"{{ nul }}|"}) {
		t.Errorf("there are no templates %q", left)
	}
	t.Logf("%d of %d templates are rendered as nunjucks does", alike, len(canned.Templates))
}

func TestTemplatesWithNamesOfConfab(t *testing.T) {
	const quoted = `say \"hi\"`
	for template, want := range map[string]string{
		"{{a-b}} {{ c | upper }}":                              "x Y",
		"{{{{ c }}}} {{ c | upper }}":                          "{{ c }} Y",
		"{% if c %}{{a-b}}{% endif %}{{a-b}}":                  "xx",
		"{{d}} {{ d | string }} {{ c | upper }}":               "1.10 1.10 Y",
		"{% for c in l %}{{c}}{% endfor %}{{ c }}":             "12y",
		`[{"role": "user", "content": "{{ q | trim }}"}]`:      quoted,
		`[{"role": "user", "content": {{ q | trim | dump }}}]`: quoted,
		"- role: user\n  content: '{{ q | trim }}: {{ a-b }}'": quoted + ": x",
		"- role: user\n  content: |\n    {{ q | trim }} {{c}}": quoted + " y",
	} {
		got, err := prompt(t, template, map[string]string{"a-b": "x", "c": "y", "d": "1.10", "l": "[1,2]",
			"q": " say \"hi\"\n"})
		if isMessage := strings.Contains(template, "role"); err != nil || got != want && !isMessage ||
			isMessage && !strings.Contains(got, `"`+want+`"`) {
			t.Errorf("%s: got %q, %v, want %q", template, got, err, want)
		}
	}
}

func TestTemplatesAreBounded(t *testing.T) {
	list := "[" + strings.Repeat("1,", 9999) + "1]"
	long := strings.Repeat(`\"`, 100_000)
	for name, template := range map[string]string{
		"loops":        "{% for a in l %}{% for b in l %}{% for c in l %}{% endfor %}{% endfor %}{% endfor %}",
		"depth":        strings.Repeat("{% if l %}", 1000) + strings.Repeat("{% endif %}", 1000),
		"an operator":  `{{ "a" * 999999999 }}`,
		"a call":       "{% for i in range(999999999) %}{% endfor %}",
		"joins":        "{{ t " + strings.Repeat("~ t ", 30) + "}}",
		"dumps":        "{{ t" + strings.Repeat("|dump", 100) + "}}",
		"a filter":     "{{ l | join(t) }}",
		"replacements": "{{ t | replace('', t) }}",
		"a long tag":   "{{ " + strings.Repeat("(", 100_000) + "t" + strings.Repeat(")", 100_000) + " }}",
		"the result":   "{% for a in l %}{{t|trim}}{% endfor %}",
		"the text":     "{% for a in l %}" + strings.Repeat("x", 500_000) + "{% endfor %}",
		"no number":    "{{ 1 // 0 }}{{ 1 % 0 }}",
	} {
		began := time.Now()
		if got, err := prompt(t, template, map[string]string{"l": list, "t": long}); err == nil {
			t.Errorf("%s: got %d bytes", name, len(got))
		}
		if d := time.Since(began); d > time.Minute { // without bounds it takes longer, or all memory
			t.Errorf("%s takes %s", name, d)
		}
	}
}
