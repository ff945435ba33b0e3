package browse

import (
	"cmp"

	"confab/internal/termtext"
	"confab/ui/overlay"
)

// boxes says where the two boxes of a dialog are, in cells: that of the entries, and one about the entry under the
// cursor.
type boxes struct {
	listW, listH int // with border
	sideW, sideH int // with border; 0 for none
	isBeside     bool
	head         int // lines above the entries, inside the border
	pitch        int // lines from one row of entries to the next
}

func (b boxes) hasSide() bool { return b.sideW > 2 && b.sideH > 2 }

// sideInner returns the cells within the border of the second box.
func (b boxes) sideInner() (w, h int) { return max(b.sideW-4, 0), max(b.sideH-2, 0) }

// isInSide tells whether a position of the view is in the second box.
func (b boxes) isInSide(x, y int) bool {
	return b.hasSide() && (b.isBeside && x >= b.listW || !b.isBeside && y >= b.listH)
}

// rowAt returns the row at a position of the view, counted from the first on the screen. isInside tells that the
// position is on one of its lines.
func (b boxes) rowAt(x, y, lines int) (row int, isInside bool) {
	y -= 1 + b.head
	if x < 1 || x >= b.listW-1 || y < 0 || b.pitch < 1 {
		return 0, false
	}
	return y / b.pitch, y%b.pitch < lines
}

// emptyWidth is the width of a dialog that lists nothing.
const emptyWidth = 84

// unknownCount is the count of items before the first search was answered.
const unknownCount = -1

// layOutList places a list on a screen of w×h cells. It is as high as its count of items without a filter needs, so
// that the box stands still while one types. Nothing stands beside a linear list, which is read aloud.
func layOutList(c Config, count, w, h int, isLinear bool) boxes {
	width, height := overlay.Size(w, h, w, h)
	p := boxes{head: 2, pitch: 2}
	if c.Compact {
		p.pitch = 1
	}
	hasPreview := c.Preview != nil && count != 0
	if hasPreview {
		width = min(width, 170)
		p.isBeside = !isLinear && w >= cmp.Or(c.BesideFrom, 100)
	}
	switch {
	case c.Width > 0:
		width = min(width, c.Width)
	case count == 0:
		width = min(width, emptyWidth)
	}
	p.listW, p.listH = width, min(height, 50)
	switch {
	case p.isBeside:
		p.listW = max(min(width*52/100, 78), 36)
		p.sideW, p.sideH = width-p.listW, p.listH
	case hasPreview && height >= 28:
		p.sideW, p.sideH = width, height*2/5
		p.listH = height - p.sideH
	}
	if p.listH < 9 {
		p.head = 1
	}
	if needed := p.neededHeight(c, count); count != unknownCount {
		p.listH = min(p.listH, needed)
		if p.isBeside {
			p.sideH = p.listH
		}
	}
	return p
}

// neededHeight returns the lines that a list of count items takes with its border.
func (p boxes) neededHeight(c Config, count int) int {
	items := max(count, 3) * p.pitch
	if count == 0 {
		items = len(termtext.Wrap(c.Empty, max(p.listW-messageMargin, 1))) + 1
	}
	needed := items + p.head + 2
	if p.isBeside {
		return max(needed, cmp.Or(c.PreviewHeight, p.listH))
	}
	return needed
}
