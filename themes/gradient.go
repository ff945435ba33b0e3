package themes

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// gradientSteps is how many colors a gradient has at most.
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
