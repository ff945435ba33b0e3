package widget

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"confab/ui/editing"
	"confab/ui/keys"
)

// lineField is a field for its editor.
type lineField struct{ *Field }

var _ editing.Field = lineField{}

// Press gives a key to the field. The key that deletes up to the cursor deletes all of the line.
func (f *Field) Press(msg tea.KeyPressMsg) editing.Result {
	if !f.edits(msg) && !f.Takes(msg) {
		return editing.Result{}
	}
	if f.editor.Command(msg) == keys.DeleteToLineStart && f.from == f.to {
		f.input.CursorEnd()
	}
	return f.editor.Press(lineField{f}, msg)
}

// CopySelection copies the selected text, if any, and ends the selection.
func (f *Field) CopySelection() editing.Result { return f.editor.CopySelection(lineField{f}) }

// Edits tells whether a key types into the field, edits its text or moves in it.
func (f *Field) Edits(msg keys.Press) bool { return f.edits(msg.KeyPressMsg) }

func (f *Field) edits(msg tea.KeyPressMsg) bool {
	return f.Takes(msg) || f.editor.Edits(msg) && !goesByLines(f.editor.Command(msg))
}

// goesByLines tells whether a command means nothing in a line.
func goesByLines(command keys.Command) bool {
	switch command {
	case keys.CursorUp, keys.CursorDown, keys.CursorPageUp, keys.CursorPageDown, keys.SelectUp, keys.SelectDown:
		return true
	}
	return false
}

// Raw implements [editing.Field].
func (f lineField) Raw() (text string, at int) {
	text = f.input.Value()
	return text, byteOf(text, f.input.Position())
}

// byteOf returns the byte at which a rune of a text begins.
func byteOf(text string, at int) int {
	for i := range text {
		if at == 0 {
			return i
		}
		at--
	}
	return len(text)
}

// Cells implements [editing.Field].
func (f lineField) Cells(text string) []string { return cells(text, nil) }

// Content implements [editing.Field].
func (f lineField) Content() editing.Text {
	text, at := f.Raw()
	if f.from == f.to {
		return editing.NewText(f.Cells(text), at, at, at)
	}
	return editing.NewText(f.Cells(text), at, byteOf(text, f.from), byteOf(text, f.to))
}

// SetContent implements [editing.Field].
func (f lineField) SetContent(t editing.Text) {
	if text := t.String(); text != f.input.Value() {
		f.input.SetValue(text)
	}
	runes := func(n int) int { return utf8.RuneCountInString(strings.Join(t.Cells[:n], "")) }
	f.input.SetCursor(runes(t.At))
	f.from, f.to = runes(t.From), runes(t.To)
}

// Type implements [editing.Field].
func (f lineField) Type(text string) {
	if t := f.Content(); t.HasSelection() {
		f.SetContent(t.Without())
	}
	f.from, f.to = 0, 0
	f.input, _ = f.input.Update(tea.PasteMsg{Content: text})
}

// Pass implements [editing.Field]: a line has no layout.
func (f lineField) Pass(keys.Command) {}

// IsLine implements [editing.Field].
func (f lineField) IsLine() bool { return true }

// Mode returns the mode of vi.
func (f *Field) Mode() editing.Mode { return f.editor.Mode() }

// Takes reports whether a key belongs to the mode of vi, whatever it means elsewhere.
func (f *Field) Takes(msg tea.KeyPressMsg) bool { return f.editor.Takes(lineField{f}, msg) }
