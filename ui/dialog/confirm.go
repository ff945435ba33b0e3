package dialog

import (
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
)

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
