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

// NewParams returns a form for the parameters of text models.
func NewParams(set history.Params, m keys.Map, s *themes.Styles) action.Dialog {
	f := &form{title: "Parameters of text models"}
	for _, p := range chat.Params() {
		f.rows = append(f.rows, &row{label: p.Name, note: p.Takes + ": " + p.Effect,
			text: widget.NewField(m, p.Format(set[p.Name]), "as the model likes")})
	}
	f.accept = func() action.Action {
		var set history.Params
		ok := true
		for _, r := range f.rows {
			if err := service.SetParam(&set, r.label, r.text.Value()); err != nil {
				r.problem, ok = part.Sentence(err), false
			}
		}
		if !ok {
			return nil
		}
		return action.Compose{Params: &set}
	}
	f.init("parameters", m, s)
	return f
}
