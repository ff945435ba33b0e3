package runs

import (
	"slices"

	"github.com/charmbracelet/x/ansi"
)

// nameCutter cuts the names of a table to a width: at the end, or in the middle where that keeps more of them
// different.
type nameCutter struct {
	w            int // that the cutter is prepared for
	names        []string
	cutsInMiddle bool
}

// prepare chooses how names are cut to w cells.
func (c *nameCutter) prepare(w int, names []string) {
	if c.w == w && slices.Equal(c.names, names) {
		return
	}
	count := func(cut nameCutter) int { // of the names that differ
		different := map[string]bool{}
		for _, name := range names {
			different[cut.cut(name, w)] = true
		}
		return len(different)
	}
	*c = nameCutter{w: w, names: names, cutsInMiddle: count(nameCutter{cutsInMiddle: true}) > count(nameCutter{})}
}

// cut returns a name in w cells.
func (c nameCutter) cut(name string, w int) string {
	if c.cutsInMiddle {
		return cutInMiddle(name, w)
	}
	return ansi.Truncate(name, max(w, 0), "…")
}

func cutInMiddle(name string, w int) string {
	all := ansi.StringWidth(name)
	if all <= w || w < 6 {
		return ansi.Truncate(name, max(w, 0), "…")
	}
	last := w * 2 / 5
	return ansi.Truncate(name, w-last-1, "") + ansi.TruncateLeft(name, all-last, "…")
}
