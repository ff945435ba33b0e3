package suite

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseYAML parses one YAML document and returns its root with aliases resolved; nil for an empty one, or for null.
func parseYAML(text string) (*yaml.Node, error) {
	doc, err := decodeDocument(text)
	if doc == nil {
		return nil, err
	}
	return resolveAliases(doc.Content[0])
}

// decodeDocument decodes one YAML document, with its aliases; nil for an empty one, or for null.
func decodeDocument(text string) (doc *yaml.Node, err error) {
	// The library panics on some syntax errors.
	defer func() {
		if r := recover(); r != nil {
			doc, err = nil, errorAt(0, "this is not YAML")
		}
	}()
	d := yaml.NewDecoder(strings.NewReader(text))
	var first, more yaml.Node
	switch err := d.Decode(&first); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, notYAML(err)
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errorAt(more.Line, "a second document begins, and a suite is one")
	}
	if first.Kind != yaml.DocumentNode || len(first.Content) != 1 || isNull(first.Content[0]) {
		return nil, nil
	}
	return &first, nil
}

// resolver copies nodes and resolves their aliases, merge keys and references. It bounds the number of nodes, so that
// nested aliases cannot multiply.
type resolver struct {
	root   *yaml.Node
	budget int
}

// resolveAliases returns a copy of a document without aliases, and with what {$ref: '#/a/b'} names in place of that.
// Nodes keep their lines; an alias keeps its own.
func resolveAliases(root *yaml.Node) (*yaml.Node, error) {
	r := resolver{root, maxNodes}
	return r.node(root, 0)
}

// target returns the node that a reference names, such as #/assertionTemplates/polite; nil if there is none.
func (r *resolver) target(n *yaml.Node) *yaml.Node {
	ref := valueOf(n, "$ref")
	if n.Kind != yaml.MappingNode || ref == nil || !strings.HasPrefix(ref.Value, "#/") {
		return nil
	}
	node := r.root
	for _, name := range strings.Split(ref.Value[2:], "/") {
		if node.Kind == yaml.AliasNode {
			node = node.Alias
		}
		if node = valueOf(node, strings.NewReplacer("~1", "/", "~0", "~").Replace(name)); node == nil {
			return nil
		}
	}
	return node
}

func (r *resolver) node(n *yaml.Node, depth int) (*yaml.Node, error) {
	line := n.Line
	for n.Kind == yaml.AliasNode {
		if r.budget--; r.budget < 0 {
			break
		}
		n = n.Alias
	}
	if r.budget--; r.budget < 0 {
		return nil, errorAt(line, "the suite is too large once its aliases are followed")
	}
	if depth > maxDepth {
		return nil, errorAt(line, "the suite is nested too deep")
	}
	target := r.target(n)
	out := *n
	out.Line, out.Content, out.Anchor = line, nil, ""
	var merged []*yaml.Node
	for i, child := range n.Content {
		resolved, err := r.node(child, depth+1)
		if err != nil {
			return nil, err
		}
		switch isKey := i%2 == 0; {
		case target != nil && n.Content[i&^1].Value == "$ref":
		case n.Kind == yaml.MappingNode && isKey && child.ShortTag() == "!!merge":
		case n.Kind == yaml.MappingNode && !isKey && n.Content[i-1].ShortTag() == "!!merge":
			merged = append(merged, resolved)
		default:
			out.Content = append(out.Content, resolved)
		}
	}
	if target != nil {
		named, err := r.node(target, depth+1)
		if err != nil || named.Kind != yaml.MappingNode {
			return named, err
		}
		merged = append(merged, named)
	}
	for _, m := range merged {
		if err := merge(&out, m); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// merge adds the entries of a mapping, or of a list of mappings, whose names n lacks.
func merge(n, from *yaml.Node) error {
	switch from.Kind {
	case yaml.SequenceNode:
		for _, item := range from.Content {
			if err := merge(n, item); err != nil {
				return err
			}
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(from.Content); i += 2 {
			if valueOf(n, from.Content[i].Value) == nil {
				n.Content = append(n.Content, from.Content[i], from.Content[i+1])
			}
		}
	default:
		return errorAt(from.Line, "a merge key (<<) needs a mapping of names to values")
	}
	return nil
}

// valueOf returns the value of a name in a mapping; nil if it is absent.
func valueOf(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name && n.Content[i].Kind == yaml.ScalarNode {
			return n.Content[i+1]
		}
	}
	return nil
}

type entry struct {
	name  string
	line  int
	value *yaml.Node
}

// entries returns the entries of a mapping in order and refuses duplicates. Null has none.
func entries(n *yaml.Node, what string) ([]entry, error) {
	if isNull(n) {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, errorAt(n.Line, "%s must be a mapping of names to values", what)
	}
	out := make([]entry, 0, len(n.Content)/2)
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			return nil, errorAt(key.Line, "a name in %s must be a plain text", what)
		}
		if seen[key.Value] {
			return nil, errorAt(key.Line, "%s stands twice in %s", quote(key.Value), what)
		}
		seen[key.Value] = true
		out = append(out, entry{key.Value, key.Line, n.Content[i+1]})
	}
	return out, nil
}

// items returns the items of a list; a single value is a list of one.
func items(n *yaml.Node) []*yaml.Node {
	switch {
	case n.Kind == yaml.SequenceNode:
		return n.Content
	case isNull(n):
		return nil
	}
	return []*yaml.Node{n}
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// decodeText returns a scalar as written; null is the empty text.
func decodeText(n *yaml.Node, what string) (string, error) {
	switch {
	case n.Kind != yaml.ScalarNode:
		return "", errorAt(n.Line, "%s must be a text", what)
	case isNull(n):
		return "", nil
	case n.ShortTag() == "!!binary":
		return "", errorAt(n.Line, "%s is binary, and must be a text", what)
	}
	return n.Value, nil
}

// decodeTemplate returns a text and refuses promptfoo templates in it.
func decodeTemplate(n *yaml.Node, what string) (string, error) {
	s, err := decodeText(n, what)
	if err == nil {
		err = refuseTemplatesIn(n)
	}
	return s, err
}

// decodeNumber returns a number from 0 to limit.
func decodeNumber(e entry, limit float64) (float64, error) {
	if num, ok := scalar(e.value).(json.Number); ok {
		if f, err := num.Float64(); err == nil && f >= 0 && f <= limit {
			return f, nil
		}
	}
	return 0, errorAt(e.value.Line, "%s must be a number from 0 to %s", e.name,
		strconv.FormatFloat(limit, 'f', -1, 64))
}

// decodeValue returns a node as decoded JSON; dates stay text.
func decodeValue(n *yaml.Node, what string) (any, error) {
	switch n.Kind {
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, item := range n.Content {
			var err error
			if out[i], err = decodeValue(item, what); err != nil {
				return nil, err
			}
		}
		return out, nil
	case yaml.MappingNode:
		found, err := entries(n, what)
		if err != nil {
			return nil, err
		}
		out := make(map[string]any, len(found))
		for _, e := range found {
			if out[e.name], err = decodeValue(e.value, what); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return scalar(n), nil
}

// scalar returns a decoded scalar. A number keeps its digits if they are valid JSON.
func scalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value)
		}
		var i int64
		if n.ShortTag() == "!!int" && n.Decode(&i) == nil {
			return json.Number(strconv.FormatInt(i, 10))
		}
		var f float64
		if n.Decode(&f) == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
		}
	}
	return n.Value
}
