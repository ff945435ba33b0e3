package ui_test

import (
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// openAnswered opens a screen on which the first example was answered.
func openAnswered(t *testing.T, w, h int) *screen {
	s := open(t, w, h)
	s.press("f6")
	s.pass(3 * time.Second)
	return s
}

func TestANoticeAboutAKeyEndsWithTheNextOne(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openAnswered(t, 100, 30)
		s.press("alt+2", "P")
		s.shows("P does nothing here")
		s.press("j")
		s.lacks("P does nothing here")
	})
}

func TestANoticeEndsWithItsView(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("f7")
		s.pass(5 * time.Second)
		s.press("alt+2", "v")
		const order = "The answers are in the order of"
		for _, leave := range []func(){
			func() { s.press("v") },
			func() { s.press("ctrl+s", "esc", "v") },
			func() { s.clickText("esc back") },
		} {
			s.press("o")
			s.shows(order)
			leave()
			s.lacks(order)
			s.press("v")
		}
		s.press("y", "v")
		s.shows("on the clipboard")
	})
}

func TestTheFooterNamesTheKeysOfAHeadOutOfSight(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openAnswered(t, 60, 18)
		s.press("alt+2", "g")
		s.shows("y copy  r again ") // beside the head
		s.lacks("esc prompt  y copy")
		s.press("G")
		s.pass(5 * time.Second) // the notice ends
		s.shows("esc prompt  r again  y copy")
	})
}

func TestTheSessionUnderTheCursorIsOneBar(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openAnswered(t, 120, 40)
		s.press("ctrl+n", "alt+2")
		y, x := lineOf(s, "Continue"), 0
		s.mu.Lock()
		defer s.mu.Unlock()
		cell := func(x int) *uv.Cell { return s.term.CellAt(x, y) }
		for x < s.w && !strings.HasPrefix(cell(x).Content, "C") {
			x++
		}
		for bar := cell(x).Style.Bg; x < s.w-2; x++ {
			if got := cell(x).Style.Bg; got != bar {
				t.Fatalf("in column %d the bar is %v, not %v", x, got, bar)
			}
		}
	})
}

// TestAKeyOfAnotherPaneSaysWhereItWorks presses a key of the conversation in the prompt.
func TestAKeyOfAnotherPaneSaysWhereItWorks(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("alt+w")
		s.shows("alt+w (export session) works in the conversation: alt+2 goes there.")
	})
}
