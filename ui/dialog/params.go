package dialog

import (
	"confab/history"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
	"confab/ui/widget"
)

// paramNotes says of each parameter what it is; see [service.SetParam].
func paramNotes() map[string][2]string {
	return map[string][2]string{
		"temperature":      {"0.2", "0 to 2: how freely words are chosen"},
		"top_p":            {"0.9", "0 to 1: the share of likely words that are chosen from"},
		"max_tokens":       {"500", "where the answer is cut"},
		"seed":             {"7", "a whole number: the same one may give the same answer"},
		"stop":             {`###, \n\n`, "four texts at most, commas between: the answer ends there"},
		"response_format":  {"json_object", "text, json_object or a JSON schema"},
		"reasoning_effort": {"low", "none, minimal, low, medium or high"},
	}
}

// Params is the form for the parameters of text models.
type Params struct{ form }

// NewParams returns the form with the parameters that are set.
func NewParams(set history.Params, m keys.Map, s *themes.Styles) *Params {
	p := &Params{}
	for _, name := range service.ParamNames() {
		about := paramNotes()[name]
		p.rows = append(p.rows, &row{label: name, text: widget.NewField(service.ParamText(set, name), about[0]),
			note: about[1]})
	}
	p.form.Base = overlay.NewBase("parameters", keys.Form, m, s)
	p.title, p.accept = "Parameters of text models", p.result
	p.SetStyles(s)
	return p
}

func (p *Params) result() action.Action {
	var set history.Params
	ok := true
	for _, r := range p.rows {
		if err := service.SetParam(&set, r.label, r.text.Value()); err != nil {
			r.problem, ok = part.Sentence(err), false
		}
	}
	if !ok {
		return nil
	}
	return action.Compose{Params: &set}
}
