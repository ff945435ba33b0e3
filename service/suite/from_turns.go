package suite

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/history"
	"confab/service/api"
)

// FromTurns returns a suite that repeats turns, such as those of a table: the same prompts, system prompts, values,
// parameters, models and number of samples. Each turn is a test. A template that does not reproduce what was sent is
// replaced by the sent text. Settings of pictures are those of the first turn. Earlier turns that were sent are not
// included. The error means that YAML cannot hold a text.
func FromTurns(turns ...history.Turn) ([]byte, error) {
	s := newTurnSuite(turns)
	options := mapping()
	if s.models.Samples > 1 {
		put(options, "repeat", jsonNode(json.Number(strconv.Itoa(s.models.Samples))))
	}
	root := mapping("prompts", listNode(s.prompts()), "providers", listNode(providersOf(s.models)),
		"defaultTest", mapping("vars", s.common), "tests", listNode(s.tests(turns)), "evaluateOptions", options)
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

// turnSuite is what of a suite depends on its turns.
type turnSuite struct {
	texts       []turnTexts  // by turn
	raws        []string     // the distinct prompts
	common      *yaml.Node   // values of all tests
	models      history.Turn // the answers of all turns, with what is common to these
	isOneSystem bool
}

// turnTexts is a turn as a test: templates and the values of their variables.
type turnTexts struct {
	raw, system string
	vars        *yaml.Node
}

func newTurnSuite(turns []history.Turn) turnSuite {
	first := turns[0]
	s := turnSuite{common: mapping(), isOneSystem: true,
		models: history.Turn{Params: first.Params, Aspect: first.Aspect, Nonce: first.Nonce, Source: first.Source}}
	for _, t := range turns {
		texts, ok := templatesOf(t)
		if !ok {
			texts = turnTexts{literalTemplate(t.Prompt, s.common), literalTemplate(t.System, s.common), mapping()}
		}
		s.texts = append(s.texts, texts)
		if !slices.Contains(s.raws, texts.raw) {
			s.raws = append(s.raws, texts.raw)
		}
		s.isOneSystem = s.isOneSystem && texts.system == s.texts[0].system
		s.models.Answers = append(s.models.Answers, t.Answers...)
		s.models.Samples = max(s.models.Samples, t.Samples)
		if !reflect.DeepEqual(t.Params, first.Params) {
			s.models.Params = nil // the tests have them
		}
	}
	if s.isOneSystem {
		put(s.common, systemVariable, s.texts[0].system)
	}
	return s
}

// templatesOf returns the templates of a turn with their values; false if they do not reproduce what was sent.
func templatesOf(t history.Turn) (turnTexts, bool) {
	texts := turnTexts{t.Template, t.SystemTemplate, mapping()}
	names := Variables(t.Template, t.SystemTemplate)
	isFile := strings.HasPrefix(t.Template, fileScheme) || strings.HasPrefix(t.SystemTemplate, fileScheme)
	if len(names) == 0 || isFile || len(foreignTemplates(t.Template+"\n"+t.SystemTemplate)) > 0 {
		return texts, false
	}
	for _, name := range names {
		value, ok := t.Vars[name]
		if !ok || name == systemVariable || strings.HasPrefix(value, fileScheme) {
			return texts, false
		}
		texts.vars.Content = append(texts.vars.Content, textNode(name), textNode(value))
	}
	prompt, _ := Expand(t.Template, t.Vars) // all have values
	system, _ := Expand(t.SystemTemplate, t.Vars)
	return texts, prompt == t.Prompt && system == t.System
}

// prompts returns the distinct prompts, with ids where tests have to choose one.
func (s turnSuite) prompts() (nodes []*yaml.Node) {
	if len(s.raws) == 1 {
		return []*yaml.Node{textNode(s.raws[0])}
	}
	for i, raw := range s.raws {
		nodes = append(nodes, mapping("id", promptID(i), "raw", raw))
	}
	return nodes
}

// promptID returns the id of a prompt by its index: A to Z as the table names variants, then numbers.
func promptID(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return strconv.Itoa(i + 1)
}

// tests returns the turns as tests that say what is not common to all; none for one that says nothing. Where each
// prompt was sent with the same values and parameters, there is a test for each of these, without the prompts.
func (s turnSuite) tests(turns []history.Turn) (tests []*yaml.Node) {
	var byPrompt [][]*yaml.Node // by prompt, without the prompt
	for range s.raws {
		byPrompt = append(byPrompt, nil)
	}
	for i, t := range turns {
		texts := s.texts[i]
		if !s.isOneSystem {
			put(texts.vars, systemVariable, texts.system)
		}
		test := mapping("vars", texts.vars)
		if s.models.Params == nil {
			put(test, "options", paramsNode(t.Params))
		}
		prompt, common := slices.Index(s.raws, texts.raw), *test
		byPrompt[prompt] = append(byPrompt[prompt], &common)
		if len(s.raws) > 1 {
			put(test, "prompts", []string{promptID(prompt)})
		}
		tests = append(tests, test)
	}
	if first := mapping("tests", listNode(byPrompt[0])); !slices.ContainsFunc(byPrompt, func(tests []*yaml.Node) bool {
		return !haveSameTexts(mapping("tests", listNode(tests)), first)
	}) {
		tests = byPrompt[0]
	}
	if len(tests) == 1 && len(tests[0].Content) == 0 {
		return nil
	}
	return tests
}

func paramsNode(params history.Params) *yaml.Node {
	n := mapping()
	for _, name := range slices.Sorted(maps.Keys(params)) {
		value, _ := mapTexts(params[name], func(s string) (any, error) { return escapeTemplate(s), nil })
		put(n, name, jsonNode(value))
	}
	return n
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
			config = paramsNode(t.Params)
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

// The functions below create the nodes of a written suite.

func textNode(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

// mapping returns a mapping from alternating names and texts, lists of texts or nodes. It omits empty values.
func mapping(entries ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for i := 0; i+1 < len(entries); i += 2 {
		put(n, entries[i].(string), entries[i+1])
	}
	return n
}

func listNode(items []*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: items}
}

// jsonNode returns the node of a decoded JSON value.
func jsonNode(value any) *yaml.Node {
	switch v := value.(type) {
	case []any:
		list := listNode(nil)
		for _, item := range v {
			list.Content = append(list.Content, jsonNode(item))
		}
		return list
	case map[string]any:
		object := mapping()
		for _, name := range slices.Sorted(maps.Keys(v)) {
			object.Content = append(object.Content, textNode(name), jsonNode(v[name]))
		}
		return object
	case string:
		return textNode(v)
	case nil:
		value = "null"
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(value)} // a number, true, false or null
	n.Tag = n.ShortTag()
	return n
}

// put adds an entry with a nonempty value to a mapping.
func put(n *yaml.Node, name string, value any) {
	var node *yaml.Node
	switch v := value.(type) {
	case string:
		if v == "" {
			return
		}
		node = textNode(v)
	case []string:
		node = listNode(nil)
		for _, text := range v {
			node.Content = append(node.Content, textNode(text))
		}
	case *yaml.Node:
		node = v
	}
	if node.Kind == yaml.ScalarNode || len(node.Content) > 0 {
		n.Content = append(n.Content, textNode(name), node)
	}
}

func encode(root *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	err := e.Encode(root)
	if err == nil {
		err = e.Close()
	}
	if err != nil {
		return nil, notWritable(err)
	}
	return out.Bytes(), nil
}

func notWritable(err error) error {
	e := errorAt(0, "the suite cannot be written as YAML")
	e.cause = err
	return e
}
