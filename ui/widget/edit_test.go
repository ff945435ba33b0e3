package widget_test

import (
	"testing"

	"confab/ui"
	"confab/ui/keys"
	"confab/ui/widget"

	tea "charm.land/bubbletea/v2"
)

func TestKeysGoByWhatIsSeenAsOneCharacter(t *testing.T) {
	backspace, left, del := tea.KeyPressMsg{Code: tea.KeyBackspace}, tea.KeyPressMsg{
		Code: tea.KeyLeft,
	}, tea.KeyPressMsg{
		Code: tea.KeyDelete,
	}
	for _, last := range []string{"a", "é", "👩‍🍳", "🇩🇪", "각", "👍🏽", "क्षि"} {
		text := "x" + last
		line := widget.NewField(ui.Keys(), text, "")
		if line.Update(keys.Press{KeyPressMsg: backspace}); line.Value() != "x" {
			t.Errorf("in a line, %q is %q after backspace", text, line.Value())
		}
		line.SetValue(text)
		line.Update(keys.Press{KeyPressMsg: left})
		if line.Update(keys.Press{KeyPressMsg: del}); line.Value() != "x" {
			t.Errorf("in a line, %q is %q after left and delete", text, line.Value())
		}
		area := widget.NewArea(ui.Keys())
		area.Focus()
		area.SetText("first\n" + text)
		if area.Press(backspace); area.Text() != "first\nx" {
			t.Errorf("in an area, %q is %q after backspace", text, area.Text())
		}
		area.SetText("first\n" + text)
		area.Press(left)
		if area.Press(del); area.Text() != "first\nx" {
			t.Errorf("in an area, %q is %q after left and delete", text, area.Text())
		}
	}
}

// TestOneKeyClearsALine wherever the cursor stands.
func TestOneKeyClearsALine(t *testing.T) {
	line := widget.NewField(ui.Keys(), "two words", "")
	line.Update(keys.Press{KeyPressMsg: tea.KeyPressMsg{Code: tea.KeyLeft}})
	line.Update(keys.Press{KeyPressMsg: tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}})
	if line.Value() != "" {
		t.Errorf("ctrl+u leaves %q", line.Value())
	}
}

// TestAFieldMarksWhatIsScrolledOut on each side, never at the cursor.
func TestAFieldMarksWhatIsScrolledOut(t *testing.T) {
	line := widget.NewField(ui.Keys(), "warm | brief | 日本語", "")
	press := func(key tea.KeyPressMsg) { line.Update(keys.Press{KeyPressMsg: key}) }
	sees := func(w int, want string, wantCursor int) {
		t.Helper()
		line.SetWidth(w)
		if got, cursor := line.Visible(); got != want || cursor != wantCursor {
			t.Errorf("in %d cells %q is seen with the cursor at %d, want %q and %d", w, got, cursor, want, wantCursor)
		}
	}
	sees(30, "warm | brief | 日本語", 21)
	sees(12, "…f | 日本語", 11)
	sees(5, "… 語", 4) // the mark is as wide as what it stands for
	sees(1, "", 0)
	press(tea.KeyPressMsg{Code: tea.KeyHome})
	sees(30, "warm | brief | 日本語", 0)
	sees(12, "warm | brie…", 0)
	for range 8 {
		press(tea.KeyPressMsg{Code: tea.KeyRight})
	}
	sees(12, "warm | brie…", 8)
	press(tea.KeyPressMsg{Code: tea.KeyRight})
	sees(12, "…rm | brief…", 8)
}
