package widget_test

import (
	"testing"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"confab/ui/widget"
)

func TestKeysGoByWhatIsSeenAsOneCharacter(t *testing.T) {
	backspace, left, del := tea.KeyPressMsg{Code: tea.KeyBackspace}, tea.KeyPressMsg{
		Code: tea.KeyLeft,
	}, tea.KeyPressMsg{
		Code: tea.KeyDelete,
	}
	for _, last := range []string{"a", "é", "👩‍🍳", "🇩🇪", "각", "👍🏽", "क्षि"} {
		text := "x" + last
		if got := widget.WithoutLastCluster(text); got != "x" {
			t.Errorf("%q without its last character is %q", text, got)
		}
		in := textinput.New()
		in.SetValue(text)
		in.CursorEnd()
		in.Focus()
		if got := widget.UpdateInput(in, backspace).Value(); got != "x" {
			t.Errorf("in a line, %q is %q after backspace", text, got)
		}
		moved := widget.UpdateInput(in, left)
		if got := widget.UpdateInput(moved, del).Value(); got != "x" || moved.Position() != 1 {
			t.Errorf("in a line, %q is %q after left (to %d) and delete", text, got, moved.Position())
		}
		area := textarea.New()
		area.SetValue("first\n" + text)
		area.MoveToEnd()
		area.Focus()
		if got, _ := widget.UpdateArea(area, backspace); got.Value() != "first\nx" {
			t.Errorf("in an area, %q is %q after backspace", text, got.Value())
		}
		shifted, _ := widget.UpdateArea(area, left)
		if got, _ := widget.UpdateArea(shifted, del); got.Value() != "first\nx" {
			t.Errorf("in an area, %q is %q after left and delete", text, got.Value())
		}
	}
	if got := widget.WithoutLastCluster(""); got != "" {
		t.Errorf("nothing without its last character is %q", got)
	}
}
