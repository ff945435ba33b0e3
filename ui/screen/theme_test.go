package screen

import (
	"testing"

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
		{"nord-like", false, colorprofile.ANSI, "ansi16-light"},
		{"own", true, colorprofile.ANSI, "own"},
		{"ansi16-light", true, colorprofile.ANSI, "ansi16-light"},
		{"nord-like", true, colorprofile.ANSI256, "nord-like"},
		{"auto", true, colorprofile.TrueColor, themes.DefaultDark},
	} {
		theme := Theme{Palettes: append(themes.Shipped(), own), Name: tt.name, IsDark: tt.isDark, Profile: tt.profile}
		if got := theme.Palette().Name; got != tt.want {
			t.Errorf("%s, dark %t, %s: got %s, want %s", tt.name, tt.isDark, tt.profile, got, tt.want)
		}
	}
	if p := (Theme{Palettes: themes.Shipped(), Name: "nord-like", Profile: colorprofile.ASCII}).Palette(); p !=
		(themes.Palette{Name: "nord-like", About: p.About, Dark: true}) {
		t.Errorf("without colors: got %+v", p)
	}
}
