package compare

import (
	"image"
	"slices"
)

// leastFit is the fewest lines of a box that ends below its text, with its border.
const leastFit = 5

// fit ends boxes of texts below the longest of their row, and gives the lines that the texts of one row leave to rows
// whose texts need more. It reports whether a box has changed. Rows of answers fill the view together, so that none
// moves while the texts above it grow.
func (v *View) fit() (changed bool) {
	hasOther := slices.ContainsFunc(v.boxes, func(b box) bool { return !b.isText })
	if len(v.boxes) == 0 || hasOther || v.layout.layout == List || v.isPreview && !v.previewsRow() {
		return false
	}
	var rows [][]*box
	for i := range v.boxes {
		b := &v.boxes[i]
		if n := len(rows); n == 0 || rows[n-1][0].slot.Min.Y != b.slot.Min.Y {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], b)
	}
	needed, free := make([]int, len(rows)), 0
	for i, row := range rows {
		free += row[0].slot.Dy()
		for _, b := range row {
			needed[i] = max(needed[i], b.neededLines())
		}
	}
	heights := shareLines(needed, free)
	switch missing := free - sum(heights); {
	case len(rows) == 1: // a blank line parts the text from the border
		heights[0] += min(missing, 1)
	case v.mode == nil:
		for i := range heights { // up to the height that each row has where the texts are not known
			more := max(min(rows[i][0].slot.Dy()-heights[i], missing), 0)
			heights[i], missing = heights[i]+more, missing-more
		}
		heights[len(heights)-1] += missing
	}
	if len(rows) == 0 {
		return false
	}
	top := rows[0][0].slot.Min.Y
	for i, row := range rows {
		for _, b := range row {
			rect := image.Rect(b.slot.Min.X, top, b.slot.Max.X, top+heights[i])
			if changed = changed || rect != b.rect; rect != b.rect {
				b.rect = rect
				b.reader.SetSize(rect.Dx()-2, rect.Dy()-2)
			}
		}
		top += heights[i]
	}
	return changed
}

// neededLines returns the lines that show the text as a whole, with the border.
func (b box) neededLines() int {
	_, _, total := b.reader.Lines()
	return max(total+2, leastFit)
}

// shareLines shares free lines among rows: each gets what it needs, or an equal part of what those leave that need
// less.
func shareLines(needed []int, free int) []int {
	heights := slices.Clone(needed)
	left, rest := free, slices.Clone(needed)
	slices.Sort(rest)
	for i, n := range rest {
		if part := left / (len(rest) - i); n > part {
			for j := range heights {
				if heights[j] >= n {
					heights[j] = part
				}
			}
			break
		}
		left -= n
	}
	return heights
}
