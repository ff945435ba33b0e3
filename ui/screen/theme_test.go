package screen

import (
	"image/color"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/themes"
)

func TestSixteenColorsAreTheTerminalsOwn(t *testing.T) {
	own := themes.Palette{Name: "own", Focus: "5"}
	own.Models[0] = "2"
	for _, tt := range []struct {
		name    string
		isDark  bool
		profile colorprofile.Profile
		want    string
	}{
		{"auto", true, colorprofile.ANSI, "ansi16-dark"},
		{"auto", false, colorprofile.ANSI, "ansi16-light"},
		{"catppuccin-mocha", false, colorprofile.ANSI, "ansi16-light"},
		{"own", true, colorprofile.ANSI, "own"},
		{"ansi16-light", true, colorprofile.ANSI, "ansi16-light"},
		{"catppuccin-mocha", true, colorprofile.ANSI256, "catppuccin-mocha"},
		{"auto", true, colorprofile.TrueColor, themes.DefaultDark},
	} {
		theme := Theme{Palettes: append(themes.Shipped(), own), Name: tt.name, IsDark: tt.isDark, Profile: tt.profile}
		if got := theme.Palette().Name; got != tt.want {
			t.Errorf("%s, dark %t, %s: got %s, want %s", tt.name, tt.isDark, tt.profile, got, tt.want)
		}
	}
	if p := (Theme{Palettes: themes.Shipped(), Name: "catppuccin-mocha", Profile: colorprofile.ASCII}).Palette(); p !=
		(themes.Palette{Name: "catppuccin-mocha", About: p.About, Dark: true}) {
		t.Errorf("without colors: got %+v", p)
	}
}

// TestTheBackgroundIsPaintedOnceTheTerminalHasToldItsOwn asks that "auto" goes by the terminal's background, not by one
// that was painted over it.
func TestTheBackgroundIsPaintedOnceTheTerminalHasToldItsOwn(t *testing.T) {
	theme := Theme{Palettes: themes.Shipped(), Name: "auto", IsDark: true, Profile: colorprofile.TrueColor}
	if theme.PaintsBackground() {
		t.Error("it is painted before")
	}
	theme.Update(tea.BackgroundColorMsg{Color: color.White})
	if !theme.PaintsBackground() || theme.Palette().Name != themes.DefaultLight {
		t.Errorf("on white: painted %t, %s", theme.PaintsBackground(), theme.Palette().Name)
	}
	theme.KeepsBackground = true
	if theme.PaintsBackground() || theme.Background() != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("the terminal's is not kept: %v", theme.Background())
	}
	theme.KeepsBackground, theme.Name = false, "ansi16-light"
	if theme.PaintsBackground() {
		t.Error("a theme without a background paints one")
	}
}
