package compare

import (
	"cmp"
	"slices"

	"confab/ui/action"
)

type (
	sortOrder int
	filter    int
)

const (
	byNumber sortOrder = iota
	byTime
	byWords
	bySimilarity
	orderCount
)

const (
	showAll filter = iota
	showFailed
	showCheckFailed
	showRated
	showDifferent
	filterCount
)

func (o sortOrder) String() string { return [...]string{"number", "time", "words", "similarity"}[o] }

func (o sortOrder) describe() string {
	return [...]string{"their numbers", "their times", "their words", "their similarity to the pinned one"}[o]
}

func (f filter) String() string {
	return [...]string{"all", "failed", "check failed", "rated", "different"}[f]
}

// relist filters and sorts the cells; it keeps the order while answers run.
func (v *View) relist() { v.list(v.isRunning()) }

// list filters and sorts the cells, or keeps their order, and keeps the focus on its cell.
func (v *View) list(keepsOrder bool) {
	focused, before := v.Column(), v.listed
	v.listed = slices.DeleteFunc(slices.Clone(v.cells), func(x *cell) bool { return !v.passesFilter(x) })
	compareCells := v.compareCells
	if keepsOrder {
		position := func(x *cell) int {
			i := slices.IndexFunc(before, func(o *cell) bool { return o.name == x.name })
			if i < 0 {
				return len(before) + x.number
			}
			return i
		}
		compareCells = func(a, b *cell) int { return cmp.Compare(position(a), position(b)) }
	}
	slices.SortStableFunc(v.listed, compareCells)
	v.focusIndex = min(v.focusIndex, max(len(v.listed)-1, 0))
	if i := v.indexOf(focused); i >= 0 {
		v.focusIndex = i
	}
	v.findMatches()
}

func (v *View) compareCells(a, b *cell) int {
	isUntimed := func(x *cell) int {
		if x.isDone() && x.times().N > 0 {
			return 0
		}
		return 1
	}
	switch v.order {
	case byTime:
		return cmp.Or(cmp.Compare(isUntimed(a), isUntimed(b)), cmp.Compare(a.times().Median, b.times().Median))
	case byWords:
		return cmp.Compare(v.wordCount(b), v.wordCount(a))
	case bySimilarity:
		shareA, _ := v.similarity(a)
		shareB, _ := v.similarity(b)
		return cmp.Compare(shareB, shareA)
	}
	return cmp.Compare(a.number, b.number)
}

func (v *View) passesFilter(x *cell) bool {
	switch v.filter {
	case showFailed:
		return x.answer().State.HasEnded() && !x.isDone()
	case showCheckFailed:
		return summarizeChecks(x.checks()).Failed > 0
	case showRated:
		return isJudged(x.answer())
	case showDifferent:
		return !slices.ContainsFunc(v.cells, func(o *cell) bool {
			return o.number < x.number && isIdentical(o.answer(), x.answer())
		})
	}
	return true
}

// nextOrder sorts by the next figure; it skips similarity without a pinned answer.
func (v *View) nextOrder() action.Action {
	v.order = (v.order + 1) % orderCount
	if v.order == bySimilarity && v.pinned() == nil {
		v.order = byNumber
	}
	v.list(false)
	v.relayout()
	return notifyInfo("The answers are in the order of " + v.order.describe() + ".")
}

// nextFilter chooses the next filter that lists an answer.
func (v *View) nextFilter() action.Action {
	name := v.Column() // relist loses it where nothing is listed
	for range filterCount {
		v.filter = (v.filter + 1) % filterCount
		v.relist()
		if len(v.listed) > 0 {
			break
		}
	}
	v.relayout()
	v.focusColumn(name)
	return notifyInfo("Shown: " + v.filter.String() + ".")
}
