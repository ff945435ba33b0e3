package dialog

import (
	"confab/history"
	"confab/internal/chat"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// NewParams returns a form for the parameters of text models, as [service.Axes.JoinParams] returns them. A bar
// separates several values.
func NewParams(set history.Params, m keys.Map, s *themes.Styles) action.Dialog {
	f := &form{title: "Parameters of text models"}
	for _, p := range chat.Params() {
		f.rows = append(f.rows, &row{label: p.Name, note: p.Takes + ": " + p.Effect,
			text: widget.NewField(m, p.Format(set[p.Name]), "model's default")})
	}
	f.accept = func() action.Action {
		var set history.Params
		var axes service.Axes
		ok := true
		for _, r := range f.rows {
			if err := axes.SetParam(&set, r.label, r.text.Value()); err != nil {
				r.problem, ok = part.Sentence(err), false
			}
		}
		if !ok {
			return nil
		}
		return action.Compose{Params: &set, ParamValues: axes.Params}
	}
	f.init("parameters", m, s)
	return f
}
