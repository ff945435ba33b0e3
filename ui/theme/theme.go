// Package theme chooses the palette of a screen from the settings, the terminal's background and its colors.
package theme

import (
	"github.com/charmbracelet/colorprofile"

	"confab/themes"
)

// Theme is what the palette of a screen depends on.
type Theme struct {
	Palettes    []themes.Palette
	Name        string // of a palette, or "auto": Dark or Light by the background
	Dark, Light string
	NoItalics   bool // the terminal has none
	IsDark      bool // the terminal's background is
	Profile     colorprofile.Profile
}

// IsAuto tells whether the background decides.
func (t Theme) IsAuto() bool { return t.Name == "" || t.Name == "auto" }

// Palette returns the colors to draw with. In a terminal of sixteen colors, "auto" takes the terminal's own: the
// nearest ones to a theme's leave lines that cannot be read. Without colors, styles that swap them mark what is chosen.
func (t Theme) Palette() themes.Palette {
	name := t.Name
	if t.IsAuto() {
		few, usual := "ansi16-light", themes.DefaultLight
		name = t.Light
		if t.IsDark {
			few, usual = "ansi16-dark", themes.DefaultDark
			name = t.Dark
		}
		switch {
		case t.Profile == colorprofile.ANSI && (name == "" || name == usual):
			name = few
		case name == "":
			name = "auto"
		}
	}
	p := themes.Pick(t.Palettes, name, t.IsDark)
	if t.Profile == colorprofile.ASCII || t.Profile == colorprofile.NoTTY {
		return themes.Palette{Name: p.Name, About: p.About, Dark: p.Dark}
	}
	return p
}

// Styles returns the styles of the palette.
func (t Theme) Styles() *themes.Styles {
	s := themes.New(t.Palette())
	s.NoItalics = t.NoItalics
	return s
}
