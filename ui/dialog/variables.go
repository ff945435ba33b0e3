package dialog

import (
	"strings"

	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
)

// separator parts the values of a variable that has several.
const separator = "|"

// NewVariables returns the form that asks for the values of a prompt's
// variables; several values of one are parted by a bar. Values are those that
// were given before.
func NewVariables(names []string, values map[string][]string, m keys.Map, s *themes.Styles) Dialog {
	f := &form{name: "variables", title: "Values of the variables", m: m, changed: func() {}}
	for i, name := range names {
		note := ""
		if i == 0 {
			note = "several values, parted by " + separator + ", make a prompt for each combination"
		}
		f.rows = append(f.rows, &row{label: name, text: newField(strings.Join(values[name], " "+separator+" "), "no value yet"), note: note})
	}
	f.accept = func() action.Action {
		given := map[string][]string{}
		for i, r := range f.rows {
			for value := range strings.SplitSeq(r.text.value(), separator) {
				if value = strings.TrimSpace(value); value != "" {
					given[names[i]] = append(given[names[i]], value)
				}
			}
			if len(given[names[i]]) == 0 {
				r.problem = "This variable needs a value before the prompt can be sent."
				f.at = i
				return nil
			}
		}
		return action.Fill{Values: given}
	}
	f.SetStyles(s)
	return f
}
