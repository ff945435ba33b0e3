package suite

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Part is what of a suite's own file can be changed by itself: a prompt, a value, or the checks of a test.
type Part struct {
	Title string // what it is, on one line
	Text  string // of a text as it is, of lists and mappings as YAML
	Line  int

	path   []int // indexes of the nodes that lead to it
	isYAML bool
	added  string // name of the entry that a text adds to the node, which has none yet
}

// Parts returns the parts of a suite's file in its order. What stands behind an alias is listed where its anchor is.
func Parts(text []byte) ([]Part, error) {
	doc, err := decodeDocument(string(text))
	if err != nil || doc == nil {
		return nil, describeError("", err)
	}
	var l partList
	root := doc.Content[0]
	l.each(root, []int{0}, "prompts", func(p *yaml.Node, path []int, number int) {
		name := fmt.Sprintf("prompt %d", number)
		raw, rawPath := p, path
		if p.Kind == yaml.MappingNode {
			name = "prompt " + cmp.Or(textOf(p, "label"), textOf(p, "id"), name[len("prompt "):])
			raw, rawPath = entryOf(p, path, "raw")
		}
		l.add(raw, rawPath, name)
	})
	if defaults, path := entryOf(root, []int{0}, "defaultTest"); defaults != nil {
		l.test(defaults, path, "every test")
	} else if root.Kind == yaml.MappingNode {
		l.parts = append(l.parts, Part{Title: "every test: checks", Line: lastLine(root), path: []int{0},
			added: "defaultTest"})
	}
	l.each(root, []int{0}, "tests", func(t *yaml.Node, path []int, number int) {
		l.test(t, path, cmp.Or(textOf(t, "description"), fmt.Sprintf("test %d", number)))
	})
	slices.SortStableFunc(l.parts, func(a, b Part) int { return cmp.Compare(a.Line, b.Line) })
	return l.parts, describeError("", l.err)
}

// SetPart returns the file with another text of a part. Comments and the order of entries stay, and every line that
// is not the part's stays byte for byte where YAML allows.
func SetPart(text []byte, p Part, value string) ([]byte, error) {
	doc, err := decodeDocument(string(text))
	if err != nil {
		return nil, describeError("", err)
	}
	chain := []*yaml.Node{doc}
	for _, i := range p.path {
		last := chain[len(chain)-1]
		if i >= len(last.Content) {
			return nil, describeError("", errorAt(p.Line, "the file has changed meanwhile: open it again"))
		}
		chain = append(chain, last.Content[i])
	}
	target := chain[len(chain)-1]
	if p.added != "" {
		return addChecks(text, doc, target, p, value)
	}
	if p.isYAML {
		changed, err := decodeDocument(value)
		switch {
		case err != nil:
			return nil, describeError("", err)
		case changed == nil || changed.Content[0].Kind != target.Kind:
			return nil, describeError("", errorAt(p.Line, "%s must stay what they are in YAML, a list or a mapping",
				p.Title))
		}
		target.Content, target.Style = changed.Content[0].Content, changed.Content[0].Style
	} else {
		line, head, foot := target.LineComment, target.HeadComment, target.FootComment
		target.SetString(value)
		target.LineComment, target.HeadComment, target.FootComment = line, head, foot
	}
	return replacePart(text, doc, chain, p)
}

// addChecks adds checks to a node that has none. A blank text changes nothing.
func addChecks(text []byte, doc, target *yaml.Node, p Part, value string) ([]byte, error) {
	checks, err := decodeDocument(value)
	switch {
	case err != nil:
		return nil, describeError("", err)
	case checks == nil:
		return text, nil
	case checks.Content[0].Kind != yaml.SequenceNode || target.Kind != yaml.MappingNode:
		return nil, describeError("", errorAt(p.Line, "checks are a list in YAML, such as - type: contains"))
	}
	list := checks.Content[0]
	if p.added == "defaultTest" {
		list = mapping("assert", list)
	}
	put(target, p.added, list)
	chain := []*yaml.Node{doc}
	for _, i := range p.path {
		chain = append(chain, chain[len(chain)-1].Content[i])
	}
	return replacePart(text, doc, chain, p)
}

// replacePart returns a changed document with as few changed lines as possible.
func replacePart(text []byte, doc *yaml.Node, chain []*yaml.Node, p Part) ([]byte, error) {
	whole, err := encode(doc)
	meant, unresolved := resolveAliases(doc.Content[0])
	if read, other := parseYAML(string(whole)); err == nil && (unresolved != nil || other != nil || read == nil ||
		!haveSameTexts(read, meant)) {
		err = notWritable(other)
	}
	if err != nil {
		return nil, describeError("", err)
	}
	for i := len(chain) - 1; i > 1; i-- { // the smallest piece of the file that can be replaced alone
		if out, ok := replaceLines(text, chain[:i+1], p.path[:i]); ok && hasSameNodes(out, whole) {
			return out, nil
		}
	}
	if root := doc.Content[0]; p.added != "" && len(chain) == 2 { // an entry after all others
		last, err := encode(&yaml.Node{Kind: yaml.MappingNode, Content: root.Content[len(root.Content)-2:]})
		out := slices.Concat(bytes.TrimRight(text, "\n"), []byte("\n"), last)
		if err == nil && hasSameNodes(out, whole) {
			return out, nil
		}
	}
	return whole, nil
}

