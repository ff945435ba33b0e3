package history

import "slices"

// maxLinks bounds a chain, maxAncestors how far back its start is looked for.
const (
	maxLinks     = 500
	maxAncestors = 250
)

// Chain is a picture with what it was made from and all that was made from it: a tree of edits. Each link stands
// behind the one it was made from and before what was made from it; what was made from the same one is in the order in
// which it was asked for.
type Chain struct {
	Links []Link
	IsCut bool // there are more links than a chain holds
}

// Link is a picture of a chain, or what the chain starts from where that is no
// answer of the history: a file, a URL, or a picture that was deleted since.
type Link struct {
	Answer      Answer  // zero where Source is set
	Turn        Turn    // of the answer, without its answers
	SessionName string  // of the turn
	Source      *Source // of the first link only; its Answer is one that was deleted
	Depth       int     // edits between the start of the chain and this
}

// Edit is an answer whose picture was made from that of its parent.
type Edit struct{ Answer, Parent int64 }

// ChainReader reads what [NewChain] needs of a store. It is read within one transaction, which remembers errors: after
// one, the methods return nothing.
type ChainReader interface {
	// Hits returns answers with their turns by the ids of the answers, without those that are deleted.
	Hits(answers []int64) map[int64]PictureHit
	// EditsOf returns the edits of a file or a URL in the order of their ids, the known answer among them if it is one.
	EditsOf(source Source, known int64) []int64
}

// NewChain returns the chain of edits that an answer's picture belongs to. The edits are all edits of the history that
// are not deleted, in the order of their ids; their parents may be deleted.
func NewChain(answer int64, edits []Edit, r ChainReader) Chain {
	l := lineage{map[int64]int64{}, map[int64][]int64{}, r}
	for _, e := range edits {
		l.add(e)
	}
	of := r.Hits([]int64{answer})[answer]
	if of.Answer.Picture == nil && of.Answer.Kind == KindEdit && of.Turn.Source != nil {
		l.add(Edit{answer, of.Turn.Source.Answer}) // it has none yet, or never will
	}
	var c Chain
	ancestors := l.ancestors(answer)
	roots := ancestors[len(ancestors)-1:]
	if len(ancestors) < maxAncestors && !slices.Contains(ancestors, l.parent[roots[0]]) {
		if start := l.externalStart(roots[0]); start != nil {
			roots = l.siblings(*start, roots[0])
			c.Links = append(c.Links, Link{Source: start})
		}
	}
	chosen, cut := l.chooseLinks(ancestors, roots, maxLinks-len(c.Links))
	c.IsCut = cut || len(ancestors) == maxAncestors
	c.Links = l.appendInOrder(c.Links, roots, r.Hits(chosen))
	return c
}

// lineage is which answers were made from which.
type lineage struct {
	parent   map[int64]int64
	children map[int64][]int64
	reader   ChainReader
}

func (l lineage) add(e Edit) {
	if e.Parent > 0 {
		l.parent[e.Answer] = e.Parent
		l.children[e.Parent] = append(l.children[e.Parent], e.Answer)
	}
}

// ancestors returns the answer and what it was made from, as far as that can be shown, the start of the chain last. A
// chain that leads back into itself starts where it would begin anew.
func (l lineage) ancestors(answer int64) []int64 {
	found := []int64{answer}
	for len(found) < maxAncestors {
		parent := l.parent[found[len(found)-1]]
		if parent == 0 || slices.Contains(found, parent) || len(l.reader.Hits([]int64{parent})) == 0 {
			break
		}
		found = append(found, parent)
	}
	return found
}

// externalStart returns what an answer without a parent that can be shown was made from, nil when it is no edit.
func (l lineage) externalStart(answer int64) *Source {
	of := l.reader.Hits([]int64{answer})[answer]
	if of.Answer.Kind != KindEdit {
		return nil
	}
	var start Source
	if of.Turn.Source != nil {
		start = *of.Turn.Source
	}
	if p := of.Answer.Picture; p != nil && p.Parent > 0 {
		start.Answer = p.Parent
	}
	if start == (Source{}) {
		return nil
	}
	return &start
}

// siblings returns the edits that were made from a start, the known one among them.
func (l lineage) siblings(start Source, known int64) []int64 {
	if start.Answer != 0 {
		return l.children[start.Answer]
	}
	ids := l.reader.EditsOf(start, known)
	if !slices.Contains(ids, known) {
		ids = append(ids, known)
	}
	return ids
}

// chooseLinks returns at most so many answers of the tree, and whether there are more: first the ancestors, then what
// was made from the answer itself, then the others, from the roots on.
func (l lineage) chooseLinks(ancestors, roots []int64, most int) (chosen []int64, isCut bool) {
	seen := map[int64]bool{}
	choose := func(ids []int64) {
		for _, id := range ids {
			switch {
			case seen[id]:
			case len(chosen) == most:
				isCut = true
			default:
				seen[id] = true
				chosen = append(chosen, id)
			}
		}
	}
	choose(ancestors)
	for _, from := range [][]int64{ancestors[:1], roots} {
		choose(from)
		done := map[int64]bool{}
		for level := from; len(level) > 0; {
			var next []int64
			for _, id := range level {
				if !done[id] && seen[id] {
					done[id] = true
					choose(l.children[id])
					next = append(next, l.children[id]...)
				}
			}
			level = next
		}
	}
	return chosen, isCut
}

// appendInOrder appends the answers that were read, each after the one it was made from.
func (l lineage) appendInOrder(links []Link, roots []int64, read map[int64]PictureHit) []Link {
	var appendAll func(ids []int64, depth int)
	appendAll = func(ids []int64, depth int) {
		for _, id := range ids {
			if of, ok := read[id]; ok {
				delete(read, id)
				links = append(links,
					Link{Answer: of.Answer, Turn: of.Turn, SessionName: of.SessionName, Depth: depth})
				appendAll(l.children[id], depth+1)
			}
		}
	}
	appendAll(roots, len(links))
	return links
}
