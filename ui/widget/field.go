package widget

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/editing"
	"confab/ui/keys"
)

// fieldLimit is the longest text of one line, in characters.
const fieldLimit = 4096

// Field is a text of one line: every filter, search and line of a form is one. It edits with a text input, but draws
// itself: the input's own cursor drifts by a cell per wide character (bubbles v2.2.1).
type Field struct {
	Styles   *themes.Styles
	input    textinput.Model
	editor   *editing.Editor
	from, to int // of the selection, in runes
	w        int
}

// NewField returns a field that holds a value and shows the placeholder while it is empty.
func NewField(m keys.Map, value, placeholder string) Field {
	in := textinput.New()
	in.Prompt = ""
	in.Placeholder = placeholder
	in.CharLimit = fieldLimit
	in.SetVirtualCursor(false)
	in.SetValue(value)
	in.CursorEnd()
	in.Focus()
	return Field{input: in, editor: editing.NewEditor(m)}
}

// Value returns the text.
func (f *Field) Value() string { return f.input.Value() }

// SetValue replaces the text and moves the cursor to its end.
func (f *Field) SetValue(s string) {
	f.editor.Change(lineField{f}, func() {
		f.input.SetValue(s)
		f.input.CursorEnd()
		f.from, f.to = 0, 0
	})
}

// SelectAll selects the text, so that what is typed replaces it.
func (f *Field) SelectAll() { f.from, f.to = 0, len([]rune(f.input.Value())) }

// SetPlaceholder sets what is shown while the field is empty.
func (f *Field) SetPlaceholder(s string) { f.input.Placeholder = s }

// SetWidth sets the width of the field in cells.
func (f *Field) SetWidth(w int) { f.w = max(w, 1) }

// Update edits the text and tells whether it changed. A paste is taken as one line, without the blanks around it.
func (f *Field) Update(msg tea.Msg) bool {
	before := f.input.Value()
	switch msg := msg.(type) {
	case tea.PasteMsg:
		f.editor.Change(lineField{f}, func() { lineField{f}.Type(termtext.Line(msg.Content)) })
	case keys.Press:
		f.Press(msg.KeyPressMsg)
	}
	return f.input.Value() != before
}

// parts returns the cleaned text before and after the cursor.
func (f *Field) parts() (before, after string) {
	runes := []rune(f.input.Value())
	at := min(f.input.Position(), len(runes))
	return OneLine(string(runes[:at])), OneLine(string(runes[at:]))
}

// skip returns how many bytes of the text before the cursor are scrolled out on the left: so many that the cursor has a
// cell, and some of the text after it is seen too.
func (f *Field) skip(before, after string) int {
	target := f.w - 1 - min(ansi.StringWidth(after), f.w/4)
	wide, skip := ansi.StringWidth(before), 0
	for skip < len(before) && wide > target {
		cluster, cells := ansi.FirstGraphemeCluster(before[skip:], ansi.GraphemeWidth)
		skip += max(len(cluster), 1)
		wide -= cells
	}
	return skip
}

// Visible returns the text that is seen, without a style, and the column of the cursor in it. A mark stands where more
// of the text is scrolled out.
func (f *Field) Visible() (text string, cursor int) {
	before, after := f.parts()
	skip := f.skip(before, after)
	text, cursor = (before + after)[skip:], ansi.StringWidth(before[skip:])
	if skip > 0 && cursor > 0 {
		cluster, cells := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		text = termtext.Fit("…", cells) + text[len(cluster):]
	}
	return ansi.Truncate(text, f.w, "…"), cursor
}

// View returns the visible text, exactly as wide as the field.
func (f *Field) View(focused bool) string {
	text, _ := f.Visible()
	if f.input.Value() == "" {
		return f.Styles.Faint.On(termtext.Fit(f.input.Placeholder, f.w))
	}
	style := f.Styles.Text
	if !focused {
		style = f.Styles.Muted
	}
	line := style.On(termtext.Fit(text, f.w))
	if f.from == f.to || !focused {
		return line
	}
	return MarkSpans(line, []Span{{f.column(f.from), f.column(f.to)}}, f.w, f.Styles.SelectedText)
}

// column returns the column at which a rune of the text is seen.
func (f *Field) column(at int) int {
	before, after := f.parts()
	runes := []rune(f.input.Value())
	return ansi.StringWidth(OneLine(string(runes[:min(at, len(runes))]))) -
		ansi.StringWidth(before[:f.skip(before, after)])
}

// Cursor returns the cursor of a field whose first cell is at (x, y).
func (f *Field) Cursor(x, y int) *tea.Cursor {
	_, column := f.Visible()
	c := tea.NewCursor(x+column, y)
	c.Color, c.Blink = f.Styles.Cursor, true
	return c
}

// OneLine cleans text for one line and, unlike [termtext.Line], keeps the blanks at its ends.
func OneLine(s string) string { return strings.ReplaceAll(termtext.Clean(s), "\n", " ") }
