package widget

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/ui/keys"
)

// Area is a text area of several lines whose text is exactly what was typed, pasted or set: characters that a text area
// of bubbles drops or replaces have stand-ins in it (see encode). Its methods take and return the text itself; the
// embedded model moves, selects and draws.
type Area struct{ textarea.Model }

// NewArea returns an empty text area without a limit of its text. The keys for a new line are those of the prompt.
func NewArea(m keys.Map) Area {
	a := Area{textarea.New()}
	a.Prompt = ""
	a.ShowLineNumbers = false
	a.CharLimit = 0
	a.MaxHeight = 0 // would refuse further lines as well (bubbles v2.2.1)
	a.SetVirtualCursor(false)
	// These two use the clipboard of the machine confab runs on, which over SSH is not the user's.
	a.KeyMap.Paste.SetEnabled(false)
	a.KeyMap.CopySelection.SetEnabled(false)
	if e, ok := m.Entry(keys.Prompt, keys.NewLine); ok {
		a.KeyMap.InsertNewline.SetKeys(e.Keys...)
	}
	a.SetText("")
	return a
}

// Text returns the text.
func (a *Area) Text() string { return decode(a.Value()) }

// SetText replaces the text and leaves the cursor at its end. SetValue alone reserves 10,000 lines, 240 KB, however
// short the text is (bubbles v2.2.1), of which a server of many screens would hold some for each. Deleting what two
// selected lines have between them makes room for the lines there are.
func (a *Area) SetText(text string) {
	a.SetValue("\n")
	a.MoveToBegin()
	a.BeginSelection(0, 0)
	a.ExtendSelection(0, 1)
	a.EndSelection()
	a.DeleteSelection()
	a.InsertString(encode(text))
}

// Insert inserts a text at the cursor, in place of what is selected.
func (a *Area) Insert(text string) {
	if a.HasSelection() {
		a.DeleteSelection()
	}
	a.InsertString(encode(text))
	a.showCursor()
}

func (a *Area) showCursor() {
	if a.Focused() {
		a.Model, _ = a.Model.Update(nil)
	}
}

// Selected returns the selected text.
func (a *Area) Selected() string { return decode(a.SelectedText()) }

// Split returns the text before and after the cursor.
func (a *Area) Split() (before, after string) {
	before, after = a.split()
	return decode(before), decode(after)
}

func (a *Area) split() (before, after string) {
	value := a.Value()
	start := 0
	for range a.Line() {
		n := strings.IndexByte(value[start:], '\n')
		if n < 0 {
			break
		}
		start += n + 1
	}
	at, column := start, a.Column()
	for i, r := range value[start:] {
		if column == 0 || r == '\n' {
			at = start + i
			return value[:at], value[at:]
		}
		column--
	}
	return value, ""
}

// Join replaces the text, and puts the cursor between its two parts.
func (a *Area) Join(before, after string) {
	a.SetText(after)
	a.MoveToBegin()
	a.InsertString(encode(before))
	a.showCursor()
}

// Lines returns the text in lines as they are drawn, before they are wrapped.
func (a *Area) Lines() []string { return strings.Split(drawn(a.Value()), "\n") }

// Draw returns the lines of the view. A text may hold anything, so they pass the drawing boundary like every other.
func (a *Area) Draw() []string { return strings.Split(termtext.Allow(drawn(a.View())), "\n") }

// Update gives the text area a message that is no key, such as a blink of its cursor.
func (a *Area) Update(msg tea.Msg) (cmd tea.Cmd) {
	a.Model, cmd = a.Model.Update(msg)
	return cmd
}

// NormalizeLines turns the line ends of a paste into line feeds: terminals send carriage returns for them.
func NormalizeLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
