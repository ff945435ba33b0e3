package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"confab/history"
	"confab/service/suite"
	"confab/ui/compare"
)

// sizes are those of the view where the screen is 80x24, 120x40 and 200x60.
var sizes = [][2]int{{80, 22}, {120, 38}, {200, 58}}

func TestViews(t *testing.T) {
	for _, size := range sizes {
		name := fmt.Sprintf("%dx%d ", size[0], size[1]+2)
		for _, n := range []int{1, 2, 4} {
			t.Run(name+fmt.Sprint(n), func(t *testing.T) {
				golden.RequireEqual(t, show(t, size[0], size[1], caseOf(n)).text())
			})
		}
		tests := map[string][]string{
			"15": {}, "15 pinned": {"P",
				"l"}, "15 pinned focused": {"P"}, "15 next layout": {"L"}, "15 failed": {"9"}, "15 queued": {"8"},
			"15 zoom": {"2", "z"}, "15 check failed only": {"t", "t"}, "15 find": {"/", "t", "o", "m", "o", "r", "r",
				"o", "w",
				"enter", "n"},
		}
		for test, keys := range tests {
			t.Run(name+test, func(t *testing.T) {
				v := show(t, size[0], size[1], runCase())
				v.press(keys...)
				golden.RequireEqual(t, v.text())
			})
		}
		for test, keys := range map[string][]string{"diff": {"l", "d"}, "diff columns": {"l", "d", "D", "n"},
			"diff whole": {"l", "d", "w"},
			"blind":      {"V"}, "blind told": {"V", "a", "e", "esc"}} {
			t.Run(name+test, func(t *testing.T) {
				v := show(t, size[0], size[1], caseOf(3))
				v.SetWins(suite.Votes{Voters: []suite.Voter{{Pairs: 12, Blind: 11}}, Axes: []suite.AxisVotes{{
					Axis: suite.AxisModel, Contestants: []suite.Contestant{
						{Label: "alpha", Model: "alpha",
							Tally:    history.Tally{Wins: 8, Losses: 3, Ties: 1, N: 12, Blind: 11},
							Strength: suite.Strength{Share: 0.69, Low: 0.45, High: 0.86}},
						{Label: "gamma", Model: "gamma", Tally: history.Tally{Wins: 3, Losses: 8, Bad: 1, N: 9},
							Strength: suite.Strength{Share: 0.31, Low: 0.14, High: 0.55}}}}}})
				v.press(keys...)
				golden.RequireEqual(t, v.text())
			})
		}
	}
}

// TestAZoomedTextStandsInTheMiddle of its wide box, with one hint for the way back.
func TestAZoomedTextStandsInTheMiddle(t *testing.T) {
	v := show(t, 200, 40, caseOf(2))
	v.press("z")
	line := strings.Split(v.text(), "\n")[2]
	before, _, isThere := strings.Cut(line, "Hi Sam,")
	if left := len([]rune(before)); !isThere || left != 49 {
		t.Errorf("%d cells before the text: %q", left, line)
	}
	v.shows("answer 1 of 2")
	for _, hint := range v.Hints() {
		if hint.Text == "smaller" || hint.Text == "zoom" {
			t.Errorf("a hint beside esc: %v", hint)
		}
	}
}

// TestOnlyWhatIsAlikeIsNamed: texts that differ are the usual case, and words are counted in the title only.
func TestOnlyWhatIsAlikeIsNamed(t *testing.T) {
	v := show(t, 120, 38, caseOf(2))
	v.shows("61 words", "chars")
	v.lacks("differ", "61 words, ")
}

// TestALowViewShowsThePrompt in place of the facts of the focused answer, and a search below the boxes.
func TestALowViewShowsThePrompt(t *testing.T) {
	v := show(t, 60, 15, caseOf(4))
	v.shows("▌ Write a warm reply", " 1 alpha ")
	lines := strings.Split(v.text(), "\n")
	if !strings.HasPrefix(lines[14], "┗━") {
		t.Errorf("the last line is %q", lines[14])
	}
	v.press("/")
	v.shows("▌ Write a warm reply", "goes to the first")
	v.press("esc", "g")
	v.shows("go to answer")
	v.press("9", "enter")
	v.lacks("go to answer")
}

// TestAZoomedTextHasItsKeysAndFactsInItsBorder, without a line below it.
func TestAZoomedTextHasItsKeysAndFactsInItsBorder(t *testing.T) {
	v := show(t, 120, 38, caseOf(2))
	v.press("z")
	lines := strings.Split(strings.TrimRight(v.text(), "\n"), "\n")
	if end := lines[len(lines)-1]; !strings.HasPrefix(end, "┗━ * best · y copy · r again ━") ||
		!strings.HasSuffix(end, "~77 tokens ━┛") {
		t.Errorf("the last line is %q:\n%s", end, v.text())
	}
}

// TestSettingsAreShownWithTheFocus: their keys work only then, and are named by what they do.
func TestSettingsAreShownWithTheFocus(t *testing.T) {
	v := show(t, 120, 38, caseOf(2))
	v.shows("= scroll by line", "L list")
	v.press("=")
	v.shows("= scroll separately")
	v.press("=")
	v.shows("= scroll proportionally")
	v.press("L")
	v.shows("L columns")
	v.SetFocused(false)
	v.lacks("= scroll", "L columns")
}

// TestTheKeyOfTheBestAnswerTakesTheMarkOff where the answer has it.
func TestTheKeyOfTheBestAnswerTakesTheMarkOff(t *testing.T) {
	of := caseOf(2)
	of.Turns[0].Answers[0].IsWinner = true
	v := show(t, 120, 38, of)
	v.shows("━ * not best · y copy")
	v.press("l")
	v.shows("━ * best · y copy")
}

// TestTheTemplateIsNamedAboveItsValues: no prompt of one of them stands above the answers to all.
func TestTheTemplateIsNamedAboveItsValues(t *testing.T) {
	of := testCase{Case: compare.Case{Branch: map[int64]string{1: "city = Rome", 2: "city = Oslo"}}}
	for i, city := range []string{"Rome", "Oslo"} {
		turn := fourAnswers(history.Done, 2)
		turn.ID, turn.Template = int64(i+1), "A week in {{city}}"
		turn.Prompt, turn.Vars = "A week in "+city, map[string]string{"city": city}
		turn.Answers[0].ID, turn.Answers[0].Turn = int64(i+1), int64(i+1)
		of.Turns = append(of.Turns, turn)
	}
	v := show(t, 120, 38, of)
	v.shows("▌ A week in {{city}} ", "city = Rome", "city = Oslo")
}
