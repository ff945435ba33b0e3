package suite

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/service/check"
	"confab/service/variable"
)

func (d *decoder) defaultTest(n *yaml.Node) (Test, string, error) {
	if isNull(n) {
		return Test{}, "", nil
	}
	if ref, ok := fileRef(n.Value); ok && n.Kind == yaml.ScalarNode {
		return Test{}, ref, nil
	}
	t, err := d.testEntries(n, "defaultTest")
	return t, "", err
}

func (d *decoder) test(n *yaml.Node) (Test, error) {
	if n.Kind != yaml.ScalarNode {
		return d.testEntries(n, "a test")
	}
	ref, ok := fileRef(n.Value)
	if !ok {
		return Test{}, problem(n.Line, "a test must be a mapping, or file:// and the name of a file with cases")
	}
	return Test{File: ref, Line: n.Line}, nil
}

func (d *decoder) testEntries(n *yaml.Node, what string) (Test, error) {
	t := Test{Line: n.Line}
	found, err := entries(n, what)
	if err != nil {
		return t, err
	}
	expand := true
	for _, e := range found {
		switch e.name {
		case "description":
			t.Description, err = decodeText(e.value, "the description of a test")
		case "vars":
			t.Vars, err = decodeVars(e.value)
		case "assert":
			t.Assert, err = each(e.value, d.assert)
		case "x-checks":
			t.Own, err = each(e.value, d.assert)
		case "metadata":
			var v any
			v, err = decodeValue(e.value, "metadata")
			t.Metadata, _ = v.(map[string]any)
		case "providers":
			t.Providers, err = decodeTexts(e.value, "the providers of a test")
		case "prompts":
			t.Prompts, err = decodeTexts(e.value, "the prompts of a test")
		case "options":
			expand, err = d.testOptions(e.value, &t)
		case "provider":
			d.leaveOut(e, "provider of a test is not applied: it is asked of the suite's providers")
		case "assertScoringFunction", "providerOutput":
			t.NotJudged = "the test has " + e.name + ", which confab does not do"
			d.note(e.line, e.name+" is not applied: the checks of this test are skipped")
		case "path", "config":
			err = problem(e.line, "%s belongs to tests that a script makes, and confab runs no code", e.name)
		default:
			err = d.other(testNames(what), e)
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
func (d *decoder) testOptions(n *yaml.Node, t *Test) (expand bool, err error) {
	if isNull(n) {
		return true, nil
	}
	found, err := entries(n, "the options of a test")
	if err != nil {
		return true, err
	}
	expand = true
	for _, e := range found {
		switch e.name {
		case "prefix":
			t.Prefix, err = decodeTemplate(e.value, e.name)
		case "suffix":
			t.Suffix, err = decodeTemplate(e.value, e.name)
		case "disableVarExpansion":
			var not bool
			not, err = decodeBool(e.value, e.name)
			expand = !not
		case "disableDefaultAsserts":
			t.NoDefaults, err = decodeBool(e.value, e.name)
		case "transform", "postprocess", "transformVars":
			t.NotJudged = "the test has a " + e.name + ", and confab runs no code"
			d.note(e.line, e.name+" runs code: the checks of this test are skipped")
		default:
			err = d.other(testOptionNames(), e)
		}
		if err != nil {
			return expand, err
		}
	}
	return expand, nil
}

func decodeVars(n *yaml.Node) ([]Var, error) {
	if isNull(n) {
		return nil, nil
	}
	found, err := entries(n, "vars")
	if err != nil {
		return nil, err
	}
	if len(found) > maxVars {
		return nil, problem(n.Line, "a test has more than %d variables", maxVars)
	}
	var out []Var
	for _, e := range found {
		if !variable.Valid(e.name) {
			return nil, problem(e.line, "%s cannot be the name of a variable: use letters, digits, _ and -, a "+
				"letter first",
				quote(e.name))
		}
		v := Var{Name: e.name}
		items := []*yaml.Node{e.value}
		if e.value.Kind == yaml.SequenceNode {
			v.List, items = true, e.value.Content
			if len(items) == 0 {
				return nil, problem(e.line, "the variable %s has a list without values", quote(e.name))
			}
		}
		for _, item := range items {
			s, err := varValue(item)
			if err == nil && e.name == Reserved {
				err = refuseTemplatesIn(item)
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
func varValue(n *yaml.Node) (string, error) {
	if n.Kind == yaml.ScalarNode {
		return decodeText(n, "a variable")
	}
	v, err := decodeValue(n, "a variable")
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "", problem(n.Line, "a variable cannot be written as JSON")
	}
	return string(b), nil
}

func (d *decoder) assert(n *yaml.Node) (Assert, error) {
	a := Assert{Line: n.Line}
	found, err := entries(n, "a check")
	if err != nil {
		return a, err
	}
	var value *yaml.Node
	for _, e := range found {
		switch e.name {
		case "type":
			a.Type, err = decodeText(e.value, "the type of a check")
		case "value":
			value = e.value
			a.Value, err = decodeValue(e.value, "a check")
		case "threshold":
			var v float64
			if v, err = decodeNumber(e.value, "threshold", 1e15); err == nil {
				a.Threshold = &v
			}
		case "transform", "contextTransform":
			a.NotJudged = "it has a " + e.name + ", and confab runs no code"
		case "weight":
			var v float64
			if v, err = decodeNumber(e.value, "weight", 1e15); err == nil && v == 0 {
				a.NotJudged = "its weight is 0"
			}
		case "normalizeUnicode":
			var on bool
			if on, err = decodeBool(e.value, e.name); on {
				a.NotJudged = "it asks for Unicode normalisation"
			}
		default:
			err = d.other(assertNames(), e)
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
		d.note(a.Line, "threshold of "+quote(a.Type)+" is not applied")
	}
	if value != nil {
		err = refuseTemplatesIn(value)
	}
	return a, err
}
