package widget

import (
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"confab/ui/editing"
	"confab/ui/keys"
)

// areaField is a text area for its editor, which works on the text with stand-ins.
type areaField struct{ *Area }

var _ editing.Field = areaField{}

// Press gives a key to the text area. What people see as one character is one for every key, and so is a tab.
// The keys for a new line are those of the prompt.
func (a *Area) Press(msg tea.KeyPressMsg) editing.Result {
	if a.isNewLine(msg) && a.IsTyping() {
		msg.Text = "\n"
	}
	return decoded(a.editor.Press(areaField{a}, msg))
}

func decoded(r editing.Result) editing.Result {
	r.Copied = decode(r.Copied)
	return r
}

// CopySelection copies the selected text, if any, and ends the selection.
func (a *Area) CopySelection() editing.Result { return decoded(a.editor.CopySelection(areaField{a})) }

// CanUndo reports whether there is something to undo.
func (a *Area) CanUndo() bool { return a.editor.CanUndo() }

// CanRedo reports whether something was undone that can be redone.
func (a *Area) CanRedo() bool { return a.editor.CanRedo() }

// Mode returns the mode of vi.
func (a *Area) Mode() editing.Mode { return a.editor.Mode() }

// IsTyping reports whether letters are text, as they are but in vi's normal and visual mode.
func (a *Area) IsTyping() bool { return a.Mode() == editing.ModeNone || a.Mode() == editing.ModeInsert }

// IsPending reports whether a command of vi waits for more.
func (a *Area) IsPending() bool { return a.editor.IsPending() }

// Takes reports whether a key belongs to the mode of vi, whatever it means elsewhere.
func (a *Area) Takes(msg tea.KeyPressMsg) bool { return a.editor.Takes(areaField{a}, msg) }

// Command returns the command of a key in text fields, "" for none.
func (a *Area) Command(msg tea.KeyPressMsg) keys.Command { return a.editor.Command(msg) }

// ShareRegister lets what was deleted in another area be put into this one, and the other way round.
func (a *Area) ShareRegister(with *Area) { a.editor.ShareRegister(with.editor) }

// Forget forgets what can be undone.
func (a *Area) Forget() { a.editor.Forget() }

// LeaveCell moves the cursor, after a click, out of what is one character for keys.
func (a *Area) LeaveCell() { areaField{a}.leaveCell(false) }

func (a *Area) isNewLine(msg tea.KeyPressMsg) bool {
	return a.keys.Find(msg, keys.LookupsIn(keys.Prompt)).Command == keys.NewLine
}

// Run does a command of text fields.
func (a *Area) Run(command keys.Command) editing.Result {
	return decoded(a.editor.Run(areaField{a}, command))
}

// Change makes what happens to the text one step to undo.
func (a *Area) Change(change func()) { a.editor.Change(areaField{a}, change) }

// ChangeMore makes what happens to the text a part of the newest step to undo.
func (a *Area) ChangeMore(change func()) { a.editor.ChangeMore(areaField{a}, change) }

// Edits tells whether a key types into the text area, edits its text or moves in it.
func (a *Area) Edits(msg tea.KeyPressMsg) bool {
	return a.Takes(msg) || a.editor.Edits(msg) || a.isNewLine(msg)
}

// Raw implements [editing.Field].
func (f areaField) Raw() (text string, at int) {
	text = f.Value()
	return text, offset(text, textarea.Position{Row: f.Line(), Col: f.Column()})
}

// Cells implements [editing.Field].
func (f areaField) Cells(text string) []string { return cells(text, f.Whole) }

// Content implements [editing.Field].
func (f areaField) Content() editing.Text {
	text, at := f.Raw()
	from, to, ok := f.Selection()
	if !ok {
		return editing.NewText(f.Cells(text), at, at, at)
	}
	return editing.NewText(f.Cells(text), at, offset(text, from), offset(text, to))
}

// offset returns the byte at a position of a text.
func offset(text string, p textarea.Position) int {
	start := 0
	for range p.Row {
		n := strings.IndexByte(text[start:], '\n')
		if n < 0 {
			break
		}
		start += n + 1
	}
	for i, r := range text[start:] {
		if p.Col == 0 || r == '\n' {
			return start + i
		}
		p.Col--
	}
	return len(text)
}

// positionAt returns the position of a byte of a text.
func positionAt(text string, at int) textarea.Position {
	before := text[:at]
	return textarea.Position{Row: strings.Count(before, "\n"),
		Col: utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])}
}

// SetContent implements [editing.Field]. It changes only what differs, so that the text does not scroll.
func (f areaField) SetContent(t editing.Text) {
	text, was := t.String(), f.Value()
	f.ClearSelection()
	if text != was {
		f.replaceText(was, text)
	}
	at := len(strings.Join(t.Cells[:t.At], ""))
	if t.HasSelection() && f.Focused() {
		from := len(strings.Join(t.Cells[:t.From], ""))
		to := from + len(t.Selected())
		if t.At == t.From {
			from, to = to, from
		}
		f.selectBetween(text, from, to)
	}
	f.moveTo(positionAt(text, at))
	f.showCursor()
}

