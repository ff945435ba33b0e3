package suite

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// The functions below make the nodes a suite is written with.

func textNode(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

func mapNode() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

func listNode(items []*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: items}
}

func textNodes(texts []string) *yaml.Node {
	list := listNode(nil)
	for _, text := range texts {
		list.Content = append(list.Content, textNode(text))
	}
	return list
}

// put puts a list or mapping under a name, unless it is empty.
func put(n *yaml.Node, name string, value *yaml.Node) {
	if value.Kind == yaml.ScalarNode || len(value.Content) > 0 {
		n.Content = append(n.Content, textNode(name), value)
	}
}

func putText(n *yaml.Node, name, value string) {
	if value != "" {
		put(n, name, textNode(value))
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
	out := mapNode()
	putText(out, "id", p.ID)
	putText(out, "label", p.Label)
	putText(out, "raw", p.Raw)
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

// sameTexts tells whether two nodes mean the same texts, none of them binary.
func sameTexts(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.ShortTag() != b.ShortTag() || a.ShortTag() == "!!binary" || a.Value != b.Value ||
		len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !sameTexts(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
