package suite_test

import (
	"testing"

	"confab/history"
	"confab/service/suite"
)

// TestChecksHaveReadableNames reads the labels of checks from the names that runs store.
func TestChecksHaveReadableNames(t *testing.T) {
	ms := func(n float64) *float64 { return &n }
	for want, s := range map[string]spec{
		`needs "days"`:                           {kind: "icontains", value: `"days"`},
		`forbids "policy"`:                       {kind: "not-icontains", value: `"policy"`},
		`needs "a", "b" or "c"`:                  {kind: "contains-any", value: `["a", "b", "c"]`},
		`needs "a" and "b"`:                      {kind: "icontains-all", value: `["a", "b"]`},
		`must equal "a"`:                         {kind: "equals", value: `"a"`},
		`must not start with "a"`:                {kind: "not-starts-with", value: `"a"`},
		`needs /\d+ (days)/`:                     {kind: "regex", value: `"\\d+ (days)"`},
		`needs "a very long text that is cut …"`: {kind: "contains", value: `"a very long text that is cut at its end"`},
		"at most 110 words":                      {kind: "word-count", value: `{"max": 110}`},
		"at least 3 words":                       {kind: "word-count", value: `{"min": 3}`},
		"not 10 to 20 words":                     {kind: "not-word-count", value: `{"min": 10, "max": 20}`},
		"7 words":                                {kind: "word-count", value: `7`},
		"within 1.5 s":                           {kind: "latency", threshold: ms(1500)},
		"first token within 300 ms":              {kind: "first-token", threshold: ms(300), isOwn: true},
		"costs at most 0.01":                     {kind: "cost", threshold: ms(0.01)},
		`near "a" (2)`:                           {kind: "levenshtein", value: `"a"`, threshold: ms(2)},
		"JavaScript":                             {kind: "javascript", value: `"output.length > 20"`},
		`rubric "is polite" (0.8)`:               {kind: "llm-rubric", value: `"is polite"`, threshold: ms(0.8)},
		"must be JSON":                           {kind: "is-json"},
		"must not be JSON":                       {kind: "not-is-json"},
		"needs JSON":                             {kind: "contains-json", value: `{"type": "object"}`},
		"must not refuse":                        {kind: "not-is-refusal"},
		"not same as other":                      {kind: "not-same-as", value: `"other"`, isOwn: true},
		"at most 2MB":                            {kind: "bytes-max", value: `"2MB"`, isOwn: true},
		`bleu "a"`:                               {kind: "bleu", value: `"a"`},
		"needs aspect ratio 16:9 (0.02)":         {kind: "image-aspect", value: `"16:9"`, threshold: ms(0.02), isOwn: true},
		`needs finish reason stop`:               {kind: "finish-reason", value: `"stop"`},
		`must agree with "Oslo is in (north) Norway by …"`: {
			kind: "factuality", value: `"Oslo is in (north) Norway by the fjord"`},
	} {
		checks, err := checksOf(nil, s)
		if err != nil {
			t.Fatal(want, err)
		}
		if got := suite.CheckLabel(history.CheckResult{Name: checks[0].String()}); got != want {
			t.Errorf("%s is called %q, want %q", checks[0], got, want)
		}
	}
}

// TestAFailedCheckSaysWhatItRequires checks that a check is called the same whether it passed or failed, with the
// reason where that says more.
func TestAFailedCheckSaysWhatItRequires(t *testing.T) {
	for want, r := range map[string]history.CheckResult{
		`needs "a"`:                             {Name: `contains "a"`, Reason: `the text does not contain "a"`},
		`forbids "a"`:                           {Name: `not-contains "a"`, Reason: `the text contains "a"`},
		`must not refuse`:                       {Name: `not-is-refusal`},
		`at most 3 words: the text has 4 words`: {Name: `word-count {"max":3}`, Reason: "the text has 4 words"},
		`tone: the text has no b`:               {Name: "equals b", Metric: "tone", Reason: "the text has no b"},
	} {
		if got := suite.FailureText(r); got != want {
			t.Errorf("the failed %s says %q, want %q", r.Name, got, want)
		}
	}
}

// TestAMetricNamesItsCheck checks that the suite's own name of a check is kept with its result.
func TestAMetricNamesItsCheck(t *testing.T) {
	s := must(t, "prompts: [a]\nproviders: [llm:alpha]\ntests:\n  - vars: {tone: warm}\n    assert:\n"+
		"      - {type: icontains, value: sorry, metric: 'politeness, {{tone}}'}\n"+
		"      - {type: assert-set, metric: 'all of {{tone}}', assert: [{type: equals, value: a}]}\n")
	input := suite.AnswerInput{Kind: history.KindText, Text: "no"}
	var got []string
	for _, r := range suite.Judge(t.Context(), cellsOf(t, s)[0].Checks, input, nil) {
		got = append(got, suite.CheckLabel(r))
	}
	want := []string{"politeness, warm", `must equal "a"`, "all of warm"}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("the checks are called %q, want %q", got, want)
	}
}
