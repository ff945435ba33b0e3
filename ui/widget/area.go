package widget

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/ui/editing"
	"confab/ui/keys"
)

// Area is a text area of several lines whose text is exactly what was typed, pasted or set: characters that a text area
// of bubbles drops or replaces have stand-ins in it (see encode). Its methods take and return the text itself; the
// embedded model moves, selects and draws.
type Area struct {
	textarea.Model
	Whole  []string // pieces of the text, in ⟦ and ⟧, that keys take as one character
	keys   keys.Map
	editor *editing.Editor
}

// NewArea returns an empty text area without a limit of its text.
func NewArea(m keys.Map) Area {
	a := Area{Model: textarea.New(), keys: m, editor: editing.NewEditor(m)}
	a.Prompt = ""
	a.ShowLineNumbers = false
	a.CharLimit = 0
	a.MaxHeight = 0 // would refuse further lines as well (bubbles v2.2.1)
	a.SetVirtualCursor(false)
	a.setRaw("")
	return a
}

// Text returns the text.
func (a *Area) Text() string { return decode(a.Value()) }

// SetText replaces the text and leaves the cursor at its end.
func (a *Area) SetText(text string) { a.Change(func() { a.setRaw(encode(text)) }) }

// setRaw replaces the text with stand-ins. SetValue alone reserves 10,000 lines, 240 KB, however short the text is
// (bubbles v2.2.1), of which a server of many screens would hold some for each. Deleting what two selected lines have
// between them makes room for the lines there are.
func (a *Area) setRaw(text string) {
	a.SetValue("\n")
	a.MoveToBegin()
	a.BeginSelection(0, 0)
	a.ExtendSelection(0, 1)
	a.EndSelection()
	a.DeleteSelection()
	a.InsertString(text)
}

// Insert inserts a text at the cursor, in place of what is selected.
func (a *Area) Insert(text string) { a.Change(func() { a.insert(text) }) }

func (a *Area) insert(text string) {
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
	text, at := areaField{a}.Raw()
	return decode(text[:at]), decode(text[at:])
}

// Join replaces the text, and puts the cursor between its two parts.
func (a *Area) Join(before, after string) {
	a.Change(func() {
		f := areaField{a}
		left, right := encode(before), encode(after)
		f.SetContent(editing.NewText(f.Cells(left+right), len(left), 0, 0))
	})
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
