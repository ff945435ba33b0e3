package service

import (
	"errors"
	"strings"

	"confab/service/api"
	"confab/service/variable"
)

// Fill returns a prompt for every combination of the variables' values, with the values in the place of the variables
// of its text and system prompt, and {{{{ and }}}} made literal braces. Where there are variables, it keeps what it
// was filled in from. A variable without a value is an error (usage) that names it.
func Fill(p Prompt, values map[string][]string) ([]Prompt, error) {
	if !strings.Contains(p.Text+p.System, "{{") && !strings.Contains(p.Text+p.System, "}}") {
		return []Prompt{p}, nil
	}
	names := variable.Parse(p.Text, p.System)
	used := map[string][]string{}
	for _, name := range names {
		used[name] = values[name]
	}
	combinations := []map[string]string{{}}
	if len(names) > 0 {
		combinations = variable.Matrix(used, names)
	}
	var out []Prompt
	for _, with := range combinations {
		one := p
		var errs [2]error
		one.Text, errs[0] = variable.Expand(p.Text, with)
		one.System, errs[1] = variable.Expand(p.System, with)
		if len(names) > 0 {
			one.Vars, one.Template, one.SystemTemplate = with, p.Text, p.System
		}
		if err := errors.Join(errs[0], errs[1]); err != nil {
			return nil, missing(names, values)
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		return nil, missing(names, values)
	}
	for i := range out {
		out[i].LaterPrompts, out[i].IsLaterPrompt = len(out)-1-i, i > 0
	}
	return out, nil
}

// missing is the error that names the variables without a value.
func missing(names []string, values map[string][]string) error {
	var without []string
	for _, name := range names {
		if len(values[name]) == 0 {
			without = append(without, "{{"+name+"}}")
		}
	}
	return &api.Error{Code: api.CodeUsage,
		Message: "These variables have no value: " + strings.Join(without, ", ") + "."}
}
