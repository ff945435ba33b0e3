package themes

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Style is a lipgloss style that has worked out what it puts before and after a
// text of one line. A screen is drawn with thousands of such texts, and
// [lipgloss.Style.Render] measures and splits each of them.
type Style struct {
	lipgloss.Style
	Prefix, Suffix string // stand around a text of one line
}

// NewStyle works a style out. What changes the size of the text, as borders and
// padding do, is left out.
func NewStyle(s lipgloss.Style) Style {
	before, after, _ := strings.Cut(s.Inline(true).Render("x"), "x")
	return Style{s, before, after}
}

// Render draws a text as [lipgloss.Style.Render] does.
func (s Style) Render(text string) string {
	if strings.ContainsAny(text, "\n\t") {
		return s.Style.Render(text)
	}
	return s.Prefix + text + s.Suffix
}

// On draws a text of one line, unless it brings styles of its own or is empty.
func (s Style) On(text string) string {
	if text == "" || strings.IndexByte(text, 0x1b) >= 0 {
		return text
	}
	return s.Prefix + text + s.Suffix
}

// Sign returns the sign of a state, or its word for a screen reader.
func (s *Styles) Sign(sign, word string) string {
	if s.ScreenReader {
		return word
	}
	return sign
}

// Inherit returns the style with what it does not say itself taken from
// another.
func (s Style) Inherit(from Style) Style { return NewStyle(s.Style.Inherit(from.Style)) }

// Behind draws the background of s behind a line that brings its own styles: it goes on where the line resets them.
func (s Style) Behind(line string) string {
	if s.Prefix == "" {
		return line
	}
	return s.Prefix + strings.ReplaceAll(line, ansi.ResetStyle, ansi.ResetStyle+s.Prefix) + s.Suffix
}
