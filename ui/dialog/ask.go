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

const areaLines = 8

// NewAskText returns a form for a text of one line, or of several, in which enter and the keys for a new line work as
// in the prompt.
func NewAskText(ask action.AskText, m keys.Map, s *themes.Styles) action.Dialog {
	f := &form{title: termtext.Line(ask.Title)}
	if ask.Many {
		f = newAreaForm(f.title, ask.Value, m)
		area := f.rows[0].area
		f.hints = slices.Concat(m.HintAs(keys.Prompt, keys.Send, "accept"), m.Hints(keys.Form, keys.Close),
			m.Hints(keys.Prompt, keys.NewLine))
		f.accept = func() action.Action { return ask.Then(area.Text()) }
	} else {
		line := &row{text: widget.NewField(m, widget.OneLine(ask.Value), "")}
		line.text.SelectAll()
		f.rows = []*row{line}
		f.accept = func() action.Action { return ask.Then(strings.TrimSpace(line.text.Value())) }
	}
	f.summary = func(int, int) []string { return []string{f.Styles.Muted.On(termtext.Line(ask.Label))} }
	f.init("ask", m, s)
	return f
}

// newAreaForm returns a form for a text of several lines, without what it does.
func newAreaForm(title, text string, m keys.Map) *form {
	area := widget.NewArea(m)
	area.SetText(text)
	area.Focus()
	return &form{title: title, rows: []*row{{area: &area}}, before: area.Text(), lines: areaLines,
		lookups: []keys.Lookup{{Scope: keys.Prompt, Only: []keys.Command{keys.Send, keys.NewLine}}, {Scope: keys.Form}}}
}

// NewConfirm returns a question with yes and no. No is chosen first, so that enter by mistake does nothing.
func NewConfirm(ask action.Confirm, m keys.Map, s *themes.Styles) action.Dialog {
	yes, no := overlay.CloseThen(ask.Yes), action.CloseDialog{}
	answer := &row{choices: []string{"Yes", "No"}, at: 1}
	f := &form{title: termtext.Line(ask.Title), rows: []*row{answer}, yes: yes,
		accept: func() action.Action { return []action.Action{yes, no}[answer.at] }}
	f.summary = func(w, height int) []string {
		lines := termtext.Wrap(termtext.Clean(ask.Question), max(w, 2))
		return append(widget.StyleLines(f.Styles.Text, "", lines[:min(len(lines), max(height-1, 0))]), "")
	}
	f.init("confirm", m, s)
	return f
}

// NewChoose returns a question with several choices.
func NewChoose(ask action.Choose, m keys.Map, s *themes.Styles) action.Dialog {
	answer := &row{choices: ask.Choices}
	f := &form{title: termtext.Line(ask.Title), rows: []*row{answer},
		accept: func() action.Action { return ask.Then(answer.at) }}
	f.summary = func(int, int) []string { return []string{f.Styles.Text.On(termtext.Line(ask.Question)), ""} }
	f.init("choose", m, s)
	return f
}
