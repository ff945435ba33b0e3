package themes

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Style is a lipgloss style that has worked out what it puts before and after a
// text of one line. A screen is drawn with thousands of such texts, and
// [lipgloss.Style.Render] measures and splits each of them.
type Style struct {
	lipgloss.Style
	Prefix, Suffix string // stand around a text of one line
}

// NewStyle works a style out. What changes the size of the text, as borders and
// padding do, is left out. So is bold of the first eight colors of the terminal: some terminals draw it in the bright
// ones, which cannot be read on light backgrounds.
func NewStyle(s lipgloss.Style) Style {
	if c, isBasic := s.GetForeground().(ansi.BasicColor); isBasic && c < ansi.BrightBlack {
		s = s.Bold(false)
	}
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

// Inherit returns the style with what it does not say itself taken from another. A color of its own is not dimmed.
func (s Style) Inherit(from Style) Style {
	made := s.Style.Inherit(from.Style)
	if _, hasNone := s.GetForeground().(lipgloss.NoColor); !hasNone {
		made = made.UnsetFaint()
	}
	return NewStyle(made)
}

// Behind draws the background of s behind a line that brings its own styles: it goes on where the line resets them.
func (s Style) Behind(line string) string {
	if s.Prefix == "" {
		return line
	}
	return s.Prefix + strings.ReplaceAll(line, ansi.ResetStyle, ansi.ResetStyle+s.Prefix) + s.Suffix
}

const gradientSteps = 24

// Gradient draws a text in bold, its colors going from the accent of the focus to that of the person. Where the
// terminal does not show all colors, the text is in the focused style of titles.
func (s *Styles) Gradient(text string) string {
	if text == "" || !s.IsTrueColor || s.gradient == nil || len(s.gradient()) == 0 {
		return s.TitleFocused.On(text)
	}
	steps := s.gradient()
	last, cells := max(ansi.StringWidth(text)-1, 1), 0
	var b strings.Builder
	at := -1
	for clusters := graphemes.FromString(text); clusters.Next(); {
		if step := min(cells*(len(steps)-1)/last, len(steps)-1); step != at {
			b.WriteString(steps[step])
			at = step
		}
		b.WriteString(clusters.Value())
		cells += ansi.StringWidth(clusters.Value())
	}
	return b.String() + ansi.ResetStyle
}

// gradient returns what switches the colors of a gradient on, none when the accents are not known as colors.
func (p Palette) gradient() (steps []string) {
	from, ok := rgb(p.Focus)
	to, both := rgb(p.Person)
	if !ok || !both {
		return nil
	}
	for i := range gradientSteps {
		c := from.BlendOkLab(to, float64(i)/(gradientSteps-1)).Clamped()
		steps = append(steps, NewStyle(lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color(c.Hex()))).Prefix)
	}
	return steps
}
