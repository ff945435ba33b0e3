package compare

import (
	"cmp"
	"slices"
)

// order is what the answers are sorted by, show which of them are listed.
type (
	order int
	show  int
)

const (
	byPlace order = iota
	byTime
	byWords
	byLikeness
	orders // how many there are
)

const (
	showAll show = iota
	showFailed
	showUnchecked
	showRated
	showDifferent
	showCount // how many there are
)

func (o order) String() string { return [...]string{"#", "time", "words", "likeness"}[o] }
func (s show) String() string {
	return [...]string{"all", "failed", "check failed", "rated", "different"}[s]
}

// relist filters and sorts the cells and keeps the focus on its cell.
func (c *Compare) relist() {
	focused := c.current()
	c.listed = slices.DeleteFunc(slices.Clone(c.cells), func(x *cell) bool { return !c.shows(x) })
	slices.SortStableFunc(c.listed, func(a, b *cell) int {
		switch c.by {
		case byTime:
			return cmp.Or(cmp.Compare(later(a), later(b)), cmp.Compare(a.times().Median, b.times().Median))
		case byWords:
			return cmp.Compare(c.words(b), c.words(a))
		case byLikeness:
			return cmp.Compare(c.likes[b.answer().ID], c.likes[a.answer().ID])
		}
		return cmp.Compare(a.place, b.place)
	})
	c.at = min(c.at, max(len(c.listed)-1, 0))
	if focused != nil {
		if i := slices.IndexFunc(c.listed, func(x *cell) bool { return x.name == focused.name }); i >= 0 {
			c.at = i
		}
	}
	c.findHits()
}

// later puts what has no time of its own behind what has.
func later(c *cell) int {
	if c.done() && c.times().N > 0 {
		return 0
	}
	return 1
}

func (c *Compare) shows(x *cell) bool {
	switch c.show {
	case showFailed:
		return x.answer().State.Ended() && !x.done()
	case showUnchecked:
		return verdictOf(x.checks()).failed > 0
	case showRated:
		return judged(x.answer())
	case showDifferent:
		return !slices.ContainsFunc(c.cells, func(o *cell) bool { return o.place < x.place && same(o.answer(), x.answer()) })
	}
	return true
}

// nextOrder sorts by the next figure; by likeness only where an answer is pinned.
func (c *Compare) nextOrder() {
	c.by = (c.by + 1) % orders
	if c.by == byLikeness && c.pinned() == nil {
		c.by = byPlace
	}
	c.relist()
}

// nextShow lists the answers of the next kind there are any of.
func (c *Compare) nextShow() {
	name := c.Column() // lost on the way, where nothing is of a kind
	for range showCount {
		c.show = (c.show + 1) % showCount
		c.relist()
		if len(c.listed) > 0 {
			break
		}
	}
	c.layout()
	c.FocusColumn(name)
}
