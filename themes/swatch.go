package themes

import "charm.land/lipgloss/v2"

// Swatch returns the colors of a palette on one line: texts, the bar of the selected row and accents on its
// background, the colors of models, and its layers. It is empty for a palette without colors.
func Swatch(p Palette) string {
	if p == (Palette{Name: p.Name, About: p.About, Dark: p.Dark, OwnText: p.OwnText}) {
		return ""
	}
	draw := func(text, fore, background string) string {
		return NewStyle(withBackground(withForeground(lipgloss.NewStyle(), fore), background)).On(text)
	}
	line := ""
	for _, c := range []string{p.Text, p.Muted, p.Faint} {
		line += draw(" Aa", c, p.Background)
	}
	line += draw(" ", "", p.Background) + New(p).Selected.On(" Aa ")
	for _, c := range []string{p.Focus, p.Person, p.Success, p.Warning, p.Danger, p.Info, p.Link} {
		line += draw(" ■", c, p.Background)
	}
	line += draw("  ", "", p.Background)
	for _, c := range p.Models {
		if c != "" {
			line += draw("●", c, p.Background)
		}
	}
	return line + draw("  ", "", p.Background) + draw(" code ", p.Text, p.Surface) + draw(" dialog ", p.Text, p.Overlay)
}
