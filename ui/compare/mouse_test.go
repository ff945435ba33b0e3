package compare_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/ui/action"
	"confab/ui/compare"
	"confab/ui/keys"
)

// click clicks on the first place where a text is drawn.
func (v *view) click(text string) {
	v.t.Helper()
	for y, line := range strings.Split(v.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			requested, _ := v.Update(tea.MouseClickMsg{X: len([]rune(before)), Y: y, Button: tea.MouseLeft})
			v.take(requested)
			v.settle()
			return
		}
	}
	v.t.Fatalf("%q is not shown:\n%s", text, v.text())
}

// TestAClickFocuses the answer that is named in a list, in a strip or above a box.
func TestAClickFocuses(t *testing.T) {
	v := show(t, 120, 38, runCase())
	v.click("13   nu")
	v.shows("┏━ 13 nu")
	v.press("L") // the strip, of which the first answers are left out
	v.shows("… ")
	v.click("12 mu −")
	v.shows("┏━ 12 mu")
	v.click("13 nu")
	v.shows("┏━ 13 nu")
	v.click("─ 12 mu")
	v.shows("┏━ 12 mu")
}

func TestTheWholeRowOfARunIsWritten(t *testing.T) {
	of := runCase()
	of.Run = 12
	v := show(t, 120, 38, of)
	v.press("w")
	if got := wished[action.ShowWrite](v); len(got) != 1 || got[0].Run != 12 || len(got[0].Row) != len(of.Turns) ||
		got[0].Row[1] != of.Turns[1].ID {
		t.Errorf("w wishes %+v", got)
	}
}

func TestSkippedChecksAreNoFailedOnes(t *testing.T) {
	of := caseOf(2)
	of.Checks = map[int64][]history.CheckResult{1: {{Name: "llm-rubric", Verdict: "skipped"}}}
	v := show(t, 120, 38, of)
	v.shows("61 words  skipped")
	v.lacks("0/1")
}

// TestAnotherTurnIsInTheOrderOfItsNumbers: order and pin are kept from row to row of a run only.
func TestAnotherTurnIsInTheOrderOfItsNumbers(t *testing.T) {
	quickLast := withAnswer(caseOf(2), 0, func(a *history.Answer) { a.Elapsed *= 9 })
	v := show(t, 120, 38, quickLast)
	v.press("o")
	if !isInOrder(v, "2 beta", "1 alpha") {
		t.Errorf("the quick answer is not the first:\n%s", v.text())
	}
	quickLast = withAnswer(quickLast, 1, func(a *history.Answer) { a.ID = 22 })
	quickLast.Turns[0].ID = 2
	v.set(quickLast)
	v.settle()
	if !isInOrder(v, "1 alpha", "2 beta") {
		t.Errorf("another turn has the order of times:\n%s", v.text())
	}
	of := testCase{compare.Case{Name: "run 1  1/2"}, quickLast.Turns}
	v.set(of)
	v.press("o")
	of.Name = "run 1  2/2"
	v.set(of)
	v.settle()
	if !isInOrder(v, "2 beta", "1 alpha") {
		t.Errorf("the next row of the run has lost the order:\n%s", v.text())
	}
}

func isInOrder(v *view, first, second string) bool {
	at := strings.Index(v.text(), first)
	return at >= 0 && at < strings.Index(v.text(), second)
}

// TestADifferenceCoversPictures: none is drawn over it.
func TestADifferenceCoversPictures(t *testing.T) {
	of := caseOf(2)
	of.Turns[0].Answers = append(of.Turns[0].Answers, drawn(3, "pict-a", "", 64, 64, "1"))
	a := newAlbum(t, 120, 36, colorprofile.TrueColor, of, 1)
	if len(a.Pictures()) == 0 {
		t.Fatal("no picture is shown")
	}
	a.do(keys.Difference)
	if n := len(a.Pictures()); n != 0 {
		t.Errorf("%d pictures are shown over a difference", n)
	}
}
