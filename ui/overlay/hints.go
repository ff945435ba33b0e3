package overlay

import (
	"slices"

	"confab/internal/termtext"
	"confab/ui/keys"
	"confab/ui/widget"
)

// BorderHints adds the key of the help to the hints of a dialog and divides them, the most useful first, among the
// borders of boxes, whose widths are given in cells, and the footer, which gets the rest. A hint is never cut.
func (b *Base) BorderHints(hints []keys.Hint, widths ...int) (borders [][]keys.Hint, footer []keys.Hint) {
	return SplitHints(slices.Concat(hints, b.Keys.Hints(keys.Everywhere, keys.Help)), widths...)
}

// SplitHints divides hints among the borders of boxes and the footer; see [Base.BorderHints].
func SplitHints(hints []keys.Hint, widths ...int) (borders [][]keys.Hint, footer []keys.Hint) {
	for _, w := range widths {
		w -= 6 // corners and blanks
		n := 0
		for n < len(hints) {
			need := termtext.Width(hints[n].Key) + 1 + termtext.Width(hints[n].Text)
			if n > 0 {
				need += termtext.Width(widget.HintGap)
			}
			if w -= need; w < 0 {
				break
			}
			n++
		}
		borders = append(borders, hints[:n])
		hints = hints[n:]
	}
	return borders, hints
}
