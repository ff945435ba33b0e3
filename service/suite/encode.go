package suite

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

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
