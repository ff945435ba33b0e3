package suite

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// defaultTest decodes the common part of all tests, from a file if one is named.
func (d *decoder) defaultTest(to *Test) field {
	return func(e entry) (err error) {
		ref, isFile := fileRef(e.value.Value)
		if isNull(e.value) {
			return nil
		}
		if !isFile {
			*to, err = d.test(e.value, "defaultTest")
			return err
		}
		tests, err := d.readCases(ref, e.value.Line)
		if err == nil && len(tests) != 1 {
			err = errorAt(e.value.Line, "the file %s must hold one test as the default", quote(ref))
		}
		if err == nil {
			*to = tests[0]
		}
		return err
	}
}

// scenarios decodes a list of scenarios, of which each runs its tests with every one of its configurations.
func (d *decoder) scenarios(to *[]Test) field {
	return func(e entry) error {
		for _, item := range items(e.value) {
			if ref, ok := fileRef(item.Value); ok {
				if err := d.folder.eachYAML(ref, item.Line, func(root *yaml.Node) error {
					return d.scenarios(to)(entry{e.name, e.line, root})
				}); err != nil {
					return err
				}
				continue
			}
			var configs, tests []Test
			if err := d.read(item, form{what: "a scenario", fields: map[string]field{
				"config": d.tests(&configs), "tests": d.tests(&tests),
			}, ignored: []string{"description", "metadata"}}); err != nil {
				return err
			}
			if len(tests) == 0 {
				tests = []Test{{line: item.Line}}
			}
			if len(*to)+len(configs)*len(tests) > MaxCells {
				return errorAt(item.Line, "there are more than %d cases", MaxCells)
			}
			for _, c := range configs {
				for _, t := range tests {
					*to = append(*to, t.over(c))
				}
			}
		}
		return nil
	}
}

// over returns a test with what it lacks taken from the configuration of a scenario, and the checks of both.
func (t Test) over(c Test) Test {
	t.Description, t.Prefix, t.Suffix = cmp.Or(t.Description, c.Description), cmp.Or(t.Prefix, c.Prefix),
		cmp.Or(t.Suffix, c.Suffix)
	t.Vars, t.Params = slices.Concat(c.Vars, t.Vars), slices.Concat(c.Params, t.Params)
	t.Providers, t.Prompts = orDefaults(t.Providers, c.Providers), orDefaults(t.Prompts, c.Prompts)
	t.written = slices.Concat(c.written, t.written)
	t.skipsDefaults = t.skipsDefaults || c.skipsDefaults
	t.notJudged, t.file = cmp.Or(t.notJudged, c.notJudged), cmp.Or(t.file, c.file)
	return t
}

// tests decodes a list of tests and inserts the cases of files.
func (d *decoder) tests(to *[]Test) field {
	return func(e entry) error {
		for _, item := range items(e.value) {
			var found []Test
			var err error
			if looksLikeFile(item.Value) {
				item.Value = fileScheme + item.Value
			}
			if ref, ok := fileRef(item.Value); ok {
				found, err = d.readCases(ref, item.Line)
			} else {
				found = make([]Test, 1)
				found[0], err = d.test(item, "a test")
			}
			if err != nil {
				return err
			}
			if *to = append(*to, found...); len(*to) > MaxCells {
				return errorAt(item.Line, "there are more than %d cases", MaxCells)
			}
		}
		return nil
	}
}

func (d *decoder) test(n *yaml.Node, what string) (Test, error) {
	t := Test{line: n.Line}
	if n.Kind == yaml.ScalarNode {
		return t, errorAt(n.Line, "%s must be a mapping, or file:// and the name of a file with cases", what)
	}
	isNotExpanded := false
	const noCode = "runs code: the checks of this test are skipped"
	const notDone = "the test has %s, which confab does not do"
	options := func(e entry) error {
		code := d.unjudged(&t.notJudged, "the test has a %s, and confab runs no code", noCode)
		fields := d.paramFields(&t.Params)
		maps.Copy(fields, map[string]field{
			"provider": graderField(&t.grader), "rubricPrompt": d.noted("is not applied: confab has its own"),
			"prefix": templateField(&t.Prefix), "suffix": templateField(&t.Suffix),
			"disableVarExpansion": boolField(&isNotExpanded), "disableDefaultAsserts": boolField(&t.skipsDefaults),
			"transform": code, "postprocess": code, "transformVars": code,
			"runSerially":   d.noted("is not applied: write maxConcurrency: 1"),
			"storeOutputAs": d.noted("is not applied"),
		})
		return d.read(e.value, form{what: "the options of a test", isOpen: true, fields: fields,
			ignored: []string{"disableConversationVar", "factuality"}})
	}
	ofScript := refused("belongs to tests that a script makes, and confab runs no code")
	skipped := d.unjudged(&t.notJudged, notDone, "is not applied: the checks of this test are skipped")
	err := d.read(n, form{what: what, fields: map[string]field{
		"description": textField(&t.Description),
		"vars":        d.vars(&t.Vars),
		"assert":      listField(&t.written, func(n *yaml.Node) (checkSpec, error) { return d.check(n, false) }),
		"x-checks":    listField(&t.written, func(n *yaml.Node) (checkSpec, error) { return d.check(n, true) }),
		"providers":   textsField(&t.Providers),
		"prompts":     textsField(&t.Prompts),
		"options":     options,

		"assertScoringFunction": skipped, "providerOutput": skipped,
		"path": ofScript, "config": ofScript,
		"provider":  d.leftOut("of a test is not applied: it is asked of the suite's providers"),
		"threshold": limitField(&t.threshold),
	}, ignored: []string{"metadata"}})
	for i, v := range t.Vars {
		if v.isList && isNotExpanded {
			b, _ := json.Marshal(v.Values)
			t.Vars[i].Values = []string{string(b)}
		}
	}
	return t, err
}

