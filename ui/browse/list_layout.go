package browse

import (
	"cmp"

	"confab/internal/termtext"
	"confab/ui/overlay"
)

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
