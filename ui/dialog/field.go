package dialog

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/textedit"
)

// fieldLimit is the longest text of one line, in characters.
const fieldLimit = 4096

// field is a text of one line. It edits with a text input, but draws itself:
// the input's own cursor drifts by a cell per wide character (bubbles v2.2.1).
type field struct {
	input  textinput.Model
	styles *themes.Styles
	w      int
}

func newField(value, placeholder string) field {
	in := textinput.New()
	in.Prompt = ""
	in.Placeholder = placeholder
	in.CharLimit = fieldLimit
	in.SetVirtualCursor(false)
	// This reaches for the clipboard of the machine confab runs on, which over
	// SSH is not the user's.
	in.KeyMap.Paste.SetEnabled(false)
	in.SetValue(value)
	in.CursorEnd()
	in.Focus()
	return field{input: in}
}

func (f *field) value() string { return f.input.Value() }

func (f *field) setValue(s string) {
	f.input.SetValue(s)
	f.input.CursorEnd()
}

func (f *field) setWidth(w int) { f.w = max(w, 1) }

// update edits the text and tells whether it changed. A paste is taken as one
// line, without the blanks around it.
func (f *field) update(msg tea.Msg) bool {
	before := f.input.Value()
	switch msg := msg.(type) {
	case tea.PasteMsg:
		f.input, _ = f.input.Update(tea.PasteMsg{Content: termtext.Line(msg.Content)})
	case tea.KeyPressMsg:
		f.input = textedit.UpdateInput(f.input, msg)
	}
	return f.input.Value() != before
}

// edits tells whether a key edits the text or moves in it.
func (f *field) edits(msg tea.KeyPressMsg) bool { return textedit.EditsInput(f.input, msg) }

// parts returns the cleaned text before and after the cursor.
func (f *field) parts() (before, after string) {
	runes := []rune(f.input.Value())
	at := min(f.input.Position(), len(runes))
	return oneLine(string(runes[:at])), oneLine(string(runes[at:]))
}

// skip returns how many bytes of the text before the cursor are scrolled out
// on the left: so many that the cursor has a cell, and some of the text after
// it is seen too.
func (f *field) skip(before, after string) int {
	target := f.w - 1 - min(ansi.StringWidth(after), f.w/4)
	wide, skip := ansi.StringWidth(before), 0
	for skip < len(before) && wide > target {
		cluster, cells := ansi.FirstGraphemeCluster(before[skip:], ansi.GraphemeWidth)
		skip += max(len(cluster), 1)
		wide -= cells
	}
	return skip
}

// view returns the visible text, exactly as wide as the field.
func (f *field) view(focused bool) string {
	before, after := f.parts()
	text := before + after
	if text == "" {
		return f.styles.Faint.On(termtext.Fit(f.input.Placeholder, f.w))
	}
	text = text[f.skip(before, after):]
	style := f.styles.Text
	if !focused {
		style = f.styles.Muted
	}
	return style.On(termtext.Fit(text, f.w))
}

// cursor returns the cursor relative to the field.
func (f *field) cursor() *tea.Cursor {
	before, after := f.parts()
	c := tea.NewCursor(ansi.StringWidth(before[f.skip(before, after):]), 0)
	c.Color = f.styles.Cursor
	c.Shape = f.styles.Input.Cursor.Shape
	c.Blink = f.styles.Input.Cursor.Blink
	return c
}

// oneLine cleans text for one line and, unlike [termtext.Line], keeps the
// blanks at its ends.
func oneLine(s string) string { return strings.ReplaceAll(termtext.Clean(s), "\n", " ") }
