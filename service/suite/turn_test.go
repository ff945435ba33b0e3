package suite_test

import (
	"fmt"
	"strings"
	"testing"

	"confab/history"
	"confab/service/suite"
)

// filledIn returns a turn of a template.
func filledIn(t *testing.T, template, system string, vars map[string]string) history.Turn {
	t.Helper()
	turn := history.Turn{Template: template, SystemTemplate: system, Vars: vars, Samples: 1,
		Answers: []history.Answer{{Model: "alpha", Kind: history.KindText}}}
	var err error
	if turn.Prompt, err = suite.Expand(template, vars); err != nil {
		t.Fatal(err)
	}
	if turn.System, err = suite.Expand(system, vars); err != nil {
		t.Fatal(err)
	}
	return turn
}

func TestFromTurnsOfAMatrix(t *testing.T) {
	text, err := suite.FromTurns(
		filledIn(t, "Write to {{who}}: {{{{who}}}}", "Be {{how}}", map[string]string{"who": "Ana", "how": "no"}),
		filledIn(t, "Write to {{who}}: {{{{who}}}}", "Be {{how}}", map[string]string{"who": "{{Ben}}\n", "how": "no"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	const want = `prompts:
  - 'Write to {{who}}: {{{{who}}}}'
providers:
  - llm:alpha
defaultTest:
  vars:
    system: Be {{how}}
tests:
  - vars:
      who: Ana
      how: no
  - vars:
      who: |
        {{Ben}}
      how: no
`
	if string(text) != want {
		t.Errorf("got\n%s, want\n%s", text, want)
	}
}

// Turns of several prompts, system prompts, parameters and models are tests that say in what they differ.
func TestFromTurnsOfSeveralPrompts(t *testing.T) {
	warm := filledIn(t, "Write to {{who}}", "Be warm", map[string]string{"who": "Ana"})
	cold := filledIn(t, "Answer {{who}}", "", map[string]string{"who": "Ana"})
	warm.Params, cold.Params = history.Params{"temperature": 0.5}, history.Params{"temperature": 1.5}
	cold.Answers = append(cold.Answers, history.Answer{Model: "beta", Kind: history.KindText})
	cold.Samples = 3
	text, err := suite.FromTurns(warm, cold)
	const want = `prompts:
  - id: A
    raw: Write to {{who}}
  - id: B
    raw: Answer {{who}}
providers:
  - llm:alpha
  - llm:beta
tests:
  - vars:
      who: Ana
      system: Be warm
    options:
      temperature: 0.5
    prompts:
      - A
  - vars:
      who: Ana
    options:
      temperature: 1.5
    prompts:
      - B
evaluateOptions:
  repeat: 3
`
	if err != nil || string(text) != want {
		t.Errorf("%v, got\n%s, want\n%s", err, text, want)
	}
	var asked []string
	for _, c := range cellsOf(t, must(t, string(text))) {
		if c.Repeat == 1 && c.Model.Slug == "alpha" {
			asked = append(asked, fmt.Sprint(c.Prompt, " ", c.System, " ", c.Params["temperature"]))
		}
	}
	if got := strings.Join(asked, "|"); got != "Write to Ana Be warm 0.5|Answer Ana  1.5" {
		t.Errorf("it asks %s", got)
	}
}

// Prompts that were sent with the same values are a grid: a test for each value.
func TestFromTurnsOfAGrid(t *testing.T) {
	var turns []history.Turn
	for _, template := range []string{"Greet {{who}}", "Wave at {{who}}"} {
		for _, who := range []string{"Ana", "Ben"} {
			turns = append(turns, filledIn(t, template, "", map[string]string{"who": who}))
		}
	}
	const head = "prompts:\n  - id: A\n    raw: Greet {{who}}\n  - id: B\n    raw: Wave at {{who}}\nproviders:\n" +
		"  - llm:alpha\ntests:\n"
	text, err := suite.FromTurns(turns...)
	if want := head + "  - vars:\n      who: Ana\n  - vars:\n      who: Ben\n"; err != nil || string(text) != want {
		t.Errorf("%v, got\n%s, want\n%s", err, text, want)
	}
	if cells := cellsOf(t, must(t, string(text))); len(cells) != len(turns) {
		t.Errorf("%d calls, want %d", len(cells), len(turns))
	}
	text, err = suite.FromTurns(turns[:3]...)
	if cells := cellsOf(t, must(t, string(text))); err != nil || len(cells) != 3 {
		t.Errorf("%v, %d calls of a part of the grid:\n%s", err, len(cells), text)
	}
}

// The suite has exactly the prompts that were sent.
func TestFromTurnsAsksTheSame(t *testing.T) {
	broken := filledIn(t, "say {{a}}", "", map[string]string{"a": "b"})
	broken.Prompt = "say ***"
	lost := filledIn(t, "say {{a}}", "be {{b}}", map[string]string{"a": "b", "b": "c"})
	lost.Vars = nil
	plain := func(prompt, system string) history.Turn {
		return history.Turn{Prompt: prompt, System: system,
			Answers: []history.Answer{{Model: "alpha", Kind: history.KindText}}}
	}
	for name, turns := range map[string][]history.Turn{
		"plain":                      {plain("a", "")},
		"plain with a system prompt": {plain("{{a}} {{{{b}}}}", "{{a}}")},
		"the name of a file":         {plain("file://a.txt", "file://b.txt")},
		"several":                    {plain("a", ""), plain("file://{{b}}", "c"), plain("a", "d")},
		"a template":                 {filledIn(t, "{{ a }}{{b}}", "", map[string]string{"a": "", "b": " x\r\n\t"})},
		"a template like a file": {filledIn(t, "file://{{scheme}}", "file://{{scheme}}",
			map[string]string{"scheme": "b.txt"})},
		"a value like a file": {filledIn(t, "{{a}}", "", map[string]string{"a": "file://a.txt"}),
			filledIn(t, "{{a}}", "", map[string]string{"a": "b"})},
		"a variable called system": {filledIn(t, "{{system}} {{{{system}}}} {{system_2}}", "be {{system}}",
			map[string]string{"system": "x", "system_2": "{{system}}"})},
		"the system prompt of a suite": {filledIn(t, "{{a}} as {{system}}", "be {{a}}",
			map[string]string{"a": "b", "system": "be {{a}}"})},
		"only the system prompt varies": {filledIn(t, "{{{{x}}}}", "be {{a}}", map[string]string{"a": "b"}),
			filledIn(t, "{{{{x}}}}", "be {{a}}", map[string]string{"a": "c"})},
		"a masked value":         {broken},
		"no values":              {lost},
		"templates of promptfoo": {plain("{{ a | upper }}\n{% if b %}c{% endif %}{# d #}", "{% raw %}{{e}}")},
		"in a template": {filledIn(t, "{{brace}} {{ b | upper }} {% c %}{% c %}{# d #}", "{{brace}} {% e %}",
			map[string]string{"brace": "{% x %}"})},
		"odd text": {plain("\x00\x1b\u2028\u0085 \ufeff'\"", " : - #\n\n"), plain("null", "~")},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := suite.FromTurns(turns...)
			if err != nil {
				t.Fatal(err)
			}
			cells := cellsOf(t, must(t, string(text)))
			if len(cells) != len(turns) {
				t.Fatalf("%d calls of\n%s", len(cells), text)
			}
			for i, c := range cells {
				if c.Prompt != turns[i].Prompt || c.System != turns[i].System {
					t.Errorf("asks %q as %q, want %q as %q, with\n%s", c.Prompt, c.System, turns[i].Prompt,
						turns[i].System, text)
				}
			}
		})
	}
	if text, err := suite.FromTurns(plain("\xff", "")); err == nil ||
		!strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("broken UTF-8 became\n%s, %v", text, err)
	}
}
