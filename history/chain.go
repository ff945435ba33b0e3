package history

import "slices"

// maxLinks bounds a chain; maxAncestors bounds the search for its start.
const (
	maxLinks     = 500
	maxAncestors = 250
)

// Chain is a tree of edits: a picture, its sources and the pictures made from it. A link follows its source. Links of
// one source are in the order in which they were requested.
type Chain struct {
	Links []Link
	IsCut bool // the tree has more links than a chain holds
}

// Link is a picture of a chain, or its start where that is not a stored answer: a file, a URL or a deleted picture.
type Link struct {
	Answer      Answer  // zero where Source is set
	Turn        Turn    // of the answer, without its answers
	SessionName string  // of the turn
	Source      *Source // of the first link only; its Answer was deleted
	Depth       int     // edits between the start of the chain and this
}

// Edit is an answer with the answer whose picture it edited.
type Edit struct{ Answer, Parent int64 }

// ChainReader reads what [NewChain] needs from a store within one transaction. The transaction keeps the first error;
// after it, the methods return nothing.
type ChainReader interface {
	// Hits returns answers with their turns by the ids of the answers, without deleted ones.
	Hits(answers []int64) map[int64]PictureHit
	// EditsOf returns the edits of a file or a URL in the order of their ids, including the known answer if it is
	// one.
	EditsOf(source Source, known int64) []int64
}

// NewChain returns the chain of edits that contains an answer's picture. Edits holds all edits of the history that
// are not deleted, in the order of their ids; their parents may be deleted.
func NewChain(answer int64, edits []Edit, r ChainReader) Chain {
	l := lineage{map[int64]int64{}, map[int64][]int64{}, r}
	for _, e := range edits {
		l.add(e)
	}
	of := r.Hits([]int64{answer})[answer]
	if of.Answer.Picture == nil && of.Answer.Kind == KindEdit && of.Turn.Source != nil {
		l.add(Edit{answer, of.Turn.Source.Answer}) // a parent without edits
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

// lineage holds which answers were made from which.
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

// ancestors returns the answer and its sources as far as they can be shown, the start of the chain last. It stops
// before an answer that it has seen, so that a cycle ends.
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

// externalStart returns the source of an answer whose parent cannot be shown; nil when the answer is no edit.
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

// siblings returns the edits of a start, including the known one.
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

// chooseLinks returns at most so many answers of the tree and whether there are more. It takes the ancestors first,
// then the edits of the answer itself, then the others from the roots on.
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

// appendInOrder appends the answers that were read, each after its source.
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
