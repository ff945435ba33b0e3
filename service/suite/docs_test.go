package suite_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/javascript"
	"confab/service/api"
	"confab/service/suite"
)

// TestDocs loads every example of the documentation and judges its answers.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/suites.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../../ui/browse/example_suite.yaml") // which the screen shows
	if err != nil {
		t.Fatal(err)
	}
	page = fmt.Appendf(page, "```yaml\n%s```\n", example)
	asserts, own := suite.CheckTypes()
	missing := append(asserts, own...)
	examples := 0
	for _, m := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		examples++
		example := m[1]
		if !strings.HasPrefix(example, "assert:") && !strings.HasPrefix(example, "x-checks:") {
			t.Run(fmt.Sprintf("suite %d", examples), func(t *testing.T) {
				s := must(t, example, "cases.csv", "mail,tone,__expected\nHi,warm,contains: Hi\n")
				cells, err := suite.Calls(s, api.Default())
				if err != nil || len(cells) == 0 || len(s.Unapplied) > 0 {
					t.Errorf("got %d cells, %v and the notes %v", len(cells), err, s.Unapplied)
				}
			})
			continue
		}
		text := "prompts: [a]\nproviders: [llm:alpha, {id: llm:beta, label: other}]\ntests:\n  - " +
			strings.ReplaceAll(strings.TrimSpace(example), "\n", "\n    ") + "\n"
		c := cellsOf(t, must(t, text))[0]
		name := ""
		for _, one := range c.Checks {
			name += one.Type + " "
			missing = slices.DeleteFunc(missing,
				func(s string) bool { return s == strings.TrimPrefix(one.Type, "not-") })
		}
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{}
			for _, line := range strings.Split(example, "\n") {
				verdict, answer, ok := strings.Cut(strings.TrimPrefix(line, "# "), ": ")
				want, known := map[string]string{"passes": history.CheckPassed, "fails": history.CheckFailed,
					"skipped": history.CheckSkipped}[verdict]
				if !ok || !known || !strings.HasPrefix(line, "# ") {
					continue
				}
				seen[verdict] = true
				input := answerOf(t, answer)
				input.Scripts = javascript.ThisProgram()
				for _, r := range suite.Judge(t.Context(), c.Checks, input, answerOfOther) {
					if r.Verdict != want {
						t.Errorf("%s says of %q: %s (%s), want %s", r.Name, answer, r.Verdict, r.Reason, want)
					}
				}
			}
			if !seen["skipped"] && (!seen["passes"] || !seen["fails"]) {
				t.Errorf("an example shows %v only", seen)
			}
		})
	}
	if len(missing) > 0 {
		t.Errorf("no example shows %v", missing)
	}
	if examples < 20 {
		t.Errorf("only %d examples were found", examples)
	}
}

func answerOfOther(name string) (suite.AnswerInput, bool) {
	return suite.AnswerInput{Kind: history.KindText, Text: "the other answer"}, name == "other"
}

// answerOf parses an answer of the documentation.
func answerOf(t *testing.T, s string) suite.AnswerInput {
	t.Helper()
	var ms, w, h int
	var amount float64
	var format string
	if n, _ := fmt.Sscanf(s, "after %d ms", &ms); n == 1 {
		return suite.AnswerInput{Kind: history.KindText, Elapsed: time.Duration(ms) * time.Millisecond}
	}
	if n, _ := fmt.Sscanf(s, "begins after %d ms", &ms); n == 1 || s == "reused" {
		return suite.AnswerInput{Kind: history.KindText, FirstToken: time.Duration(ms) * time.Millisecond,
			IsCached: n == 0}
	}
	if n, _ := fmt.Sscanf(s, "ended with %s", &format); n == 1 {
		return suite.AnswerInput{Kind: history.KindText, Text: s, Finish: chat.FinishReason(format)}
	}
	if n, _ := fmt.Sscanf(s, "cost %g", &amount); n == 1 || s == "without a price" {
		cost := history.Cost{Amount: amount, Currency: strings.Repeat("USD", n)}
		return suite.AnswerInput{Kind: history.KindText, Cost: cost}
	}
	if n, _ := fmt.Sscanf(s, "picture %dx%d %s", &w, &h, &format); n == 3 {
		return suite.AnswerInput{Kind: history.KindImage,
			Picture: &history.Picture{Width: w, Height: h, ContentType: "image/" + format}}
	}
	return suite.AnswerInput{Kind: history.KindText, Text: s}
}
