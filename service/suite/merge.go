package suite

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// merged returns what was read with the difference between old and want
// carried over, so that names this package does not know stay.
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

// same tells whether two nodes mean the same.
func same(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.ShortTag() != b.ShortTag() || a.Value != b.Value || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !same(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// at returns the value of a name in a mapping and the index of its key; -1 when the mapping does not have the name.
func at(n *yaml.Node, name string) (*yaml.Node, int) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name && n.Content[i].Kind == yaml.ScalarNode {
			return n.Content[i+1], i
		}
	}
	return nil, -1
}
