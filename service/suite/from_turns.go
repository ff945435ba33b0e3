package suite

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/history"
	"confab/service/api"
)

// FromTurns returns a suite that repeats turns of one template: the same prompts, system prompts, models and number
// of samples. Each turn is a test with its values. If the template does not reproduce the prompts, or there are no
// variables, the suite has the sent text of each turn. Models and settings are those of the first turn. Earlier turns
// that were sent are not included. The error means that YAML cannot hold a text.
func FromTurns(turns ...history.Turn) ([]byte, error) {
	s, ok := fromTemplate(turns)
	if !ok {
		s = fromTexts(turns)
	}
	options := mapping()
	if n := turns[0].Samples; n > 1 {
		put(options, "repeat", jsonNode(json.Number(strconv.Itoa(n))))
	}
	root := mapping("prompts", listNode(s.prompts), "providers", listNode(providersOf(turns[0])),
		"defaultTest", mapping("vars", s.vars), "tests", listNode(s.tests), "evaluateOptions", options)
	text, err := encode(root)
	if err == nil {
		var read *yaml.Node
		if read, err = parseYAML(string(text)); err != nil || !haveSameTexts(read, root) {
			err = notWritable(err)
		}
	}
	return text, describeError("", err)
}

// haveSameTexts reports whether two nodes have the same texts, none of them binary.
func haveSameTexts(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.ShortTag() == b.ShortTag() && a.ShortTag() != "!!binary" && a.Value == b.Value &&
		slices.EqualFunc(a.Content, b.Content, haveSameTexts)
}

// turnSuite is the part of a suite that depends on the turns.
type turnSuite struct {
	prompts, tests []*yaml.Node
	vars           *yaml.Node // of all tests
}

// fromTemplate returns the template as the prompt and a test with the values of each turn; false if that does not
// reproduce the prompts.
func fromTemplate(turns []history.Turn) (turnSuite, bool) {
	template, system := turns[0].Template, turns[0].SystemTemplate
	names := Variables(template, system)
	isFile := strings.HasPrefix(template, fileScheme) || strings.HasPrefix(system, fileScheme)
	if len(names) == 0 || isFile || len(foreignTemplates(template+"\n"+system)) > 0 {
		return turnSuite{}, false
	}
	s := turnSuite{prompts: []*yaml.Node{textNode(template)}, vars: mapping(Reserved, system)}
	for _, t := range turns {
		vars := mapping()
		for _, name := range names {
			value, ok := t.Vars[name]
			if !ok || name == Reserved || strings.HasPrefix(value, fileScheme) {
				return turnSuite{}, false
			}
			vars.Content = append(vars.Content, textNode(name), textNode(value))
		}
		prompt, _ := Expand(template, t.Vars) // all have values
		sentSystem, _ := Expand(system, t.Vars)
		if prompt != t.Prompt || sentSystem != t.System {
			return turnSuite{}, false
		}
		s.tests = append(s.tests, mapping("vars", vars))
	}
	return s, true
}

// fromTexts returns a prompt with the sent text of each turn. A turn with a system prompt, or one of several, has a
// test.
func fromTexts(turns []history.Turn) turnSuite {
	s := turnSuite{vars: mapping()}
	for i, t := range turns {
		prompt, system := literalTemplate(t.Prompt, s.vars), literalTemplate(t.System, s.vars)
		vars := mapping("vars", mapping(Reserved, system))
		if len(turns) == 1 {
			s.prompts = []*yaml.Node{textNode(prompt)}
			if system != "" {
				s.tests = []*yaml.Node{vars}
			}
			break
		}
		id := strconv.Itoa(i + 1)
		put(vars, "prompts", []string{id})
		s.prompts, s.tests = append(s.prompts, mapping("id", id, "raw", prompt)), append(s.tests, vars)
	}
	return s
}

// literalTemplate returns a template that expands to exactly the text. It replaces prefixes of file names and
// promptfoo's tags, which suites refuse, by variables that it adds to vars.
func literalTemplate(text string, vars *yaml.Node) string {
	variable := func(name, value string) string {
		if valueOf(vars, name) == nil {
			put(vars, name, value)
		}
		return "{{" + name + "}}"
	}
	template := escapeTemplate(text)
	if rest, ok := strings.CutPrefix(template, fileScheme); ok {
		template = variable("scheme", "file") + strings.TrimPrefix(fileScheme, "file") + rest
	}
	for _, piece := range foreignTemplates(template) {
		if !strings.HasPrefix(piece.Text, "{{") {
			template = strings.Replace(template, piece.Text, variable("brace", "{")+piece.Text[1:], 1)
		}
	}
	return template
}

// providersOf returns the models of a turn with its settings.
func providersOf(t history.Turn) []*yaml.Node {
	var out []*yaml.Node
	var ids []string
	for _, a := range t.Answers {
		prefix := providerPrefix(api.ModelKind(a.Kind))
		id := prefix + a.Model
		if prefix == "" || slices.Contains(ids, id) {
			continue
		}
		ids = append(ids, id)
		config := mapping()
		switch a.Kind {
		case history.KindText:
			for _, name := range slices.Sorted(maps.Keys(t.Params)) {
				value, _ := mapTexts(t.Params[name], func(s string) (any, error) { return escapeTemplate(s), nil })
				put(config, name, jsonNode(value))
			}
		case history.KindImage:
			put(config, "aspect_ratio", escapeTemplate(t.Aspect))
			switch t.Nonce.Mode {
			case history.NonceFixed:
				put(config, "nonce", escapeTemplate(t.Nonce.Value))
			case history.NonceFresh:
				put(config, "nonce", "new")
			}
		case history.KindEdit:
			if t.Source != nil {
				put(config, "imageUrl", escapeTemplate(cmp.Or(t.Source.URL, t.Source.Path)))
			}
		}
		if len(config.Content) == 0 {
			out = append(out, textNode(id))
		} else {
			out = append(out, mapping("id", id, "config", config))
		}
	}
	return out
}
