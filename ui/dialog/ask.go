package dialog

import (
	"slices"
	"strings"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/widget"
)

// Heights of the text areas, and the most characters that a name takes.
const (
	oneLineRows   = 2 // a longer name wraps
	manyLinesRows = 8
	maxNameLength = 4096
)

// NewAskText returns the form that asks for a text of one line, or of several, with the value that it has now. In a
// text of several lines, enter and the keys for a new line do what they do in the prompt.
func NewAskText(ask action.AskText, m keys.Map, s *themes.Styles) action.Dialog {
	area := widget.NewArea(m)
	f := &form{Base: overlay.NewBase("ask", keys.Form, m, s), title: termtext.Line(ask.Title)}
	height, value := manyLinesRows, widget.NormalizeLines(ask.Value)
	if ask.Many {
		f.lookups = []keys.Lookup{{Scope: keys.Prompt, Only: []keys.Command{keys.Send, keys.NewLine}},
			{Scope: keys.Form}}
		f.hints = slices.Concat(m.HintAs(keys.Prompt, keys.Send, "accept"), m.Hints(keys.Form, keys.Close),
			m.Hints(keys.Prompt, keys.NewLine))
	} else {
		area.KeyMap.InsertNewline.SetEnabled(false)
		area.CharLimit = maxNameLength
		height, value = oneLineRows, widget.OneLine(value)
	}
	widget.SetAreaText(&area, value)
	area.MoveToEnd()
	area.Focus()
	f.rows = []*row{{area: &area, height: height}}
	f.summary = func(int, int) []string { return []string{f.Styles.Muted.On(termtext.Line(ask.Label))} }
	f.accept = func() action.Action {
		value := area.Value()
		if !ask.Many {
			value = strings.TrimSpace(value)
		}
		return ask.Then(value)
	}
	f.SetStyles(s)
	return f
}

// NewConfirm returns the form of a question whose answer is yes or no. No is chosen first, so that a key pressed too
// much does nothing.
func NewConfirm(ask action.Confirm, m keys.Map, s *themes.Styles) action.Dialog {
	yes, no := overlay.CloseThen(ask.Yes), action.CloseDialog{}
	answer := &row{choices: []string{"Yes", "No"}, at: 1}
	f := &form{Base: overlay.NewBase("confirm", keys.Form, m, s), title: termtext.Line(ask.Title),
		rows: []*row{answer}, hints: m.Hints(keys.Form, keys.Yes, keys.No, keys.Close),
		does:   map[keys.Command]action.Action{keys.Yes: yes, keys.No: no},
		accept: func() action.Action { return []action.Action{yes, no}[answer.at] }}
	f.summary = func(w, height int) []string {
		lines := termtext.Wrap(termtext.Clean(ask.Question), max(w, 2))
		return append(styled(f.Styles.Text, lines[:min(len(lines), max(height-1, 0))]), "")
	}
	f.SetStyles(s)
	return f
}
