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
		`contains "days"`:                           {kind: "icontains", value: `"days"`},
		`no "policy"`:                               {kind: "not-icontains", value: `"policy"`},
		`contains "a", "b" or "c"`:                  {kind: "contains-any", value: `["a", "b", "c"]`},
		`contains "a" and "b"`:                      {kind: "icontains-all", value: `["a", "b"]`},
		`equals "a"`:                                {kind: "equals", value: `"a"`},
		`not starts with "a"`:                       {kind: "not-starts-with", value: `"a"`},
		`matches /\d+ (days)/`:                      {kind: "regex", value: `"\\d+ (days)"`},
		`contains "a very long text that is cut …"`: {kind: "contains", value: `"a very long text that is cut at its end"`},
		"at most 110 words":                         {kind: "word-count", value: `{"max": 110}`},
		"at least 3 words":                          {kind: "word-count", value: `{"min": 3}`},
		"not 10 to 20 words":                        {kind: "not-word-count", value: `{"min": 10, "max": 20}`},
		"7 words":                                   {kind: "word-count", value: `7`},
		"within 1.5 s":                              {kind: "latency", threshold: ms(1500)},
		"first token within 300 ms":                 {kind: "first-token", threshold: ms(300), isOwn: true},
		"costs at most 0.01":                        {kind: "cost", threshold: ms(0.01)},
		`distance from "a" (2)`:                     {kind: "levenshtein", value: `"a"`, threshold: ms(2)},
		"JavaScript":                                {kind: "javascript", value: `"output.length > 20"`},
		`rubric "is polite" (0.8)`:                  {kind: "llm-rubric", value: `"is polite"`, threshold: ms(0.8)},
		"JSON":                                      {kind: "is-json"},
		"not JSON":                                  {kind: "not-is-json"},
		"contains JSON":                             {kind: "contains-json", value: `{"type": "object"}`},
		"no refusal":                                {kind: "not-is-refusal"},
		"not same as other":                         {kind: "not-same-as", value: `"other"`, isOwn: true},
		"at most 2MB":                               {kind: "bytes-max", value: `"2MB"`, isOwn: true},
		`bleu "a"`:                                  {kind: "bleu", value: `"a"`},
		"aspect ratio 16:9 (0.02)":                  {kind: "image-aspect", value: `"16:9"`, threshold: ms(0.02), isOwn: true},
		`finish reason stop`:                        {kind: "finish-reason", value: `"stop"`},
		`agrees with "Oslo is in (north) Norway by …"`: {kind: "factuality", value: `"Oslo is in (north) Norway by the fjord"`},
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

// TestAFailedCheckSaysWhatIsWrong reads what stands where a check failed: the opposite of what it requires.
func TestAFailedCheckSaysWhatIsWrong(t *testing.T) {
	for want, r := range map[string]history.CheckResult{
		`lacks "sorry"`:             {Name: `icontains "sorry"`},
		`has "short"`:               {Name: `not-icontains "short"`},
		`lacks "a" and "b"`:         {Name: `contains-any ["a","b"]`},
		`lacks "a" or "b"`:          {Name: `icontains-all ["a","b"]`},
		`has "a" or "b"`:            {Name: `not-contains-any ["a","b"]`},
		`does not start with "a"`:   {Name: `starts-with "a"`},
		`no match of /a/`:           {Name: `regex "a"`},
		`more than 110 words`:       {Name: `word-count {"max":110}`},
		`fewer than 3 words`:        {Name: `word-count {"min":3}`},
		`not 10 to 20 words`:        {Name: `word-count {"min":10,"max":20}`},
		`10 to 20 words`:            {Name: `not-word-count {"min":10,"max":20}`},
		`at most 3 words`:           {Name: `not-word-count {"max":3}`},
		`took over 1.5 s`:           {Name: `latency (1500)`},
		`costs more than 0.01`:      {Name: `cost (0.01)`},
		`not JSON`:                  {Name: `is-json`},
		`fails rubric "kind" (0.8)`: {Name: `llm-rubric "kind" (0.8)`},
		`refusal`:                   {Name: `not-is-refusal`},
		`bleu "a"`:                  {Name: `bleu "a"`},
		`politeness`:                {Name: `contains "a"`, Metric: "politeness"},
	} {
		if got := suite.FailureLabel(r); got != want {
			t.Errorf("the failed %s is called %q, want %q", r.Name, got, want)
		}
	}
	for want, r := range map[string]history.CheckResult{
		`lacks "a"`: {Name: `contains "a"`, Reason: `the text does not contain "a"`},
		`more than 3 words: the text has 4 words`: {Name: `word-count {"max":3}`, Reason: "the text has 4 words"},
		`tone failed: the text has no b`:          {Name: "equals b", Metric: "tone", Reason: "the text has no b"},
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
	want := []string{"politeness, warm", `equals "a"`, "all of warm"}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("the checks are called %q, want %q", got, want)
	}
}
