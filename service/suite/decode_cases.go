package suite

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/service/check"
	"confab/service/variable"
)

func (r *reader) defaultTest(n *yaml.Node) (Test, string, error) {
	target, err := r.follow(n, 1)
	if err != nil || isNull(target) {
		return Test{}, "", err
	}
	if ref, ok := fileRef(target.Value); ok && target.Kind == yaml.ScalarNode {
		return Test{}, ref, nil
	}
	t, err := r.test(n, "defaultTest")
	return t, "", err
}

func (r *reader) tests(n *yaml.Node) ([]Test, error) {
	items, err := r.items(n, 1)
	if err != nil {
		return nil, err
	}
	var out []Test
	for _, item := range items {
		target, err := r.follow(item, 2)
		if err != nil {
			return nil, err
		}
		if target.Kind == yaml.ScalarNode {
			ref, ok := fileRef(target.Value)
			if !ok {
				return nil, problem(item.Line, "a test must be a mapping, or file:// and the name of a file with cases")
			}
			out = append(out, Test{File: ref, Line: item.Line})
			continue
		}
		t, err := r.test(item, "a test")
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func (r *reader) test(n *yaml.Node, what string) (Test, error) {
	t := Test{Line: n.Line}
	entries, err := r.pairs(n, what, 2)
	if err != nil {
		return t, err
	}
	expand := true
	for _, e := range entries {
		switch e.name {
		case "description":
			t.Description, err = r.text(e.value, "the description of a test", 3)
		case "vars":
			t.Vars, err = r.vars(e.value)
		case "assert":
			t.Assert, err = r.asserts(e.value)
		case "x-checks":
			t.Own, err = r.asserts(e.value)
		case "metadata":
			var v any
			v, err = r.value(e.value, "metadata", 3)
			t.Metadata, _ = v.(map[string]any)
		case "providers":
			t.Providers, err = r.texts(e.value, "the providers of a test", 3)
		case "prompts":
			t.Prompts, err = r.texts(e.value, "the prompts of a test", 3)
		case "options":
			expand, err = r.testOptions(e.value, &t)
		case "provider":
			r.leaveOut(e, "provider of a test is not applied: it is asked of the suite's providers")
		case "assertScoringFunction", "providerOutput":
			t.Unfit = "the test has " + e.name + ", which confab does not do"
			r.note(e.key.Line, e.name+" is not applied: the checks of this test are skipped")
		case "path", "config":
			err = problem(e.key.Line, "%s belongs to tests that a script makes, and confab runs no code", e.name)
		default:
			err = r.other(testNames(what), e)
		}
		if err != nil {
			return t, err
		}
	}
	if !expand {
		for i, v := range t.Vars {
			if v.List {
				b, _ := json.Marshal(v.Values)
				t.Vars[i] = Var{Name: v.Name, Values: []string{string(b)}}
			}
		}
	}
	return t, nil
}

// testOptions reads promptfoo's options of a test. It returns false when lists
// are not to multiply.
func (r *reader) testOptions(n *yaml.Node, t *Test) (expand bool, err error) {
	if isNull(n) {
		return true, nil
	}
	entries, err := r.pairs(n, "the options of a test", 3)
	if err != nil {
		return true, err
	}
	expand = true
	for _, e := range entries {
		switch e.name {
		case "prefix":
			t.Prefix, err = r.template(e.value, e.name, 4)
		case "suffix":
			t.Suffix, err = r.template(e.value, e.name, 4)
		case "disableVarExpansion":
			var not bool
			not, err = r.boolean(e.value, e.name, 4)
			expand = !not
		case "disableDefaultAsserts":
			t.NoDefaults, err = r.boolean(e.value, e.name, 4)
		case "transform", "postprocess", "transformVars":
			t.Unfit = "the test has a " + e.name + ", and confab runs no code"
			r.note(e.key.Line, e.name+" runs code: the checks of this test are skipped")
		default:
			err = r.other(testOptionNames(), e)
		}
		if err != nil {
			return expand, err
		}
	}
	return expand, nil
}

func (r *reader) vars(n *yaml.Node) ([]Var, error) {
	target, err := r.follow(n, 3)
	if err != nil || isNull(target) {
		return nil, err
	}
	entries, err := r.pairs(n, "vars", 3)
	if err != nil {
		return nil, err
	}
	if len(entries) > maxVars {
		return nil, problem(n.Line, "a test has more than %d variables", maxVars)
	}
	var out []Var
	for _, e := range entries {
		if !variable.Valid(e.name) {
			return nil, problem(e.key.Line, "%s cannot be the name of a variable: use letters, digits, _ and -, a letter first",
				quote(e.name))
		}
		v := Var{Name: e.name}
		value, err := r.follow(e.value, 4)
		if err != nil {
			return nil, err
		}
		items := []*yaml.Node{e.value}
		if value.Kind == yaml.SequenceNode {
			v.List, items = true, value.Content
			if len(items) == 0 {
				return nil, problem(e.key.Line, "the variable %s has a list without values", quote(e.name))
			}
		}
		for _, item := range items {
			s, err := r.varValue(item)
			if err == nil && e.name == Reserved {
				err = r.noTemplates(item, 5)
			}
			if err != nil {
				return nil, err
			}
			if ref, ok := fileRef(s); ok && runsCode(ref) {
				return nil, problem(item.Line, "the variable %s is a script, and confab runs none", quote(e.name))
			}
			v.Values = append(v.Values, s)
		}
		out = append(out, v)
	}
	return out, nil
}

// varValue returns a value as it is put into a prompt: a scalar as it is
// written, anything else as JSON.
func (r *reader) varValue(n *yaml.Node) (string, error) {
	target, err := r.follow(n, 5)
	if err != nil {
		return "", err
	}
	if target.Kind == yaml.ScalarNode {
		return r.text(target, "a variable", 5)
	}
	v, err := r.value(target, "a variable", 5)
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "", problem(n.Line, "a variable cannot be written as JSON")
	}
	return string(b), nil
}

func (r *reader) asserts(n *yaml.Node) ([]Assert, error) {
	items, err := r.items(n, 3)
	if err != nil {
		return nil, err
	}
	var out []Assert
	for _, item := range items {
		a, err := r.assert(item)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

func (r *reader) assert(n *yaml.Node) (Assert, error) {
	a := Assert{Line: n.Line}
	entries, err := r.pairs(n, "a check", 4)
	if err != nil {
		return a, err
	}
	var value *yaml.Node
	for _, e := range entries {
		switch e.name {
		case "type":
			a.Type, err = r.text(e.value, "the type of a check", 5)
		case "value":
			value = e.value
			a.Value, err = r.value(e.value, "a check", 5)
		case "threshold":
			var v float64
			if v, err = r.number(e.value, "threshold", 1e15, 5); err == nil {
				a.Threshold = &v
			}
		case "transform", "contextTransform":
			a.Unfit = "it has a " + e.name + ", and confab runs no code"
		case "weight":
			var v float64
			if v, err = r.number(e.value, "weight", 1e15, 5); err == nil && v == 0 {
				a.Unfit = "its weight is 0"
			}
		case "normalizeUnicode":
			var on bool
			if on, err = r.boolean(e.value, e.name, 5); on {
				a.Unfit = "it asks for Unicode normalisation"
			}
		default:
			err = r.other(assertNames(), e)
		}
		if err != nil {
			return a, err
		}
	}
	name := strings.TrimPrefix(a.Type, "not-")
	switch {
	case name == "":
		return a, problem(a.Line, "a check needs a type")
	case slices.Contains(check.Unsupported(), name): // what it would mean is not looked at
		return a, nil
	case a.Threshold != nil && !slices.Contains([]string{"latency", "levenshtein", "image-aspect"}, name):
		r.note(a.Line, "threshold of "+quote(a.Type)+" is not applied")
	}
	if value != nil {
		err = r.noTemplates(value, 5)
	}
	return a, err
}
