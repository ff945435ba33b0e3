package dialog

import (
	"strings"

	"confab/internal/format"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

const separator = "|"

// NewVariables returns a form for the values of a prompt's variables, with those given last. A bar separates values.
func NewVariables(names []string, values map[string][]string, m keys.Map, s *themes.Styles) action.Dialog {
	f := &form{title: "Values of the variables"}
	for _, name := range names {
		f.rows = append(f.rows,
			&row{label: name, text: widget.NewField(m, strings.Join(values[name], " "+separator+" "), "no value yet")})
	}
	f.changed = func() {
		if len(f.rows) > 0 {
			f.rows[0].note = promptsMade(f.rows)
		}
	}
	f.accept = func() action.Action {
		given, missing := map[string][]string{}, false
		for i, r := range f.rows {
			given[names[i]] = valuesIn(r)
			if len(given[names[i]]) == 0 {
				r.problem, missing = "needs a value before it is sent", true
			}
		}
		if missing {
			return nil
		}
		return action.Fill{Values: given}
	}
	f.init("variables", m, s)
	return f
}

func valuesIn(r *row) (values []string) {
	for value := range strings.SplitSeq(r.text.Value(), separator) {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// promptsMade describes how many prompts the values make, or how to make several.
func promptsMade(rows []*row) string {
	n := 1
	for _, r := range rows {
		n *= max(len(valuesIn(r)), 1)
	}
	if n > 1 {
		return "these values make " + format.Count(n, "prompt")
	}
	return "a " + separator + " b makes a prompt for each"
}
