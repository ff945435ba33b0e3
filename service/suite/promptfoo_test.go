package suite_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service/suite"
)

// difference is an intended difference from promptfoo's verdicts, with the words of docs/suites.md that explain it.
// The lines of the canned verdicts that it is about hold the last text.
type difference struct{ from, to, docs, holds string }

func differences() (all []difference) {
	const regex = "RE2 expression (no look-around, no back-references)"
	const format = "`format` is not judged"
	const strict = "promptfoo's contains-json forgives comments"
	const other = "A check that needs a second model or a script"
	const lenient = "takes a number or `true` as its text"
	for _, d := range [][]string{
		{"error", "pass", lenient, `"value": true`, `"value": 42`, `"value": 5000`},
		{"pass", "error", "an empty text in a list is an error", `["a", ""]`},
		{"pass", "fail", "blanks at the end count", `"Yes\n"`, `"abc\n"`},
		{"pass", "skipped", "is empty proves nothing", `"out": "", "assert": [{"type": "equals"`},
		{"fail", "pass", regex, `(?i)SORRY`, `[[:digit:]]`, `(?m)^line2$`},
		{"pass", "error", regex, `(\\w)\\1`, `(?<=order )`, `\\u0078`},
		{"fail", "error", regex, `"value": "["`, `^a++$`, `[^]`},
		{"pass", "fail", strict, `{a:1}`, `\"a\":1,}`, `{\"a\":1 // c\n}", "assert": [{"type": "contains-json"`},
		{"fail", "pass", strict, `{\"a\":1 // c\n}", "assert": [{"type": "not-`},
		{"error", "pass", strict, `{{\"a\":1}}", "assert": [{"type": "contains-json"`},
		{"error", "fail", strict, `{{\"a\":1}}", "assert": [{"type": "not-`},
		{"fail", "skipped", format, `"format": `}, {"pass", "skipped", format, `"format": "date"`},
		{"error", "fail", "or 2020-12 where `$schema` says so", `2020-12/schema`},
		{"pass", "error", "Keywords that JSON Schema does not have are errors", `"nullable"`},
		{"pass", "error", "without look-around", `"pattern": "^(?=a)"`},
		{"fail", "pass", "also in lists and mappings", `"const": "{{who}}"`},
		{"pass", "skipped", "is skipped where the service counts no tokens", `"cost"`},
		{"pass", "skipped", "`weight: 0`", `"weight": 0`},
		{"fail", "skipped", "`transform`", `output.toUpperCase()`},
		{"pass", "fail", "every check counts", `"threshold": 0.6`},
		{"pass", "skipped", "| `unchecked` | has no check", `"assert": []`},
		{"pass", "skipped", other, "rouge-n", "bleu", "gleu", "python", "not-javascript", "guardrails", "is-xml",
			"is-html", "is-sql", "is-refusal"},
		{"fail", "skipped", other, `"javascript"`, `"similar"`, "assert-set", "is-xml", "is-html", "is-sql", "is-refusal"},
		{"error", "skipped", other, "meteor", "perplexity", "classifier"},
		{"throw", "skipped", other, "select-best", "webhook"},
	} {
		for _, holds := range d[3:] {
			all = append(all, difference{d[0], d[1], d[2], holds})
		}
	}
	return all
}

// TestVerdictsOfPromptfoo judges answers that promptfoo judged: confab says the same, or the difference is one that
// docs/suites.md explains.
func TestVerdictsOfPromptfoo(t *testing.T) {
	text, err := os.ReadFile("testdata/promptfoo-verdicts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/suites.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(string(page)), " ")
	left := differences()
	seen := map[difference]bool{}
	for line := range strings.Lines(string(text)) {
		var canned struct {
			Out     string
			Assert  []any
			Test    map[string]any
			Verdict string
		}
		if err := json.Unmarshal([]byte(line), &canned); err != nil {
			t.Fatal(err)
		}
		got, why := verdictOf(t, canned.Out, canned.Assert, canned.Test)
		if got == canned.Verdict {
			continue
		}
		i := slices.IndexFunc(left, func(d difference) bool {
			return d.from == canned.Verdict && d.to == got && strings.Contains(line, d.holds)
		})
		if i < 0 {
			t.Errorf("promptfoo says %s and confab %s of %s: %s", canned.Verdict, got, strings.TrimSpace(line), why)
			continue
		}
		seen[left[i]] = true
	}
	for _, d := range left {
		if !seen[d] {
			t.Errorf("there is no difference any more: %+v", d)
		}
		if !strings.Contains(words, d.docs) {
			t.Errorf("the page does not explain %q", d.docs)
		}
	}
}

// verdictOf returns what confab says of an answer in the words of the canned verdicts.
func verdictOf(t *testing.T, out string, assert []any, test map[string]any) (verdict, why string) {
	t.Helper()
	if test == nil {
		test = map[string]any{}
	}
	test["assert"] = assert
	vars, _ := test["vars"].(map[string]any)
	test["vars"] = map[string]any{"out": strings.NewReplacer("{", "", "}", "").Replace(out)}
	maps.Copy(test["vars"].(map[string]any), vars)
	written, err := json.Marshal(map[string]any{"prompts": []string{"x"}, "providers": []string{"llm:alpha"},
		"tests": []any{test}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := load(t, string(written))
	var cells []suite.Call
	if err == nil {
		cells, err = suite.Calls(s, catalogue(t))
	}
	if err != nil {
		return "error", err.Error()
	}
	a := history.Answer{State: history.Done, Kind: history.KindText, Text: out, Elapsed: time.Millisecond}
	results := suite.Judge(t.Context(), cells[0].Checks, suite.InputOf(a, ""), nil)
	switch history.StatusOf(history.Done, results).Verdict() {
	case history.VerdictPassed:
		return "pass", ""
	case history.VerdictFailed:
		return "fail", fmt.Sprint(results)
	}
	return "skipped", fmt.Sprint(results)
}
