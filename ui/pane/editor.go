package pane

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/textedit"
)

// A paste larger than this becomes a chip: the text area redraws its whole
// text on every key, which a large text would make slow. So does one for which
// the text area has no room left.
const (
	chipBytes = 20 << 10
	chipLines = 200
	chipLabel = 40 // bytes of the label of a chip, about
)

// editor is a text area whose large pastes are held as chips beside it.
type editor struct {
	area  textarea.Model
	chips []chip
	h     int
}

// chip is a large paste; its label stands for it in the text area.
type chip struct{ label, text string }

func newEditor(m keys.Map, placeholder string) editor {
	area := textarea.New()
	area.Prompt = ""
	area.Placeholder = placeholder
	area.ShowLineNumbers = false
	area.CharLimit = 0
	// MaxHeight would also refuse further lines (bubbles v2.2.1); the pane's
	// height is set from outside instead.
	area.MaxHeight = 0
	area.SetVirtualCursor(false)
	// These two reach for the clipboard of the machine confab runs on, which
	// over SSH is not the user's.
	area.KeyMap.Paste.SetEnabled(false)
	area.KeyMap.CopySelection.SetEnabled(false)
	if e, ok := m.Entry(keys.Prompt, keys.NewLine); ok {
		area.KeyMap.InsertNewline.SetKeys(e.Keys...)
	}
	return editor{area: area}
}

func (e *editor) setSize(w, h int) {
	e.h = max(h, 1)
	e.area.SetWidth(max(w, 1))
	e.area.SetHeight(e.h)
	if e.area.ScrollYOffset() == 0 || e.rows(w, e.h+1) > e.h {
		return
	}
	// It has grown to hold all of the text, but the text area keeps the lines
	// away that had scrolled off: only moving the cursor brings them back.
	row, column := e.area.Line(), e.area.Column()
	e.area.MoveToBegin()
	for i := 0; e.area.Line() < row && i < e.h; i++ {
		e.area.CursorDown()
	}
	e.area.SetCursorColumn(column)
}

func (e *editor) setStyles(s *themes.Styles) { e.area.SetStyles(s.Editor) }

func (e *editor) focus(focused bool) tea.Cmd {
	if focused {
		return e.area.Focus()
	}
	e.area.Blur()
	return nil
}

// update gives the message to the text area; a large paste becomes a chip.
func (e *editor) update(msg tea.Msg) tea.Cmd {
	if paste, ok := msg.(tea.PasteMsg); ok {
		text := normalizeLines(paste.Content)
		if large(text) || len(text) > chipLabel && !e.holds(text) {
			e.area.InsertString(e.chip(text))
			return nil
		}
		msg = tea.PasteMsg{Content: text}
	}
	var cmd tea.Cmd
	if press, ok := msg.(tea.KeyPressMsg); ok {
		e.area, cmd = textedit.UpdateArea(e.area, press)
	} else {
		e.area, cmd = e.area.Update(msg)
	}
	return cmd
}

// edits tells whether a key types, edits the text or moves in it.
func (e *editor) edits(msg tea.KeyPressMsg) bool { return textedit.EditsArea(e.area, msg) }

// mouse marks text by dragging, and copies it when the button is let go.
// Coordinates are the text area's own.
func (e *editor) mouse(msg tea.Msg, offset int) action.Action {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			e.area.BeginSelection(msg.X-offset, msg.Y)
		}
	case tea.MouseMotionMsg:
		e.area.ExtendSelection(msg.X-offset, msg.Y)
	case tea.MouseReleaseMsg:
		e.area.EndSelection()
		if text := e.area.SelectedText(); text != "" {
			return action.Copy{Text: text, What: "the marked text"}
		}
	}
	return nil
}

// normalizeLines turns the line ends of other systems into LF: the text area
// makes two lines of CRLF.
func normalizeLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// holds tells whether the text area has room for a text beside its own.
func (e *editor) holds(text string) bool {
	return e.area.Length()+len(text) <= chipBytes && e.area.LineCount()+strings.Count(text, "\n") <= chipLines
}

func large(s string) bool { return len(s) > chipBytes || strings.Count(s, "\n") > chipLines }

// chip keeps the text aside and returns the label that stands for it.
func (e *editor) chip(text string) string {
	label := fmt.Sprintf("⟦paste %d: %d lines, %d KB⟧", len(e.chips)+1, strings.Count(text, "\n")+1, (len(text)+1023)/1024)
	e.chips = append(e.chips, chip{label, text})
	return label
}

// text returns the whole text, chips expanded.
func (e *editor) text() string {
	text := e.area.Value()
	for _, c := range e.chips {
		text = strings.ReplaceAll(text, c.label, c.text)
	}
	return text
}

// empty tells whether there is no text.
func (e *editor) empty() bool { return e.area.Length() == 0 }

func (e *editor) setText(text string) {
	e.chips = nil
	if text = normalizeLines(text); large(text) {
		text = e.chip(text)
	}
	e.area.SetValue(text)
	e.area.MoveToEnd()
}

func (e *editor) atFirstLine() bool {
	return e.area.Line() == 0 && e.area.LineInfo().RowOffset == 0
}

func (e *editor) atLastLine() bool {
	return e.area.Line() == e.area.LineCount()-1 && e.area.LineInfo().RowOffset >= e.area.LineInfo().Height-1
}

// rows returns how many lines the text needs at this width, at most limit.
func (e *editor) rows(w, limit int) int {
	rows := 0
	for line := range strings.SplitSeq(e.area.Value(), "\n") {
		rows += max(len(termtext.Wrap(line, max(w-1, 1))), 1)
		if rows >= limit {
			return limit
		}
	}
	return rows
}

// view returns the text area's lines. What a person pasted may hold anything,
// so it passes the drawing boundary like every other text.
func (e *editor) view(w int) []string {
	return fill(strings.Split(termtext.Allow(e.area.View()), "\n"), w, e.h)
}

func (e *editor) cursor() *tea.Cursor { return e.area.Cursor() }
