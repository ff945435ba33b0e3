package dialog

import (
	"confab/history"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// paramNotes describes each parameter of [service.SetParam].
func paramNotes() map[string]string {
	return map[string]string{
		"temperature":      "0 to 2, such as 0.2: how freely words are chosen",
		"top_p":            "0 to 1, such as 0.9: the share of likely words used",
		"max_tokens":       "such as 500: where the answer is cut",
		"seed":             "a whole number: the same one may give the same answer",
		"stop":             `at most four texts that end the answer, such as ###, \n\n`,
		"response_format":  "text, json_object or a JSON schema",
		"reasoning_effort": "none, minimal, low, medium or high",
	}
}

// NewParams returns a form for the parameters of text models.
func NewParams(set history.Params, m keys.Map, s *themes.Styles) action.Dialog {
	f := &form{title: "Parameters of text models"}
	for _, name := range service.ParamNames() {
		f.rows = append(f.rows, &row{label: name, note: paramNotes()[name],
			text: widget.NewField(m, service.ParamText(set, name), "as the model likes")})
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
