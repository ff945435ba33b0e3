package dialog

import (
	"strings"

	"confab/internal/chat"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

// NewVariables returns a form for the values of a prompt's variables, with those given last. A bar separates values;
// count says what they make.
func NewVariables(names []string, values map[string][]string, count func(map[string][]string) service.CallCount,
	m keys.Map, s *themes.Styles) action.Dialog {
	f := &form{title: "Values of the variables", verb: "send"}
	for _, name := range names {
		text := strings.Join(values[name], " "+chat.ValueSeparator+" ")
		f.rows = append(f.rows, &row{label: name, text: widget.NewField(m, text, "a value, or a | b | c")})
	}
	given := func() map[string][]string {
		given := map[string][]string{}
		for i, r := range f.rows {
			given[names[i]] = service.ParseValues(r.text.Value())
		}
		return given
	}
	f.changed = func() {
		hint := "a " + chat.ValueSeparator + " b sends the prompt with each"
		f.above = []string{" " + f.Styles.Muted.On(hint)}
		values := given()
		for _, name := range names {
			if len(values[name]) == 0 { // it will have one
				values[name] = []string{""}
			}
		}
		f.below = []string{" " + f.Styles.Muted.On(count(values).String())}
	}
	f.accept = func() action.Action {
		values, isMissing := given(), false
		for i, r := range f.rows {
			if len(values[names[i]]) == 0 {
				r.problem, isMissing = "needs a value", true
			}
		}
		if isMissing {
			return nil
		}
		return action.Fill{Values: values}
	}
	f.init("variables", m, s)
	return f
}
