package widget

import (
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"confab/ui/keys"
)

// TestTextAreasAreSmall holds the memory of screens that are served: a text area of bubbles reserves 10,000 lines.
func TestTextAreasAreSmall(t *testing.T) {
	const count = 100
	areas := make([]Area, count)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range areas {
		areas[i] = NewArea(editKeys)
		areas[i].SetText("two\nlines")
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := int64(after.HeapAlloc-before.HeapAlloc) / count; each > 64<<10 {
		t.Errorf("a text area takes %d bytes", each)
	}
	runtime.KeepAlive(areas)
}

func TestSetText(t *testing.T) {
	for _, height := range []int{1, 6} {
		area := NewArea(editKeys)
		area.SetHeight(height)
		for _, text := range []string{"", "one", "one\ntwo\nthree", strings.Repeat("line\n", 12_000), "one again", ""} {
			area.SetText(text)
			lines := strings.Split(text, "\n")
			want := lines[:min(len(lines), 10_000)]
			if area.Value() != strings.Join(want, "\n") || area.Line() != len(want)-1 {
				t.Errorf("height %d: the cursor is in line %d of %d", height, area.Line(), len(want))
			}
		}
	}
}

// editKeys are the keys that the tests press.
var editKeys = keys.New([]keys.Entry{
	{Scope: keys.Text, Command: keys.CursorLeft, Keys: []string{"left"}},
	{Scope: keys.Text, Command: keys.CursorRight, Keys: []string{"right"}},
	{Scope: keys.Text, Command: keys.CursorUp, Keys: []string{"up"}},
	{Scope: keys.Text, Command: keys.CursorDown, Keys: []string{"down"}},
	{Scope: keys.Text, Command: keys.DeleteLeft, Keys: []string{"backspace"}},
	{Scope: keys.Text, Command: keys.DeleteRight, Keys: []string{"delete"}},
	{Scope: keys.Text, Command: keys.CursorLineEnd, Keys: []string{"end"}},
})

// oddTexts are texts of which a text area of bubbles changes something.
var oddTexts = []string{"\tfor {\n\t\tx++\t// y\n\t}", "a\r\nb\rc",
	"nul\x00 bell\a esc\x1b[31m del\x7f c1\u0085", "\xff\xfe broken \xc3",
	"\uFFFD \u205f \u2008 \u205f\u2008\u2008\u2008", "\U000F0009 \U000F0300\U000F0300", "e\u0301\t👩‍🍳\t", "\n\n\t\n"}

// TestATextStaysAsItIs: whatever a text holds, the text area gives it back, whole and in two parts at every place.
func TestATextStaysAsItIs(t *testing.T) {
	for _, text := range oddTexts {
		area := NewArea(editKeys)
		area.SetWidth(20)
		area.SetHeight(5)
		area.Focus()
		if area.SetText(text); area.Text() != text {
			t.Errorf("%q became %q", text, area.Text())
		}
		area.SetText("")
		if area.Insert(text); area.Text() != text {
			t.Errorf("inserted, %q became %q", text, area.Text())
		}
		for range len(text) + 2 {
			area.Press(tea.KeyPressMsg{Code: tea.KeyLeft})
			if before, after := area.Split(); before+after != text {
				t.Fatalf("%q is %q and %q", text, before, after)
			}
		}
		area.MoveToEnd()
		for range len(text) + 2 {
			area.Press(tea.KeyPressMsg{Code: tea.KeyBackspace})
			if !strings.HasPrefix(text, area.Text()) {
				t.Fatalf("after backspace %q is %q", text, area.Text())
			}
		}
		if area.Text() != "" {
			t.Errorf("%q leaves %q", text, area.Text())
		}
		for _, line := range area.Draw() {
			if strings.ContainsFunc(line, func(r rune) bool { return isStandIn(r) || isTabPart(r) }) {
				t.Errorf("%q is drawn with a stand-in: %q", text, line)
			}
		}
	}
}

// TestATabIsOneCharacter: a key never stands in a tab or deletes a part of it.
func TestATabIsOneCharacter(t *testing.T) {
	area := NewArea(editKeys)
	area.SetWidth(40)
	area.SetHeight(5)
	area.Focus()
	area.SetText("abcdef\n\tx\t\ty")
	press := func(codes ...rune) {
		for _, code := range codes {
			k := tea.KeyPressMsg{Code: code}
			if code < ' ' || code >= tea.KeyBackspace {
				area.Press(k)
				continue
			}
			k.Text = string(code)
			area.Press(k)
		}
	}
	area.MoveToBegin()
	press(tea.KeyRight, tea.KeyRight, tea.KeyDown, '!')
	if area.Text() != "abcdef\n!\tx\t\ty" {
		t.Errorf("from above into a tab: %q", area.Text())
	}
	press(tea.KeyDelete, tea.KeyEnd, tea.KeyLeft, tea.KeyBackspace)
	if area.Text() != "abcdef\n!x\ty" {
		t.Errorf("delete and backspace: %q", area.Text())
	}
	if lines := area.Lines(); lines[1] != "!x    y" {
		t.Errorf("drawn %q", lines[1])
	}
}
