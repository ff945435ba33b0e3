package compare_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"confab/history"
)

// listed returns the numbers of the answers in the order of the list, or that of their boxes where there is none.
func listed(v *view) string {
	for _, row := range []string{`(?m)^[│┃][ ▌]\s*(\d+) . \w`, `[╭┏][─━] (\d+) `} {
		var numbers []string
		for _, found := range regexp.MustCompile(row).FindAllStringSubmatch(v.text(), -1) {
			numbers = append(numbers, found[1])
		}
		if len(numbers) > 0 {
			return strings.Join(numbers, " ")
		}
	}
	return ""
}

// TestOrders: what has no time of its own is behind what has one, the longest text is first.
func TestOrders(t *testing.T) {
	v := show(t, 120, 38, runCase())
	for _, want := range []string{"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", "1 2 3 5 10 11 13 14 15 4 6 7 8 9 12",
		"1 5 13 4 2 10 14 3 11 15 6 7 8 9 12", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"} {
		if got := listed(v); got != want {
			t.Errorf("the order is %s, want %s", got, want)
		}
		v.press("o")
	}
}

func TestFilters(t *testing.T) {
	v := show(t, 120, 38, runCase())
	for _, want := range []string{"9 12", "2 4 10 14", "1 11", "1 2 3 4 6 7 8 9 12"} {
		v.press("t")
		if got := listed(v); got != want {
			t.Errorf("listed are %s, want %s\n%s", got, want, v.text())
		}
	}
}

// TestTheWindowMovesNoFurtherThanTheFocus: an answer on the screen gets the focus where it is.
func TestTheWindowMovesNoFurtherThanTheFocus(t *testing.T) {
	v := show(t, 80, 19, caseOf(4))
	for _, want := range []string{"1 2", "1 2", "2 3", "3 4"} {
		if got := listed(v); got != want {
			t.Errorf("the boxes are %s, want %s", got, want)
		}
		v.press("l")
	}
}

// TestAnswersScrollTogether by share of their length, by line, and not at all.
func TestAnswersScrollTogether(t *testing.T) {
	of := caseOf(2)
	for i, n := range []int{40, 80} {
		of = withAnswer(of, i, func(a *history.Answer) {
			a.Text = ""
			for line := range n {
				a.Text += fmt.Sprintf("%s says %d.\n\n", a.Model, line)
			}
		})
	}
	v := show(t, 120, 38, of)
	v.press("G")
	v.shows("alpha says 39.", "beta says 79.")
	v.press("home", "=", "pgdown")
	v.shows("alpha says 16.", "beta says 16.")
	v.lacks("beta says 34.")
	v.press("=", "home")
	v.shows("alpha says 0.", "beta says 16.")
	v.lacks("beta says 0.")
}

// TestOnlyFinishedTextsAreSearched: of others it is not seen where the match is.
func TestOnlyFinishedTextsAreSearched(t *testing.T) {
	v := show(t, 120, 38, withAnswer(caseOf(2), 1, func(a *history.Answer) { a.State = history.Cancelled }))
	v.press("/", "p", "a", "r", "c", "e", "l")
	v.shows("1 match")
}
