package suite

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/history"
	"confab/service/api"
)

// The functions below make the nodes a suite is written with.

func textNode(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

// mapping returns a mapping of names to texts, lists of texts or nodes, given in turn. Empty ones are left out.
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

// put adds an entry to a mapping, unless its value is empty.
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

// putOthers puts the entries of a mapping that was read, but for those with these names.
func putOthers(n, written *yaml.Node, except ...string) {
	if written == nil {
		return
	}
	for i := 0; i+1 < len(written.Content); i += 2 {
		if !slices.Contains(except, written.Content[i].Value) {
			n.Content = append(n.Content, written.Content[i], written.Content[i+1])
		}
	}
}

func (p PromptTemplate) node() *yaml.Node {
	if p.ID == "" && p.Label == "" {
		return textNode(p.Raw)
	}
	out := mapping("id", p.ID, "label", p.Label, "raw", p.Raw)
	putOthers(out, p.written, "id", "label", "display", "raw")
	return out
}

// encode returns the text of a suite.
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

// haveSameTexts tells whether two nodes mean the same texts, none of them binary.
func haveSameTexts(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.ShortTag() != b.ShortTag() || a.ShortTag() == "!!binary" || a.Value != b.Value ||
		len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !haveSameTexts(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// FromTurns returns the text of a suite that asks what some turns asked that were made of one template: the same
// prompts and system prompts, the same models in their order, as often. Each turn is a test with its values. Where what
// a prompt was filled in from does not give it back, as when there were no variables, the text stands as it was sent, a
// prompt for each turn. Models and settings are those of the first turn. What an earlier conversation added to the
// prompts is not part of it. The error says that the suite holds a text that YAML cannot.
func FromTurns(turns ...history.Turn) ([]byte, error) {
	s, ok := fromTemplate(turns)
	if !ok {
		s = fromTexts(turns)
	}
	s.Providers, s.Options.Repeat = providersOf(turns[0]), turns[0].Samples
	root := s.node()
	text, err := encode(root)
	if err == nil {
		var read *yaml.Node
		if read, err = parseYAML(string(text)); err != nil || !haveSameTexts(read, root) {
			err = notWritable(err)
		}
	}
	return text, describeError("", err)
}

// node returns what a suite of turns is written as.
func (s Suite) node() *yaml.Node {
	var prompts, providers, tests []*yaml.Node
	for _, p := range s.Prompts {
		prompts = append(prompts, p.node())
	}
	for _, p := range s.Providers {
		n := textNode(p.ID)
		config := paramsNode(p.Params)
		for _, setting := range p.Config {
			put(config, setting.Name, setting.Value)
		}
		if len(config.Content) > 0 {
			n = mapping("id", p.ID, "config", config)
		}
		providers = append(providers, n)
	}
	for _, t := range s.Tests {
		tests = append(tests, t.node())
	}
	options := mapping()
	if s.Options.Repeat > 1 {
		put(options, "repeat", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(s.Options.Repeat)})
	}
	return mapping("prompts", listNode(prompts), "providers", listNode(providers), "defaultTest", s.Default.node(),
		"tests", listNode(tests), "evaluateOptions", options)
}

// title names a test, which is at a place from 0, in messages.
func (t Test) title(at int) string {
	if t.Description != "" {
		return "the test " + quote(t.Description)
	}
	return "test " + strconv.Itoa(at+1)
}

func (t Test) node() *yaml.Node {
	vars := mapping()
	for _, v := range t.Vars {
		put(vars, v.Name, textNode(v.Values[0]))
	}
	return mapping("vars", vars, "prompts", t.Prompts)
}

// fromTemplate returns the prompt with its variables and a test for each turn; false when that would not ask the same.
func fromTemplate(turns []history.Turn) (Suite, bool) {
	t := turns[0]
	names := Variables(t.Template, t.SystemTemplate)
	if len(names) == 0 {
		return Suite{}, false
	}
	f := escaper{taken: names}
	renamed := map[string]string{} // the names of variables in the suite by those in the template
	for _, name := range names {
		renamed[name] = name
	}
	if slices.ContainsFunc(turns, func(t history.Turn) bool {
		value, ok := t.Vars[Reserved]
		return ok && value != t.SystemTemplate
	}) {
		renamed[Reserved] = f.freeName(Reserved)
	}
	system := f.escape(escapedTemplate(t.SystemTemplate, renamed))
	s := Suite{Prompts: []PromptTemplate{{Raw: f.escape(escapedTemplate(t.Template, renamed))}}}
	if system != "" {
		s.Default.Vars = []Var{singleVar(Reserved, system)}
	}
	s.Default.Vars = append(s.Default.Vars, f.vars...)
	for _, t := range turns {
		vars := map[string]string{Reserved: system}
		for _, v := range f.vars {
			vars[v.Name] = v.Values[0]
		}
		var test Test
		for _, name := range names {
			value, ok := t.Vars[name]
			if _, file := fileRef(value); !ok || file {
				return Suite{}, false
			}
			if renamed[name] != Reserved {
				vars[renamed[name]] = value
				test.Vars = append(test.Vars, singleVar(renamed[name], value))
			}
		}
		if !expands(s.Prompts[0].Raw, vars, t.Prompt) || !expands(system, vars, t.System) {
			return Suite{}, false
		}
		s.Tests = append(s.Tests, test)
	}
	return s, true
}

// fromTexts returns a prompt for each turn, as it was sent. A turn with a system prompt, or beside others, has a test.
func fromTexts(turns []history.Turn) Suite {
	var s Suite
	var f escaper
	for i, t := range turns {
		p := PromptTemplate{Raw: f.escape(escapeTemplate(t.Prompt))}
		var test Test
		if t.System != "" {
			test.Vars = []Var{singleVar(Reserved, f.escape(escapeTemplate(t.System)))}
		}
		if len(turns) > 1 {
			p.ID = strconv.Itoa(i + 1)
			test.Prompts = []string{p.ID}
		}
		s.Prompts = append(s.Prompts, p)
		if len(turns) > 1 || t.System != "" {
			s.Tests = append(s.Tests, test)
		}
	}
	s.Default.Vars = f.vars
	return s
}

// singleVar returns a variable with one value.
func singleVar(name, value string) Var { return Var{Name: name, Values: []string{value}} }

// expands tells whether a template becomes a text.
func expands(template string, vars map[string]string, want string) bool {
	got, err := Expand(template, vars)
	return err == nil && got == want
}

// escapedTemplate returns a template with other names of its variables, and with the double braces doubled that are
// none.
func escapedTemplate(template string, renamed map[string]string) string {
	unchanged := func(name string) bool { return renamed[name] == name }
	if len(foreignTemplates(template)) == 0 &&
		!slices.ContainsFunc(Variables(template), func(name string) bool { return !unchanged(name) }) {
		return template
	}
	return rewriteTemplate(template, escapeTemplate, func(name string) string { return "{{" + renamed[name] + "}}" })
}

// escaper keeps texts from being taken for file names and for promptfoo's tags: it replaces their beginnings by
// variables.
type escaper struct {
	taken []string // names of variables
	vars  []Var    // that were needed
}

// escape returns a template that no suite takes for the name of a file or for one of promptfoo's.
func (f *escaper) escape(template string) string {
	if rest, ok := strings.CutPrefix(template, fileScheme); ok {
		template = f.variable("scheme", "file") + strings.TrimPrefix(fileScheme, "file") + rest
	}
	for _, piece := range foreignTemplates(template) {
		if !strings.HasPrefix(piece.Text, "{{") {
			template = strings.Replace(template, piece.Text, f.variable("brace", "{")+piece.Text[1:], 1)
		}
	}
	return template
}

// variable returns the variable that holds a value, which it makes the first time.
func (f *escaper) variable(name, value string) string {
	i := slices.IndexFunc(f.vars, func(v Var) bool { return v.Values[0] == value })
	if i < 0 {
		i = len(f.vars)
		f.vars = append(f.vars, singleVar(f.freeName(name), value))
	}
	return "{{" + f.vars[i].Name + "}}"
}

// freeName returns a name that no variable has, and takes it.
func (f *escaper) freeName(name string) string {
	found := name
	for n := 2; found == Reserved || slices.Contains(f.taken, found); n++ {
		found = name + "_" + strconv.Itoa(n)
	}
	f.taken = append(f.taken, found)
	return found
}

// providersOf returns the models of a turn with its settings.
func providersOf(t history.Turn) []Provider {
	var out []Provider
	for _, a := range t.Answers {
		prefix := ProviderPrefix(api.ModelKind(a.Kind))
		p := Provider{ID: prefix + a.Model}
		if prefix == "" || slices.ContainsFunc(out, func(have Provider) bool { return have.ID == p.ID }) {
			continue
		}
		set := func(name, value string) {
			if value != "" {
				p.Config = append(p.Config, Setting{name, escapeTemplate(value)})
			}
		}
		switch a.Kind {
		case history.KindText:
			p.Params = writtenParams(t.Params)
		case history.KindImage:
			set("aspect_ratio", t.Aspect)
			switch t.Nonce.Mode {
			case history.NonceFixed:
				set("nonce", t.Nonce.Value)
			case history.NonceFresh:
				set("nonce", "new")
			}
		case history.KindEdit:
			if t.Source != nil {
				set("imageUrl", cmp.Or(t.Source.URL, t.Source.Path))
			}
		}
		out = append(out, p)
	}
	return out
}
