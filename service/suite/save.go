package suite

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Save returns the text of the suite. One that was read and not edited is
// returned byte for byte; an edit changes the lines of what was edited and
// leaves comments, order, unknown names and the form of the rest alone. Where
// the form does not allow that, the document is written anew, with its comments
// and unknown names as far as its nodes hold them. To edit further, read what was saved.
func (s Suite) Save() ([]byte, error) {
	want := s.node()
	if s.source == nil {
		text, err := write(want)
		if err != nil {
			return nil, unsaved(err)
		}
		return text, s.verify(text, want)
	}
	old := s.source.old
	if same(old, want) {
		return slices.Clone(s.source.text), nil
	}
	if text, ok := s.patched(old, want); ok && s.verify(text, want) == nil {
		return text, nil
	}
	raw := s.source.root
	text, err := write(merged(raw, renamed(old, raw), renamed(want, raw)))
	if err == nil && s.verify(text, want) == nil {
		return text, nil
	}
	if text, err = s.rewritten(old, want); err != nil {
		return nil, unsaved(err)
	}
	return text, s.verify(text, want)
}

func unsaved(err error) error {
	p := problem(0, "the suite cannot be written as YAML")
	p.Err = err
	return p
}

// verify reads a text again and compares what it means.
func (s Suite) verify(text []byte, want *yaml.Node) error {
	got, err := Parse(text)
	if err != nil {
		return unsaved(err)
	}
	if !same(got.node(), want) {
		return unsaved(nil)
	}
	return nil
}

// patched edits the text.
func (s Suite) patched(old, want *yaml.Node) (text []byte, ok bool) {
	text = s.source.text
	// To YAML these end lines too; nobody writes them by hand.
	if strings.ContainsAny(string(text), "\u0085\u2028\u2029") ||
		bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n")) {
		return nil, false
	}
	e := newEditor(text)
	if !e.value(s.source.root, renamed(old, s.source.root), renamed(want, s.source.root), len(e.lines)) {
		return nil, false
	}
	return e.text(), true
}

// renamed returns a node with the name promptfoo also knows for providers,
// where the text has that one.
func renamed(n, root *yaml.Node) *yaml.Node {
	if _, i := at(root, "targets"); i < 0 {
		return n
	}
	if _, i := at(n, "providers"); i >= 0 {
		n = &yaml.Node{Kind: n.Kind, Tag: n.Tag, Content: slices.Clone(n.Content)}
		n.Content[i] = textNode("targets")
	}
	return n
}

// rewritten writes the document anew: changed parts as this room writes them,
// the others from what was read, with their comments.
func (s Suite) rewritten(old, want *yaml.Node) ([]byte, error) {
	old, want = renamed(old, s.source.root), renamed(want, s.source.root)
	root := *s.source.root
	root.Content = nil
	for i := 0; i+1 < len(s.source.root.Content); i += 2 {
		key, value := s.source.root.Content[i], s.source.root.Content[i+1]
		before, _ := at(old, key.Value)
		after, _ := at(want, key.Value)
		switch {
		case before != nil && after == nil:
			continue
		case before != nil && !same(before, after):
			value = after
		}
		root.Content = append(root.Content, key, value)
	}
	for i := 0; i+1 < len(want.Content); i += 2 {
		if _, have := at(&root, want.Content[i].Value); have < 0 {
			root.Content = append(root.Content, want.Content[i], want.Content[i+1])
		}
	}
	return write(&root)
}

// merged returns what was read with the difference between old and want
// carried over, so that names this room does not know survive.
func merged(raw, old, want *yaml.Node) *yaml.Node {
	switch {
	case same(old, want):
		return raw
	case raw.Kind != old.Kind || old.Kind != want.Kind:
		return want
	case raw.Kind == yaml.MappingNode:
		out := *raw
		out.Content = nil
		for i := 0; i+1 < len(raw.Content); i += 2 {
			key, value := raw.Content[i], raw.Content[i+1]
			before, _ := at(old, key.Value)
			after, _ := at(want, key.Value)
			switch {
			case before != nil && after == nil:
				continue
			case before != nil:
				value = merged(value, before, after)
			}
			out.Content = append(out.Content, key, value)
		}
		for i := 0; i+1 < len(want.Content); i += 2 {
			if _, have := at(&out, want.Content[i].Value); have < 0 {
				out.Content = append(out.Content, want.Content[i], want.Content[i+1])
			}
		}
		return &out
	case raw.Kind == yaml.SequenceNode && len(raw.Content) == len(old.Content):
		head, oldEnd, newEnd := aligned(old.Content, want.Content)
		out := *raw
		out.Content = slices.Clone(raw.Content[:head])
		for i := head; i < newEnd; i++ {
			if i < oldEnd {
				out.Content = append(out.Content, merged(raw.Content[i], old.Content[i], want.Content[i]))
			} else {
				out.Content = append(out.Content, want.Content[i])
			}
		}
		out.Content = append(out.Content, raw.Content[oldEnd:]...)
		return &out
	}
	return want
}

// aligned returns how many items two lists have in common at their heads, and
// where the tails they have in common begin.
func aligned(a, b []*yaml.Node) (head, endA, endB int) {
	for head < len(a) && head < len(b) && same(a[head], b[head]) {
		head++
	}
	endA, endB = len(a), len(b)
	for endA > head && endB > head && same(a[endA-1], b[endB-1]) {
		endA--
		endB--
	}
	return head, endA, endB
}
