package widget_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"confab/themes"
	"confab/ui/widget"
)

// TestModelsAreANumberWhereColorsAreNotSeen: dots of one color, or read aloud, say nothing.
func TestModelsAreANumberWhereColorsAreNotSeen(t *testing.T) {
	slugs := []string{"alpha", "beta"}
	read := themes.New(themes.Pick(nil, "confab-dark", true))
	read.ScreenReader = true
	for _, tt := range []struct {
		name   string
		styles *themes.Styles
		slugs  []string
		want   string
	}{
		{"colors", themes.New(themes.Pick(nil, "confab-dark", true)), slugs, "● ●"},
		{"no colors", themes.New(themes.Palette{}), slugs, "2 models"},
		{"read aloud", read, slugs, "2 models"},
		{"one more than fit", themes.New(themes.Pick(nil, "confab-dark", true)), strings.Fields("a b c d e f"),
			"● ● ● ● ● ●"},
		{"two more than fit", themes.New(themes.Pick(nil, "confab-dark", true)), strings.Fields("a b c d e f g"),
			"● ● ● ● ● +2"},
		{"one", themes.New(themes.Palette{}), slugs[:1], "● alpha"},
		{"none", themes.New(themes.Palette{}), nil, ""},
	} {
		if got := ansi.Strip(widget.ModelDots(tt.styles, tt.slugs)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
