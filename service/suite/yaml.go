package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/service/api"
)

// parse reads one YAML document and returns its root; nil for an empty one.
func parse(text []byte) (root *yaml.Node, err error) {
	// The library says some syntax errors by a panic of its own making.
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, problem(0, "this is not YAML")
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, notYAML(err)
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, problem(more.Line, "a second document begins, and a suite is one")
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// reader walks nodes with a bound on how many it visits, so that aliases which
// multiply cannot make it large.
type reader struct {
	left  int
	notes []Note
}

func (r *reader) note(line int, text string) { r.notes = append(r.notes, Note{Line: line, Text: text}) }

// leaveOut notes an entry without which promptfoo would ask or judge less. An empty one is none.
func (r *reader) leaveOut(e pair, text string) {
	if !isNull(e.value) && (e.value.Kind != yaml.SequenceNode || len(e.value.Content) > 0) {
		r.notes = append(r.notes, Note{Line: e.key.Line, Text: text, LeavesOut: true})
	}
}

// follow returns the node an alias stands for.
func (r *reader) follow(n *yaml.Node, depth int) (*yaml.Node, error) {
	line := n.Line
	for n.Kind == yaml.AliasNode {
		if r.left--; r.left < 0 {
			break
		}
		n = n.Alias
	}
	if r.left--; r.left < 0 {
		return nil, problem(line, "the suite is too large once its aliases are followed")
	}
	if depth > maxDepth {
		return nil, problem(line, "the suite is nested too deep")
	}
	return n, nil
}

// pair is one entry of a mapping.
type pair struct {
	name       string
	key, value *yaml.Node
}

// pairs returns the entries of a mapping in order, those of merge keys after
// its own, each name once.
func (r *reader) pairs(n *yaml.Node, what string, depth int) ([]pair, error) {
	n, err := r.follow(n, depth)
	if err != nil {
		return nil, err
	}
	if n.Kind != yaml.MappingNode {
		return nil, problem(n.Line, "%s must be a mapping of names to values", what)
	}
	var out []pair
	var merged []pair
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.ShortTag() == "!!merge" {
			more, err := r.merged(value, what, depth+1)
			if err != nil {
				return nil, err
			}
			merged = append(merged, more...)
			continue
		}
		if key.Kind != yaml.ScalarNode {
			return nil, problem(key.Line, "a name in %s must be a plain text", what)
		}
		if seen[key.Value] {
			return nil, problem(key.Line, "%s stands twice in %s", quote(key.Value), what)
		}
		seen[key.Value] = true
		out = append(out, pair{key.Value, key, value})
	}
	for _, p := range merged {
		if !seen[p.name] {
			seen[p.name] = true
			out = append(out, p)
		}
	}
	return out, nil
}

// merged returns the entries that a merge key brings: of a mapping or a list
// of them.
func (r *reader) merged(n *yaml.Node, what string, depth int) ([]pair, error) {
	n, err := r.follow(n, depth)
	if err != nil {
		return nil, err
	}
	if n.Kind != yaml.SequenceNode {
		return r.pairs(n, what, depth)
	}
	var out []pair
	for _, item := range n.Content {
		more, err := r.pairs(item, what, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// items returns the items of a list; a single value is a list of one.
func (r *reader) items(n *yaml.Node, depth int) ([]*yaml.Node, error) {
	n, err := r.follow(n, depth)
	if err != nil {
		return nil, err
	}
	switch {
	case n.Kind == yaml.SequenceNode:
		return n.Content, nil
	case isNull(n):
		return nil, nil
	}
	return []*yaml.Node{n}, nil
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// text returns a scalar as it is written; nothing is the empty text.
func (r *reader) text(n *yaml.Node, what string, depth int) (string, error) {
	n, err := r.follow(n, depth)
	if err != nil {
		return "", err
	}
	if n.Kind != yaml.ScalarNode {
		return "", problem(n.Line, "%s must be a text", what)
	}
	if isNull(n) {
		return "", nil
	}
	if n.ShortTag() == "!!binary" {
		return "", problem(n.Line, "%s is binary, and must be a text", what)
	}
	return n.Value, nil
}

// texts returns a list of texts.
func (r *reader) texts(n *yaml.Node, what string, depth int) ([]string, error) {
	items, err := r.items(n, depth)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, item := range items {
		s, err := r.text(item, what, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// number returns a number that is not negative and at most limit.
func (r *reader) number(n *yaml.Node, what string, limit float64, depth int) (float64, error) {
	n, err := r.follow(n, depth)
	if err != nil {
		return 0, err
	}
	v, err := r.value(n, what, depth)
	if err != nil {
		return 0, err
	}
	if num, ok := v.(json.Number); ok {
		if f, err := num.Float64(); err == nil && f >= 0 && f <= limit {
			return f, nil
		}
	}
	return 0, problem(n.Line, "%s must be a number from 0 to %s", what, strconv.FormatFloat(limit, 'f', -1, 64))
}

// value returns what a node means, as JSON would have it; dates stay text.
func (r *reader) value(n *yaml.Node, what string, depth int) (any, error) {
	n, err := r.follow(n, depth)
	if err != nil {
		return nil, err
	}
	switch n.Kind {
	case yaml.SequenceNode:
		out := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			v, err := r.value(item, what, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	case yaml.MappingNode:
		entries, err := r.pairs(n, what, depth)
		if err != nil {
			return nil, err
		}
		out := make(map[string]any, len(entries))
		for _, p := range entries {
			if out[p.name], err = r.value(p.value, what, depth+1); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return scalar(n), nil
}

// scalar returns what a scalar means. A number keeps its digits where JSON
// writes it the same way.
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

// asProblem returns the error as this room's, which it always is.
func asProblem(err error) *api.Error {
	var p *api.Error
	if errors.As(err, &p) {
		return p
	}
	p = problem(0, "it cannot be read")
	p.Err = err
	return p
}

// blank tells whether a text holds nothing but blanks.
func blank(s string) bool { return strings.TrimSpace(s) == "" }
