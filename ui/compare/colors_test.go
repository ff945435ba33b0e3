package compare_test

import (
	"strings"
	"testing"

	"confab/themes"
	"confab/ui/keys"
)

// TestColorsOfModels asks where the answers have the colors of their models: also the names of the sides of a
// difference, but not the focused tab.
func TestColorsOfModels(t *testing.T) {
	s := themes.New(themes.Default(true))
	v := show(t, 80, 19, caseOf(4))
	lines := strings.Join(v.View(), "\n")
	tab := s.Selected.Prefix + " 1 alpha"
	if !strings.Contains(lines, tab) {
		t.Errorf("the focused tab lacks %q:\n%q", tab, lines)
	}
	if !strings.Contains(lines, s.BorderFocused.Prefix+"┏") {
		t.Errorf("no border has the color of the focus:\n%q", lines)
	}
	v.SetFocused(false)
	if lines = strings.Join(v.View(), "\n"); strings.Contains(lines, s.BorderFocused.Prefix+"┏") {
		t.Errorf("without focus a border has its color:\n%q", lines)
	}
	v.SetFocused(true)
	v.Run(keys.Difference)
	v.settle()
	if names := v.View()[1]; !strings.Contains(names, s.ModelStyle("alpha").Inherit(s.Strong).On("1 alpha")) {
		t.Errorf("the names are drawn as %q", names)
	}
}
