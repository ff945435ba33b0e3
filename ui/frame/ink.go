package frame

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Ink is what a style puts before and after a text of one line. Drawing with
// an ink costs a concatenation; [lipgloss.Style.Render] measures and splits.
type Ink struct{ Before, After string }

// NewInk returns the ink of a style. What changes the size of the text, as
// borders and padding do, is left out.
func NewInk(s lipgloss.Style) Ink {
	before, after, _ := strings.Cut(s.Inline(true).Render("x"), "x")
	return Ink{before, after}
}

// On returns the text in this ink, unless it brings styles of its own or is
// empty.
func (i Ink) On(s string) string {
	if s == "" || strings.IndexByte(s, 0x1b) >= 0 {
		return s
	}
	return i.Before + s + i.After
}
