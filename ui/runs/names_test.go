package runs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/service/suite"
)

// TestWhatWasNotJudgedIsNotPassed on the screen: a run of skipped and missing checks.
func TestWhatWasNotJudgedIsNotPassed(t *testing.T) {
	cell := func(number int, checks ...history.CheckResult) [][]history.Cell {
		return [][]history.Cell{{{Number: number, Repeat: 1, Turn: 1, State: history.Done, IsJudged: true,
			Elapsed: time.Second, Checks: checks}}}
	}
	held := history.CheckResult{Name: "is-json", Verdict: "passed"}
	skipped := history.CheckResult{Name: "llm-rubric", Verdict: "skipped", Reason: "confab does not judge llm-rubric"}
	v := opened(120, 20)
	v.SetTable(suite.Table{Run: history.Run{ID: 3, Suite: "s", Planned: 3},
		Columns: []suite.Column{{Name: "alpha"}}, Rows: []suite.Row{
			{Point: suite.Point{Name: "a", Test: "late parcel"}, Cells: cell(1, held, skipped)},
			{Point: suite.Point{Name: "b", Test: "broken shoe"}, Cells: cell(2, skipped)},
			{Point: suite.Point{Name: "c"}, Cells: cell(3)},
		}})
	screen := ansi.Strip(strings.Join(v.View(), "\n"))
	for _, want := range []string{"0 of 3 passed", "2 skipped", "1 unchecked", "late parcel", "broken shoe",
		"? 1.0 s 1/2 checks",
		"? 1.0 s", "rubric skipped: confab does not judge llm-rubric"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not on\n%s", want, screen)
		}
	}
	if strings.Contains(screen, suite.SignPassed+" 1") {
		t.Errorf("something passed on\n%s", screen)
	}
}

// TestRowsThatDifferAtTheirEndsAreTold keeps each value of a row in its column where the screen is narrow, and so where
// the table is turned.
func TestRowsThatDifferAtTheirEndsAreTold(t *testing.T) {
	s := refunds(4, 3)
	s.prompts = []string{"answer a customer who writes a long mail"}
	v := opened(60, 18)
	v.SetTable(s.table(ended(12), endMixed))
	for _, keys := range []string{"", "x"} {
		if keys != "" {
			press(v, keys)
		}
		got := text(t, v, 60, 18)
		for _, want := range []string{"English", "German", "French"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q: there is no %q:\n%s", keys, want, got)
			}
		}
	}
}
