package compare

import (
	"image"
	"slices"
)

// leastFit is the fewest lines of a box that leaves lines to another row, with its border.
const leastFit = 5

// fit gives lines that the texts of a row do not need to rows whose texts need more; the rows fill the view together.
// It reports whether a box has changed.
func (v *View) fit() (changed bool) {
	if slices.ContainsFunc(v.boxes, func(b box) bool { return !b.isText }) {
		return false
	}
	var rows []int           // of each box
	var heights, spare []int // of each row; what it lacks is less than 0
	for i, b := range v.boxes {
		if i == 0 || b.slot.Min.Y != v.boxes[i-1].slot.Min.Y {
			heights, spare = append(heights, b.slot.Dy()), append(spare, b.slot.Dy())
		}
		row := len(heights) - 1
		_, _, total := b.reader.Lines()
		rows, spare[row] = append(rows, row), min(spare[row], b.slot.Dy()-max(total+2, leastFit))
	}
	for to := range heights {
		for from := range heights {
			n := max(min(-spare[to], spare[from]), 0)
			heights[to], spare[to] = heights[to]+n, spare[to]+n
			heights[from], spare[from] = heights[from]-n, spare[from]-n
		}
	}
	for i := range v.boxes {
		b, rect := &v.boxes[i], v.boxes[i].slot
		rect.Min.Y = v.boxes[0].slot.Min.Y + sum(heights[:rows[i]])
		rect.Max.Y = rect.Min.Y + heights[rows[i]]
		if changed = changed || rect != b.rect; rect != b.rect {
			b.rect = rect
			b.resize()
		}
	}
	return changed
}

// resize gives the reader the size that the box has.
func (b *box) resize() { b.reader.SetSize(b.rect.Dx()-2-2*b.margin, b.rect.Dy()-2) }

// origin returns where the text begins in the body.
func (b box) origin() image.Point { return b.rect.Min.Add(image.Pt(1+b.margin, 1)) }
