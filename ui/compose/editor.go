package compose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/editing"
	"confab/ui/keys"
	"confab/ui/widget"
)

// margin is the width of the empty columns left and right of the text.
const margin = 1

const (
	promptPlaceholder = "Write a prompt"
	imagePlaceholder  = "Describe the picture"
	editPlaceholder   = "Write what to change in the picture"
	systemPlaceholder = "None. Instructions sent to all models before the prompt"
)

// editor is a text area with chips for large pastes.
type editor struct {
	area      widget.Area
	chips     []chip
	numbered  int  // number of the newest chip
	hasFolded bool // the notice of folding was shown
	isPasting bool // the newest message was a paste, which may continue
	w, h      int
}

func newEditor(m keys.Map, placeholder string) editor {
	area := widget.NewArea(m)
	area.Placeholder = placeholder
	return editor{area: area}
}

// SetSize implements [part.Pane].
func (e *editor) SetSize(w, h int) {
	e.w, e.h = w, max(h, 1)
	w -= 2 * margin
	e.area.SetWidth(max(w, 1))
	e.area.SetHeight(e.h)
	if e.area.ScrollYOffset() == 0 || e.rows(w, e.h+1) > e.h {
		return
	}
	// All of the text fits, but the text area shows lines that it has scrolled off only when the cursor moves.
	row, column := e.area.Line(), e.area.Column()
	e.area.MoveToBegin()
	for i := 0; e.area.Line() < row && i < e.h; i++ {
		e.area.CursorDown()
	}
	e.area.SetCursorColumn(column)
}

// SetStyles implements [part.Pane].
func (e *editor) SetStyles(s *themes.Styles) { e.area.SetStyles(s.Editor) }

// SetFocused implements [part.Pane].
func (e *editor) SetFocused(focused bool) tea.Cmd {
	if focused {
		return e.area.Focus()
	}
	e.area.Blur()
	return nil
}

// update passes a message to the text area and makes a chip of a large paste.
func (e *editor) update(msg tea.Msg) (action.Action, tea.Cmd) {
	var then action.Action
	switch msg := msg.(type) {
	case tea.PasteMsg:
		text := widget.NormalizeLines(msg.Content)
		switch {
		case e.holdsTooMuch(len(text)):
			return refuseText(), nil
		case e.continuePaste(text):
			return nil, nil
		case isLarge(text) || len(text) > chipLabel && !e.holds(text):
			text = e.makeChip("paste", text)
		}
		e.area.Insert(text)
		e.isPasting = true
	case keys.Press:
		e.isPasting = false
		if e.holdsTooMuch(len(msg.Text)) {
			return refuseText(), nil
		}
		then = e.press(msg)
	default:
		return nil, e.area.Update(msg)
	}
	e.dropDeletedChips()
	if e.area.HasSelection() {
		return then, nil
	}
	return action.Join(then, e.fold()), nil
}

func (e *editor) press(msg keys.Press) action.Action {
	if e.openChip(e.area.Command(msg.KeyPressMsg)) {
		return nil
	}
	return e.afterEdit(e.area.Press(msg.KeyPressMsg))
}

// run does a command of text fields.
func (e *editor) run(command keys.Command) action.Action { return e.afterEdit(e.area.Run(command)) }

func (e *editor) afterEdit(r editing.Result) action.Action {
	r.Copied = e.expand(r.Copied)
	return r.Action()
}

func (e *editor) copySelection() action.Action { return e.afterEdit(e.area.CopySelection()) }

func refuseText() action.Action {
	return action.Notify{Severity: action.Warn, Text: "Not added: a prompt can hold 4 MiB at most."}
}

func (e *editor) edits(msg keys.Press) bool { return e.area.Edits(msg.KeyPressMsg) }

// mouse marks text by dragging, and copies it when the button is released.
func (e *editor) mouse(msg tea.MouseMsg) action.Action {
	x, y := msg.Mouse().X-margin, msg.Mouse().Y
	switch msg.(type) {
	case tea.MouseClickMsg:
		if msg.Mouse().Button == tea.MouseLeft {
			e.area.BeginSelection(x, y)
		}
	case tea.MouseMotionMsg:
		e.area.ExtendSelection(x, y)
	case tea.MouseReleaseMsg:
		e.area.EndSelection()
		e.area.LeaveCell()
		if text := e.area.Selected(); text != "" {
			return action.Copy{Text: e.expand(text), What: "the marked text"}
		}
	}
	return nil
}

// holds reports whether the text area can hold a text in addition.
func (e *editor) holds(text string) bool {
	return editingCost(e.area.Text())+editingCost(text) <= maxEditingCost
}

func isLarge(s string) bool { return editingCost(s) > maxEditingCost }

// Text returns the whole text, chips expanded.
func (e *editor) Text() string { return e.expand(e.area.Text()) }

// IsEmpty reports whether there is no text.
func (e *editor) IsEmpty() bool { return e.area.Value() == "" }

// SetText replaces the text.
func (e *editor) SetText(text string) {
	if isLarge(text) {
		text = e.makeChip("paste", text)
	}
	e.area.SetText(text)
}

// Reset replaces the text by that of another session, and forgets what could be undone.
func (e *editor) Reset(text string) {
	e.chips, e.area.Whole = nil, nil
	e.SetText(text)
	e.area.Forget()
}

// isBehindWord reports whether a letter or a digit is before the cursor.
func (e *editor) isBehindWord() bool {
	before, _ := e.area.Split()
	last, _ := utf8.DecodeLastRuneInString(before)
	return unicode.IsLetter(last) || unicode.IsDigit(last)
}

func (e *editor) isAtFirstLine() bool {
	return e.area.Line() == 0 && e.area.LineInfo().RowOffset == 0
}

func (e *editor) isAtLastLine() bool {
	return e.area.Line() == e.area.LineCount()-1 && e.area.LineInfo().RowOffset >= e.area.LineInfo().Height-1
}

// rows returns how many lines the text needs at this width without margins, at most limit.
func (e *editor) rows(w, limit int) int {
	rows := 0
	for _, line := range e.area.Lines() {
		rows += max(len(termtext.Wrap(line, max(w-1, 1))), 1)
		if rows >= limit {
			return limit
		}
	}
	return rows
}

// View implements [part.Pane].
func (e *editor) View() []string {
	lines := e.area.Draw()
	for i, l := range lines {
		lines[i] = strings.Repeat(" ", margin) + l
	}
	return widget.FillLines(lines, e.w, e.h)
}

// Cursor implements [part.Pane].
func (e *editor) Cursor() *tea.Cursor {
	c := e.area.Cursor()
	if c != nil {
		c.X += margin
		if e.area.Mode() == editing.ModeInsert {
			c.Shape = tea.CursorBar
		}
	}
	return c
}
