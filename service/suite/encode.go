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

func listNode(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: items}
}

func put(n *yaml.Node, name string, value *yaml.Node) {
	n.Content = append(n.Content, textNode(name), value)
}

func putText(n *yaml.Node, name, value string) {
	if value != "" {
		put(n, name, textNode(value))
	}
}

func putTexts(n *yaml.Node, name string, values []string) {
	if len(values) > 0 {
		put(n, name, textNodes(values))
	}
}

func textNodes(values []string) *yaml.Node {
	list := listNode()
	for _, v := range values {
		list.Content = append(list.Content, textNode(v))
	}
	return list
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
		list := listNode()
		for _, item := range v {
			list.Content = append(list.Content, valueNode(item))
		}
		return list
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
	if len(s.Prompts) > 0 {
		list := listNode()
		for _, p := range s.Prompts {
			list.Content = append(list.Content, p.node())
		}
		put(out, "prompts", list)
	}
	if len(s.Providers) > 0 {
		list := listNode()
		for _, p := range s.Providers {
			list.Content = append(list.Content, p.node())
		}
		put(out, "providers", list)
	}
	if s.DefaultFile != "" {
		put(out, "defaultTest", textNode(s.DefaultFile))
	} else if n := s.Default.node(); len(n.Content) > 0 {
		put(out, "defaultTest", n)
	}
	if len(s.Tests) > 0 {
		list := listNode()
		for _, t := range s.Tests {
			if t.File != "" {
				list.Content = append(list.Content, textNode(t.File))
				continue
			}
			list.Content = append(list.Content, t.node())
		}
		put(out, "tests", list)
	}
	if n := s.Options.node(); len(n.Content) > 0 {
		put(out, "evaluateOptions", n)
	}
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
	out := mapNode()
	put(out, "id", textNode(p.ID))
	putText(out, "label", p.Label)
	if len(p.Config) > 0 {
		config := mapNode()
		for _, s := range p.Config {
			put(config, s.Name, valueNode(s.Value))
		}
		put(out, "config", config)
	}
	putTexts(out, "prompts", p.Prompts)
	return out
}

func (t Test) node() *yaml.Node {
	out := mapNode()
	putText(out, "description", t.Description)
	if len(t.Vars) > 0 {
		vars := mapNode()
		for _, v := range t.Vars {
			if v.List || len(v.Values) != 1 {
				put(vars, v.Name, textNodes(v.Values))
			} else {
				put(vars, v.Name, textNode(v.Values[0]))
			}
		}
		put(out, "vars", vars)
	}
	putAsserts(out, "assert", t.Assert)
	putAsserts(out, "x-checks", t.Own)
	if len(t.Metadata) > 0 {
		put(out, "metadata", valueNode(t.Metadata))
	}
	putTexts(out, "providers", t.Providers)
	putTexts(out, "prompts", t.Prompts)
	options := mapNode()
	putText(options, "prefix", t.Prefix)
	putText(options, "suffix", t.Suffix)
	if t.NoDefaults {
		put(options, "disableDefaultAsserts", valueNode(true))
	}
	if len(options.Content) > 0 {
		put(out, "options", options)
	}
	return out
}

func putAsserts(n *yaml.Node, name string, asserts []Assert) {
	if len(asserts) == 0 {
		return
	}
	list := listNode()
	for _, a := range asserts {
		one := mapNode()
		put(one, "type", textNode(a.Type))
		if a.Value != nil {
			put(one, "value", valueNode(a.Value))
		}
		if a.Threshold != nil {
			put(one, "threshold", valueNode(*a.Threshold))
		}
		list.Content = append(list.Content, one)
	}
	put(n, name, list)
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
