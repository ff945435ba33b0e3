package compare_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"confab/history"
)

func TestFindingAcrossAnswers(t *testing.T) {
	v := show(t, 120, 38, caseOf(3))
	v.press("/")
	if !v.State().CapturesText || v.Cursor() == nil {
		t.Fatal("letters are no text while searching")
	}
	v.press("P", "a", "r", "z", "backspace") // letters that are keys elsewhere
	v.shows("find  Par   4 matches", "enter goes to the first, esc closes")
	v.press("enter")
	if v.State().CapturesText {
		t.Error("letters are text after enter")
	}
	v.shows("1 of 4", "┏━ 1 alpha")
	v.press("n")
	v.shows("2 of 4", "┏━ 2 beta")
	v.press("n")
	v.shows("3 of 4", "┏━ 2 beta")
	v.press("n")
	v.shows("4 of 4", "┏━ 3 gamma")
	v.press("n")
	v.shows("1 of 4", "┏━ 1 alpha")
	v.press("N")
	v.shows("4 of 4", "┏━ 3 gamma")
	v.press("esc")
	v.lacks("find", "4 of 4")
	v.press("n")
	if got := noticesOf(v); !strings.Contains(got, "/ starts a search") {
		t.Errorf("n without a search says %q", got)
	}
}

func TestFindingWhatIsNotThere(t *testing.T) {
	v := show(t, 80, 22, caseOf(2))
	v.press("/", "q", "x", "q", "enter")
	v.shows("0 matches")
	if got := noticesOf(v); got != `"qxq" is in none of these answers.` {
		t.Errorf("says %q", got)
	}
	v.press("/")
	v.Update(tea.PasteMsg{Content: "two\nlines"})
	v.press("backspace")
	v.shows("qxqtwo line ")
	v.press("esc")
	v.lacks("qxq")
}

func TestAMatchFarDownIsScrolledTo(t *testing.T) {
	text := strings.Repeat("Nothing to see in this paragraph, which goes on for a while.\n\n",
		50) + "Here is the needle, at last.\n"
	v := show(t, 80, 22, withAnswer(caseOf(6), 4, func(a *history.Answer) { a.Text = text }))
	v.lacks("needle")
	v.press("/", "t", "h", "e", " ", "n", "e", "e", "d", "l", "e", "enter")
	v.shows("1 of 1", "┏━ 5 epsilon", "Here is the needle")
	if !strings.Contains(strings.Join(v.View(), "\n"), "\x1b") {
		t.Error("nothing is highlighted")
	}
}

func TestAMatchOverALineEndIsHighlighted(t *testing.T) {
	v := show(t, 80, 22, caseOf(2))
	before := strings.Join(v.View(), "\n")
	v.press("/", "s", "e", "n", "d", " ", "a", " ", "n", "e", "w", "enter")
	v.shows("1 of 1")
	if after := strings.Join(v.View(), "\n"); strings.Count(after, "\x1b[") <= strings.Count(before, "\x1b[") {
		t.Error("no stretch more is styled than before")
	}
	v.press("esc", "/", "t", "o", " ", "t", "h", "i", "s", "enter") // "reply to | this mail"
	lines := v.View()
	marked := 0
	for _, l := range lines {
		if strings.Contains(l, ";1m") || strings.Contains(l, "\x1b[1;") {
			marked++
		}
	}
	if v.shows("1 of 1"); marked < 2 {
		t.Errorf("%d lines hold a match that is broken over two", marked)
	}
}
