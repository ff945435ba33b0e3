package suite

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// The functions below make the nodes a suite is written with. The nodes hold neither lines nor comments, so that two of
// them can be compared.

func textNode(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

func mapNode() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

// listNode returns the list of the nodes of some values.
func listNode[T any](values []T, node func(T) *yaml.Node) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, v := range values {
		list.Content = append(list.Content, node(v))
	}
	return list
}

func put(n *yaml.Node, name string, value *yaml.Node) {
	n.Content = append(n.Content, textNode(name), value)
}

// putContent puts a list or mapping under a name, unless it is empty.
func putContent(n *yaml.Node, name string, value *yaml.Node) {
	if len(value.Content) > 0 {
		put(n, name, value)
	}
}

func putText(n *yaml.Node, name, value string) {
	if value != "" {
		put(n, name, textNode(value))
	}
}

func valueNode(value any) *yaml.Node {
	scalar := func(tag, text string) *yaml.Node {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}
	}
	switch v := value.(type) {
	case string:
		return textNode(v)
	case bool:
		return scalar("!!bool", strconv.FormatBool(v))
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return scalar("!!float", v.String())
		}
		return scalar("!!int", v.String())
	case float64:
		return valueNode(json.Number(strconv.FormatFloat(v, 'f', -1, 64)))
	case int:
		return scalar("!!int", strconv.Itoa(v))
	case []any:
		return listNode(v, valueNode)
	case map[string]any:
		out := mapNode()
		for _, name := range slices.Sorted(maps.Keys(v)) {
			put(out, name, valueNode(v[name]))
		}
		return out
	}
	return scalar("!!null", "null")
}

// node returns what the suite is written as.
func (s Suite) node() *yaml.Node {
	out := mapNode()
	putText(out, "description", s.Description)
	putContent(out, "prompts", listNode(s.Prompts, Prompt.node))
	putContent(out, "providers", listNode(s.Providers, Provider.node))
	if s.DefaultFile != "" {
		put(out, "defaultTest", textNode(s.DefaultFile))
	} else {
		putContent(out, "defaultTest", s.Default.node())
	}
	putContent(out, "tests", listNode(s.Tests, Test.node))
	putContent(out, "evaluateOptions", s.Options.node())
	return out
}

func (p Prompt) node() *yaml.Node {
	if p.ID == "" && p.Label == "" {
		return textNode(p.Raw)
	}
	out := mapNode()
	putText(out, "id", p.ID)
	putText(out, "label", p.Label)
	if p.Raw != p.ID || !strings.HasPrefix(p.ID, fileScheme) {
		put(out, "raw", textNode(p.Raw))
	}
	return out
}

func (p Provider) node() *yaml.Node {
	if p.Label == "" && len(p.Config) == 0 && len(p.Prompts) == 0 {
		return textNode(p.ID)
	}
	out, config := mapNode(), mapNode()
	put(out, "id", textNode(p.ID))
	putText(out, "label", p.Label)
	for _, s := range p.Config {
		put(config, s.Name, valueNode(s.Value))
	}
	putContent(out, "config", config)
	putContent(out, "prompts", listNode(p.Prompts, textNode))
	return out
}

func (t Test) node() *yaml.Node {
	if t.File != "" {
		return textNode(t.File)
	}
	out, vars, options := mapNode(), mapNode(), mapNode()
	putText(out, "description", t.Description)
	for _, v := range t.Vars {
		if v.List || len(v.Values) != 1 {
			put(vars, v.Name, listNode(v.Values, textNode))
		} else {
			put(vars, v.Name, textNode(v.Values[0]))
		}
	}
	putContent(out, "vars", vars)
	putContent(out, "assert", listNode(t.Assert, Assert.node))
	putContent(out, "x-checks", listNode(t.Own, Assert.node))
	if len(t.Metadata) > 0 {
		put(out, "metadata", valueNode(t.Metadata))
	}
	putContent(out, "providers", listNode(t.Providers, textNode))
	putContent(out, "prompts", listNode(t.Prompts, textNode))
	putText(options, "prefix", t.Prefix)
	putText(options, "suffix", t.Suffix)
	if t.NoDefaults {
		put(options, "disableDefaultAsserts", valueNode(true))
	}
	putContent(out, "options", options)
	return out
}

func (a Assert) node() *yaml.Node {
	out := mapNode()
	put(out, "type", textNode(a.Type))
	if a.Value != nil {
		put(out, "value", valueNode(a.Value))
	}
	if a.Threshold != nil {
		put(out, "threshold", valueNode(*a.Threshold))
	}
	return out
}

func (o Options) node() *yaml.Node {
	out := mapNode()
	for _, e := range []struct {
		name  string
		value int
	}{
		{"repeat", o.Repeat},
		{"maxConcurrency", o.Concurrency},
		{"delay", int(o.Delay / time.Millisecond)},
		{"timeoutMs", int(o.Timeout / time.Millisecond)},
	} {
		if e.value != 0 {
			put(out, e.name, valueNode(e.value))
		}
	}
	return out
}

// YAML returns the suite as the text of a file. Names in the file it was read from that confab does not know are not in
// it. The error says that the suite holds a text that YAML cannot.
func (s Suite) YAML() ([]byte, error) {
	want := s.node()
	text, err := encode(want)
	if err != nil {
		return nil, notWritable(err)
	}
	read, err := Parse(text)
	if err != nil || !same(read.node(), want) {
		return nil, notWritable(err)
	}
	return text, nil
}

func notWritable(err error) error {
	p := problem(0, "the suite cannot be written as YAML")
	p.Err = err
	return p
}

// encode returns the text of a node.
func encode(n *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	if err := e.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
