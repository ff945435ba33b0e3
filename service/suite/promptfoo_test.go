package suite_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/javascript"
	"confab/service/suite"
)

// difference is an intended difference from promptfoo's verdicts, with the words of docs/promptfoo.md that explain it.
// The canned verdicts that it is about hold the last text.
type difference struct{ from, to, docs, holds string }

func differences() (all []difference) {
	const refused = "are skipped"
	for _, d := range [][]string{
		{"error", "pass", "`true` as its text", `"value":true`, `"value":42`},
		{"error", "pass", "threshold as the value", `"value":5000`},
		{"pass", "error", "An empty text in a list", `["a",""]`},
		{"pass", "skipped", "An empty answer", `"out":"","assert":[{"type":"`, `"out":"  ","assert":`,
			`"out":"\u00a0","assert":`, `"out":"\u0085","assert":`},
		{"error", "fail", "`true` as its schema", `"value":true`},
		{"fail", "pass", "beyond 1e308", `1e400`},
		{"fail", "pass", "An emoji is one character", `"levenshtein","value":""`},
		{"pass", "fail", "An emoji is one character", `"not-levenshtein","value":""`},
		{"fail", "skipped", "`finish-reason` is skipped", `"out":"x","assert":[{"type":"finish-reason"`},
		{"pass", "skipped", "`finish-reason` is skipped", `"out":"x","assert":[{"type":"not-finish-reason"`},
		{"fail", "error", "An expression that does not compile", `(?i)SORRY`, `(?m)^line2$`, `"value":"["`, `^a++$`},
		{"error", "pass", "Braces in an answer", `{{\"a\":1}}","assert":[{"type":"contains-json"`},
		{"error", "fail", "Braces in an answer", `{{\"a\":1}}","assert":[{"type":"not-`},
		{"error", "fail", "2020-12", `2020-12/schema`},
		{"fail", "pass", "`multipleOf`", `"multipleOf"`},
		{"fail", "pass", "within mappings", `"const":"{{who}}"`},
		{"pass", "skipped", "What the answer cost", `"cost"`},
		{"fail", "skipped", "`transform`", `output.toUpperCase()`},
		{"pass", "skipped", "No check", `"assert":[]`},
		{"pass", "skipped", refused, "rouge-n", "bleu", "gleu", "python", "guardrails", "is-sql"},
		{"fail", "skipped", refused, `"similar"`, "is-sql"},
		{"error", "skipped", refused, "meteor", "perplexity", "classifier"},
		{"throw", "skipped", refused, "select-best", "webhook"},
	} {
		for _, holds := range d[3:] {
			all = append(all, difference{d[0], d[1], d[2], holds})
		}
	}
	return all
}

// TestVerdictsOfPromptfoo judges answers that promptfoo judged: confab says the same, or the difference is one that
// docs/promptfoo.md explains. Where both judge, at most one verdict in a hundred differs.
func TestVerdictsOfPromptfoo(t *testing.T) {
	page, err := os.ReadFile("../../docs/promptfoo.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(string(page)), " ")
	left, seen := differences(), map[difference]bool{}
	for _, file := range []string{"promptfoo-verdicts.json", "promptfoo-more.json"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		var all []json.RawMessage
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		judged, alike := 0, 0
		for _, written := range all {
			var canned cannedVerdict
			if err := json.Unmarshal(written, &canned); err != nil {
				t.Fatal(err)
			}
			got, why := canned.judge(t)
			if isVerdict := func(s string) bool { return s == "pass" || s == "fail" }; isVerdict(got) &&
				isVerdict(canned.Verdict) {
				judged++
			}
			if got == canned.Verdict {
				if got != "error" {
					alike++
				}
				continue
			}
			var line bytes.Buffer
			if err := json.Compact(&line, written); err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(left, func(d difference) bool {
				return d.from == canned.Verdict && d.to == got && strings.Contains(line.String(), d.holds)
			})
			if i < 0 {
				t.Errorf("promptfoo says %s and confab %s of %s: %s", canned.Verdict, got, line.String(), why)
				continue
			}
			seen[left[i]] = true
		}
		if t.Logf("%s: %d of %d verdicts are alike", file, alike, judged); alike*100 < judged*99 {
			t.Errorf("%s: only %d of %d verdicts are alike", file, alike, judged)
		}
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

// cannedVerdict is a verdict of promptfoo on an answer.
type cannedVerdict struct {
	Out     string
	Assert  []any
	Test    map[string]any
	Finish  string // why the answer ended
	Verdict string
}

// judge returns what confab says of the answer, in the words of the canned verdicts.
func (c cannedVerdict) judge(t *testing.T) (verdict, why string) {
	t.Helper()
	test := map[string]any{"assert": c.Assert, "vars": map[string]any{
		"out": strings.NewReplacer("{", "", "}", "").Replace(c.Out)}}
	for name, value := range c.Test {
		if vars, ok := value.(map[string]any); ok && name == "vars" {
			maps.Copy(test["vars"].(map[string]any), vars)
		} else {
			test[name] = value
		}
	}
	written, err := json.Marshal(map[string]any{"prompts": []string{"x"}, "tests": []any{test},
		"providers": []any{map[string]any{"id": "llm:alpha", "label": "echo"}}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := load(t, string(written), "val.txt", "sorry", "schema.yaml", "required: [zip]")
	var cells []suite.Call
	if err == nil {
		cells, err = suite.Calls(s, catalogue(t))
	}
	if err != nil {
		return "error", err.Error()
	}
	// promptfoo's echo was asked with the answer as a variable, from which promptfoo drops a last line break.
	text := s.Tests[0].Prefix + strings.TrimSuffix(c.Out, "\n")
	a := history.Answer{State: history.Done, Kind: history.KindText, Text: text,
		Finish: chat.FinishReason(c.Finish), Elapsed: time.Millisecond}
	input := suite.InputOf(a, "")
	input.Scripts = javascript.ThisProgram()
	results := suite.Judge(t.Context(), cells[0].Checks, input, nil)
	switch history.StatusOf(history.Done, history.EndsWhole, results).Verdict() {
	case history.VerdictPassed:
		return "pass", ""
	case history.VerdictFailed:
		return "fail", fmt.Sprint(results)
	}
	return "skipped", fmt.Sprint(results)
}
