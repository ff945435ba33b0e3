package ui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui"
)

// openWithSessions opens a screen in which two prompts were sent, each in a session of its own, and a new session was
// started.
func openWithSessions(t *testing.T, w, h int) *screen {
	s := open(t, w, h)
	for _, prompt := range []string{"first thought", "second thought"} {
		s.typed(prompt)
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("ctrl+n")
	}
	return s
}

func TestTheStartPageContinuesTheSessionUsedLast(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		run(t, func(t *testing.T) {
			s := openWithSessions(t, size[0], size[1])
			s.shows("Continue  second thought", "Recent    first thought", "Try", "f8")
			s.typed("x")
			s.press("backspace", "enter")
			s.shows("second thought", "Conversation")
			s.lacks("Continue  ", "new session")
		})
	}
}

func TestSessionsOfTheStartPageArePicked(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openWithSessions(t, 120, 40)
		s.press("tab", "j", "enter")
		s.shows("you", "first thought", "Conversation")
		s.lacks("second thought")
		s.press("ctrl+n", "tab", "j", "k", "v")
		s.shows("v does nothing here")
		s.click(60, lineOf(s, "second thought"))
		s.shows("you", "second thought", "Conversation")
	})
}

func TestTheStartPageShowsPictures(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("f8")
		s.pass(8 * time.Second)
		s.press("ctrl+n")
		s.pass(time.Second)
		s.shows("Pictures  ▀▀▀▀")
		s.click(55, lineOf(s, "Pictures  ")+1)
		s.shows("1 of 1")
		s.press("esc")
		s.resize(60, 20)
		s.lacks("Pictures  ")
		s.shows("Continue  A lighthouse", "f6")
	})
}

// What is deleted elsewhere or not readable leaves the examples.
func TestTheStartPageWithoutAHistory(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 80, 24, func(_ *ui.Options, so *service.Options) {
			so.Open = func(context.Context) (history.Store, error) { return nil, context.DeadlineExceeded }
		})
		s.shows("Nothing sent yet", "f6", "f7", "f8")
		s.press("enter")
		s.shows("Nothing sent yet")
		s.press("alt+2", "enter")
		s.shows("There is no session to open yet")
	})
}

// lineOf is the line of the screen that has a text, -1 for none.
func lineOf(s *screen, text string) int {
	for y, line := range strings.Split(s.text(), "\n") {
		if strings.Contains(line, text) {
			return y
		}
	}
	return -1
}

// click clicks on a cell.
func (s *screen) click(x, y int) {
	s.program.Send(tea.MouseClickMsg{Button: tea.MouseLeft, X: x, Y: y})
	s.program.Send(tea.MouseReleaseMsg{Button: tea.MouseLeft, X: x, Y: y})
	s.settle()
}
