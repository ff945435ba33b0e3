package ui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

func TestDraggingCopiesNoBlocksOfAPicture(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withPictureService())
		s.draw("a fox under a lamp")
		s.press("alt+2")
		s.shows("▀▀▀▀", "sim-image")
		s.program.Send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 34, Y: 2})
		s.program.Send(tea.MouseMotionMsg{Button: tea.MouseLeft, X: 100, Y: 20})
		s.program.Send(tea.MouseReleaseMsg{Button: tea.MouseLeft, X: 100, Y: 20})
		s.settle()
		copied := strings.Join(s.desktop.copied, "\n")
		if !strings.Contains(copied, "sim-image") || strings.ContainsAny(copied, "▀▄█▐▌") {
			t.Errorf("copied %q", copied)
		}
	})
}

func TestAPictureWithoutColorsIsSaidInWords(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.program.Send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
		s.press("f8")
		s.pass(8 * time.Second)
		s.press("ctrl+n")
		s.lacks("Pictures  ")
		s.press("ctrl+g")
		s.shows("Pictures   1", "▌ Lighthouse at dusk")
		s.lacks("Preview", "too few colors")
		s.press("alt+z")
		s.shows("picture, ", "open it in another program")
	})
}
