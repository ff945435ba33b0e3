package textedit_test

import (
	"testing"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"confab/ui/textedit"
)

func TestKeysGoByWhatIsSeenAsOneCharacter(t *testing.T) {
	backspace, left, del := tea.KeyPressMsg{Code: tea.KeyBackspace}, tea.KeyPressMsg{
		Code: tea.KeyLeft,
	}, tea.KeyPressMsg{
		Code: tea.KeyDelete,
	}
	for _, last := range []string{"a", "é", "👩‍🍳", "🇩🇪", "각", "👍🏽", "क्षि"} {
		text := "x" + last
		if got := textedit.WithoutLast(text); got != "x" {
			t.Errorf("%q without its last character is %q", text, got)
		}
		in := textinput.New()
		in.SetValue(text)
		in.CursorEnd()
		in.Focus()
		if got := textedit.UpdateInput(in, backspace).Value(); got != "x" {
			t.Errorf("in a line, %q is %q after backspace", text, got)
		}
		moved := textedit.UpdateInput(in, left)
		if got := textedit.UpdateInput(moved, del).Value(); got != "x" || moved.Position() != 1 {
			t.Errorf("in a line, %q is %q after left (to %d) and delete", text, got, moved.Position())
		}
		area := textarea.New()
		area.SetValue("first\n" + text)
		area.MoveToEnd()
		area.Focus()
		if got, _ := textedit.UpdateArea(area, backspace); got.Value() != "first\nx" {
			t.Errorf("in an area, %q is %q after backspace", text, got.Value())
		}
		shifted, _ := textedit.UpdateArea(area, left)
		if got, _ := textedit.UpdateArea(shifted, del); got.Value() != "first\nx" {
			t.Errorf("in an area, %q is %q after left and delete", text, got.Value())
		}
	}
	if got := textedit.WithoutLast(""); got != "" {
		t.Errorf("nothing without its last character is %q", got)
	}
}