// replaceText replaces what differs between the text of the area and another one.
func (f areaField) replaceText(was, text string) {
	start := 0
	for start < len(was) && start < len(text) && was[start] == text[start] {
		start++
	}
	for start > 0 && !(startsRune(was, start) && startsRune(text, start)) {
		start--
	}
	end := 0
	for end < len(was)-start && end < len(text)-start && was[len(was)-1-end] == text[len(text)-1-end] {
		end++
	}
	for end > 0 && !(startsRune(was, len(was)-end) && startsRune(text, len(text)-end)) {
		end--
	}
	removed := start < len(was)-end
	if removed && !f.Focused() { // bubbles selects with keys alone, and takes none without the focus (v2.2.1)
		f.setRaw(text)
		return
	}
	if removed {
		f.selectBetween(was, start, len(was)-end)
		f.DeleteSelection()
	} else {
		f.moveTo(positionAt(was, start))
	}
	f.InsertString(text[start : len(text)-end])
}

func startsRune(s string, at int) bool { return at == len(s) || utf8.RuneStart(s[at]) }

// selectBetween selects what is between two bytes of the text, the cursor at the second one.
func (f areaField) selectBetween(text string, from, to int) {
	right := tea.KeyPressMsg{Code: tea.KeyRight, Mod: tea.ModShift}
	f.moveTo(positionAt(text, from))
	f.Update(right)
	if to == 0 {
		_, size := utf8.DecodeRuneInString(text)
		f.moveTo(positionAt(text, size))
		f.Update(tea.KeyPressMsg{Code: tea.KeyLeft, Mod: tea.ModShift})
		return
	}
	_, size := utf8.DecodeLastRuneInString(text[:to])
	f.moveTo(positionAt(text, to-size))
	f.Update(right)
}

// farLines is the number of lines from which moving line by line is slower than setting the text.
const farLines = 200

// moveTo moves the cursor.
func (f areaField) moveTo(p textarea.Position) {
	switch last := f.LineCount() - 1; {
	case p.Row == 0:
		f.MoveToBegin()
	case p.Row == last:
		f.MoveToEnd()
	case max(p.Row-f.Line(), f.Line()-p.Row) > farLines && !f.HasSelection():
		text := f.Value()
		at := offset(text, p)
		f.setRaw(text[at:])
		f.MoveToBegin()
		f.InsertString(text[:at])
	}
	for f.Line() < p.Row {
		f.CursorEnd()
		f.CursorDown()
	}
	for f.Line() > p.Row {
		f.CursorStart()
		f.CursorUp()
	}
	f.SetCursorColumn(p.Col)
}

// IsLine implements [editing.Field].
func (f areaField) IsLine() bool { return false }

// Type implements [editing.Field].
func (f areaField) Type(text string) { f.insert(text) }

// Pass implements [editing.Field].
func (f areaField) Pass(command keys.Command) {
	key, ok := map[keys.Command]tea.KeyPressMsg{
		keys.CursorUp:       {Code: tea.KeyUp},
		keys.CursorDown:     {Code: tea.KeyDown},
		keys.CursorPageUp:   {Code: tea.KeyPgUp},
		keys.CursorPageDown: {Code: tea.KeyPgDown},
		keys.SelectUp:       {Code: tea.KeyUp, Mod: tea.ModShift},
		keys.SelectDown:     {Code: tea.KeyDown, Mod: tea.ModShift},
	}[command]
	if ok {
		f.Update(key)
		f.leaveCell(key.Code == tea.KeyUp || key.Code == tea.KeyPgUp)
	}
}

// leaveCell moves the cursor, and the ends of the selection, out of what is one character for keys: behind a given
// piece on the way down, which may have several lines, and else before it.
func (f areaField) leaveCell(isUp bool) {
	text, at := f.Raw()
	t := f.Content()
	cell := len(strings.Join(t.Cells[:t.At], ""))
	if cell == at && f.Selected() == decode(t.Selected()) {
		return
	}
	if cell != at && (isUp || !slices.Contains(f.Whole, t.Cells[t.At-1])) {
		t = editing.NewText(t.Cells, cell-len(t.Cells[t.At-1]), 0, 0)
	}
	if from, to, ok := f.Selection(); ok {
		t = editing.NewText(t.Cells, cell, offset(text, from), offset(text, to))
		t.At = t.From
		if offset(text, to) == at {
			t.At = t.To
		}
	}
	f.SetContent(t)
}

// cells cuts a text with stand-ins into what keys take as one character: grapheme clusters, tabs, and given pieces.
func cells(s string, whole []string) []string {
	out := make([]string, 0, len(s))
	for s != "" {
		cell := ""
		if strings.HasPrefix(s, "⟦") {
			for _, piece := range whole {
				if strings.HasPrefix(s, piece) {
					cell = piece
				}
			}
		}
		if cell == "" {
			cell = firstCluster(s)
		}
		out = append(out, cell)
		s = s[len(cell):]
	}
	return out
}

// firstCluster returns the first grapheme cluster of a text with stand-ins, or its tab.
func firstCluster(s string) string {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1]
	}
	if strings.HasPrefix(s, string(tabStandIn)) {
		rest := strings.TrimLeft(s[len(string(tabStandIn)):], string(tabFiller))
		return s[:len(s)-len(rest)]
	}
	if r, size := utf8.DecodeRuneInString(s); r == quoteStandIn {
		_, quoted := utf8.DecodeRuneInString(s[size:])
		return s[:size+quoted]
	}
	if g := graphemes.FromString(s); g.Next() {
		return g.Value()
	}
	return s
}
