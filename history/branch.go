package history

import "slices"

// Node is the place of a turn among the branches of its session.
type Node struct {
	ID, Parent int64 // as in [Turn]
	IsDeleted  bool
}

// Branches are the turns of a session as a tree. Deleted turns are left out: what followed one follows the turn before
// it.
type Branches struct {
	parents  map[int64]int64
	children map[int64][]int64 // the oldest first
}

// NewBranches returns the tree of all turns of a session, which are given in the order of their ids.
func NewBranches(turns []Node) Branches {
	b := Branches{parents: map[int64]int64{}, children: map[int64][]int64{}}
	nearest := map[int64]int64{} // of each turn: itself, or the turn before it that is not deleted
	for _, t := range turns {
		parent := nearest[t.Parent]
		if nearest[t.ID] = parent; !t.IsDeleted {
			nearest[t.ID], b.parents[t.ID] = t.ID, parent
			b.children[parent] = append(b.children[parent], t.ID)
		}
	}
	return b
}

// Siblings returns the turns that follow the same turn as this one, and this one, the oldest first; nil if there are no
// others.
func (b Branches) Siblings(turn int64) []int64 {
	parent, ok := b.parents[turn]
	if all := b.children[parent]; ok && len(all) > 1 {
		return slices.Clone(all)
	}
	return nil
}

// Path returns the turns from the first to this one, and on through the newest branches to the end.
func (b Branches) Path(turn int64) []int64 {
	var path []int64
	for at := turn; at != 0; at = b.parents[at] {
		path = append(path, at)
	}
	slices.Reverse(path)
	for next := b.children[turn]; len(next) > 0; next = b.children[turn] {
		turn = next[len(next)-1]
		path = append(path, turn)
	}
	return path
}