// vars decodes the variables of a test, or those of a file that is named instead.
func (d *decoder) vars(to *[]Var) field {
	return func(e entry) error {
		if looksLikeFile(e.value.Value) {
			e.value.Value = fileScheme + e.value.Value
		}
		if ref, ok := fileRef(e.value.Value); ok {
			return d.folder.eachYAML(ref, e.value.Line, func(root *yaml.Node) error {
				return d.vars(to)(entry{e.name, e.line, root})
			})
		}
		found, err := entries(e.value, "vars")
		if err != nil {
			return err
		}
		if len(found) > maxVars {
			return errorAt(e.line, "a test has more than %d variables", maxVars)
		}
		for _, e := range found {
			v, err := decodeVar(e)
			if err != nil {
				return err
			}
			*to = append(*to, v)
		}
		return nil
	}
}

func decodeVar(e entry) (Var, error) {
	v := Var{Name: e.name, isList: e.value.Kind == yaml.SequenceNode}
	if v.isList && len(e.value.Content) > 0 && e.value.Content[0].Kind == yaml.MappingNode {
		v.isList = false // of mappings, for loops; promptfoo makes no calls of these
	}
	if !isVariableName(e.name) {
		return v, errorAt(e.line, "%s cannot be the name of a variable: use letters, digits, _ and -, a letter first",
			quote(e.name))
	}
	values := []*yaml.Node{e.value}
	if v.isList {
		if values = e.value.Content; len(values) == 0 {
			return v, errorAt(e.line, "the variable %s has a list without values", quote(e.name))
		}
	}
	for _, n := range values {
		s, err := decodeVarValue(n)
		if err == nil && e.name == systemVariable {
			err = refuseTemplatesIn(n)
		}
		if err != nil {
			return v, err
		}
		if ref, ok := fileRef(s); ok && runsCode(ref) {
			return v, errorAt(n.Line, "the variable %s is a script, and confab runs none", quote(e.name))
		}
		v.Values = append(v.Values, s)
	}
	return v, nil
}

// decodeVarValue returns a value as inserted into a prompt: a scalar as written, anything else as JSON.
func decodeVarValue(n *yaml.Node) (string, error) {
	if n.Kind == yaml.ScalarNode {
		return decodeText(n, "a variable")
	}
	v, err := decodeValue(n, "a variable")
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "", errorAt(n.Line, "a variable cannot be written as JSON")
	}
	return string(b), nil
}

// check decodes a check; own ones are those under x-checks.
func (d *decoder) check(n *yaml.Node, isOwn bool) (checkSpec, error) {
	c := checkSpec{isOwn: isOwn, line: n.Line}
	var value *yaml.Node
	isUnicode := false
	code := d.unjudged(&c.skip, "it has a %s, and confab runs no code", "")
	err := d.read(n, form{what: "a check", fields: map[string]field{
		"type": textField(&c.Type),
		"value": func(e entry) (err error) {
			value = e.value
			c.Value, err = decodeValue(e.value, "a check")
			return err
		},
		"threshold":        limitField(&c.Threshold),
		"weight":           limitField(&c.Weight),
		"metric":           textField(&c.metric),
		"assert":           listField(&c.parts, func(n *yaml.Node) (checkSpec, error) { return d.check(n, isOwn) }),
		"normalizeUnicode": boolField(&isUnicode), "transform": code, "contextTransform": code,
		"provider": graderField(&c.grader), "rubricPrompt": d.noted("is not applied: confab has its own"),
	}, ignored: []string{"config"}})
	if isUnicode {
		c.skip = "it asks for Unicode normalisation"
	}
	name := c.name()
	switch {
	case err != nil:
		return c, err
	case name == "":
		return c, errorAt(c.line, "a check needs a type")
	case isForeignCheckType(name): // its value is not read
		return c, nil
	case c.Threshold != nil && !slices.Contains([]string{"latency", "first-token", "cost", "levenshtein",
		"image-aspect", "javascript", setType, "llm-rubric", "factuality", "model-graded-closedqa"}, name):
		d.note(c.line, "threshold of "+quote(c.Type)+" is not applied")
	}
	if value != nil {
		err = refuseTemplatesIn(value)
	}
	return c, err
}

// graderField reads the model that judges: its name, or a mapping with it as id or text.
func graderField(to *string) field {
	return func(e entry) (err error) {
		n := e.value
		for n.Kind == yaml.MappingNode {
			found, err := entries(n, "a grader")
			if err != nil {
				return err
			}
			i := slices.IndexFunc(found, func(e entry) bool { return e.name == "id" || e.name == "text" })
			if i < 0 {
				return errorAt(e.line, "a grader needs an id such as llm:<model>")
			}
			n = found[i].value
		}
		*to, err = decodeText(n, "a grader")
		return err
	}
}