// replaceLines replaces the lines of the last node of a chain, or of its entry in a mapping. It fails for nodes that
// share a line with what follows them.
func replaceLines(text []byte, chain []*yaml.Node, path []int) ([]byte, bool) {
	parent, n, index := chain[len(chain)-2], chain[len(chain)-1], path[len(path)-1]
	if parent.Style&yaml.FlowStyle != 0 || parent.Kind == yaml.DocumentNode {
		return nil, false
	}
	first, written := n, *n
	piece := &written
	if parent.Kind == yaml.MappingNode {
		key := *parent.Content[index-1]
		first = parent.Content[index-1]
		key.HeadComment, key.FootComment = "", ""
		piece = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{&key, &written}}
	} else {
		written.HeadComment, written.FootComment = "", ""
	}
	encoded, err := encode(piece)
	if err != nil {
		return nil, false
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	begin, end := first.Line-1, nextLine(chain, path, len(lines))
	if begin >= end || first.Column < 1 || first.Column-1 > len(lines[begin]) {
		return nil, false
	}
	for end > begin+1 && isOfNext(lines[end-1], first.Column) {
		end--
	}
	indent := "\n" + strings.Repeat(" ", first.Column-1)
	block := strings.ReplaceAll(strings.TrimSuffix(string(encoded), "\n"), "\n", indent)
	block = strings.ReplaceAll(block, indent+"\n", "\n\n") + "\n" // no blanks on empty lines
	return slices.Concat(bytes.Join(lines[:begin], nil), lines[begin][:first.Column-1], []byte(block),
		bytes.Join(lines[end:], nil)), true
}

// nextLine returns the index of the line of the first node after the last of a chain, or the number of lines.
func nextLine(chain []*yaml.Node, path []int, lines int) int {
	for i := len(path) - 1; i >= 0; i-- {
		if rest := chain[i].Content[path[i]+1:]; len(rest) > 0 {
			return rest[0].Line - 1
		}
	}
	return lines
}

// isOfNext reports whether a line after a node in a column is blank, or a comment on what follows the node.
func isOfNext(line []byte, column int) bool {
	text := bytes.TrimLeft(line, " ")
	return len(bytes.TrimSpace(line)) == 0 || text[0] == '#' && len(line)-len(text) < column
}

// hasSameNodes reports whether two files say the same.
func hasSameNodes(a, b []byte) bool {
	x, err := parseYAML(string(a))
	y, other := parseYAML(string(b))
	return err == nil && other == nil && x != nil && y != nil && haveSameTexts(x, y)
}

// partList collects parts.
type partList struct {
	parts []Part
	err   error
}

func (l *partList) add(n *yaml.Node, path []int, title string) {
	if n == nil || n.Kind == yaml.AliasNode {
		return
	}
	p := Part{Title: oneLine(title), Text: n.Value, Line: n.Line, path: path, isYAML: n.Kind != yaml.ScalarNode}
	if p.isYAML {
		plain := *n
		plain.HeadComment, plain.FootComment, plain.Style = "", "", plain.Style&^yaml.FlowStyle
		text, err := encode(&plain)
		p.Text, l.err = strings.TrimSuffix(string(text), "\n"), cmp.Or(l.err, err)
	}
	l.parts = append(l.parts, p)
}

// test adds the values and checks of a test.
func (l *partList) test(t *yaml.Node, path []int, name string) {
	vars, varsPath := entryOf(t, path, "vars")
	for i := 0; vars != nil && i+1 < len(vars.Content); i += 2 {
		l.add(vars.Content[i+1], child(varsPath, i+1), name+": "+vars.Content[i].Value)
	}
	for _, field := range []string{"assert", "x-checks"} {
		checks, checksPath := entryOf(t, path, field)
		l.add(checks, checksPath, name+": checks")
		if checks == nil && field == "assert" && t.Kind == yaml.MappingNode {
			l.parts = append(l.parts, Part{Title: OneLine(name) + ": checks", Line: lastLine(t), path: path,
				added: field})
		}
	}
}

// lastLine returns the line on which the last entry of a mapping begins.
func lastLine(n *yaml.Node) int {
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n.Line
}

// each calls do for each item of an entry, which is a list or a single value.
func (l *partList) each(n *yaml.Node, path []int, name string, do func(item *yaml.Node, path []int, number int)) {
	list, listPath := entryOf(n, path, name)
	switch {
	case list == nil || isNull(list):
	case list.Kind == yaml.SequenceNode:
		for i, item := range list.Content {
			do(item, child(listPath, i), i+1)
		}
	default:
		do(list, listPath, 1)
	}
}

// entryOf returns the value of a name in a mapping, and where it is; nil for none.
func entryOf(n *yaml.Node, path []int, name string) (*yaml.Node, []int) {
	for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1], child(path, i+1)
		}
	}
	return nil, nil
}

func textOf(n *yaml.Node, name string) string {
	if value, _ := entryOf(n, nil, name); value != nil {
		return value.Value
	}
	return ""
}

func child(path []int, i int) []int { return append(slices.Clip(path), i) }
