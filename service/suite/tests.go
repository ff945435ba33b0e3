package suite

import (
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"

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
		case "threshold", "assertScoringFunction", "provider", "path", "config", "providerOutput":
			r.note(e.key.Line, e.name+" of a test is not applied")
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
			t.Prefix, err = r.text(e.value, e.name, 4)
		case "suffix":
			t.Suffix, err = r.text(e.value, e.name, 4)
		case "disableVarExpansion":
			expand = !yes(e.value)
		case "disableDefaultAsserts":
			t.NoDefaults = yes(e.value)
		case "transform", "postprocess":
			t.Unfit = "the test has a " + e.name + ", and confab runs no code"
			r.note(e.key.Line, e.name+" runs code: the asserts of this test are skipped")
		}
		if err != nil {
			return expand, err
		}
	}
	return expand, nil
}

func yes(n *yaml.Node) bool { b, _ := scalar(n).(bool); return b }

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
			return nil, problem(e.key.Line, "%s cannot be the name of a variable: use letters, digits, _ and -, a letter first", quote(e.name))
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
	for _, e := range entries {
		switch e.name {
		case "type":
			a.Type, err = r.text(e.value, "the type of a check", 5)
		case "value":
			a.Value, err = r.value(e.value, "a check", 5)
		case "threshold":
			var v float64
			if v, err = r.number(e.value, "threshold", 1e15, 5); err == nil {
				a.Threshold = &v
			}
		case "transform", "contextTransform":
			a.Unfit = "it has a " + e.name + ", and confab runs no code"
		case "weight":
			if v, err := r.value(e.value, "weight", 5); err == nil && v == json.Number("0") {
				a.Unfit = "its weight is 0"
			}
		case "normalizeUnicode":
			if v := scalar(e.value); v != nil && v != false {
				a.Unfit = "it asks for Unicode normalisation"
			}
		}
		if err != nil {
			return a, err
		}
	}
	if strings.TrimPrefix(a.Type, "not-") == "" {
		return a, problem(a.Line, "a check needs a type")
	}
	return a, nil
}
