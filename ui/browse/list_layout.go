package browse

import (
	"confab/ui/overlay"
)

// placing says where the parts of a list dialog are, in cells.
type placing struct {
	listW, listH       int // with border
	previewW, previewH int // with border; 0 for none
	beside             bool
	head               int // lines above the items, inside the border
	pitch              int // lines from one item to the next
	lines              int // lines of an item
}

// placeBrowser places a list on a screen of w×h cells. The height never
// depends on what is found, so that the box stands still while one types.
func placeBrowser(c Config, w, h int) placing {
	width, height := overlay.Size(w, h, w, h)
	p := placing{head: 2, lines: 2}
	if c.Compact {
		p.lines = 1
	}
	if c.Preview {
		width = min(width, 170)
		if c.Width > 0 {
			width = min(width, c.Width)
		}
		from := c.BesideFrom
		if from == 0 {
			from = 100
		}
		p.beside = w >= from
	} else if c.Width > 0 {
		width = min(width, c.Width)
	}
	p.listW, p.listH = width, min(height, 50)
	switch {
	case p.beside:
		p.listW = max(min(width*52/100, 78), 36)
		p.previewW, p.previewH = width-p.listW, p.listH
	case c.Preview && height >= 28:
		p.previewW, p.previewH = width, height*2/5
		p.listH = height - p.previewH
	}
	if p.listH < 9 {
		p.head = 1
	}
	p.pitch = p.lines
	if p.lines == 2 && p.listH >= 20 {
		p.pitch = 3
	}
	if c.Static {
		wish := max(len(c.Items), 3)*p.pitch + p.head + 2
		if p.beside {
			wish = max(wish, 26)
			p.previewH = min(p.previewH, wish)
		}
		p.listH = min(p.listH, wish)
	}
	return p
}

func (p placing) hasPreview() bool { return p.previewW > 2 && p.previewH > 2 }

// previewInner returns the cells of the preview's text.
func (p placing) previewInner() (w, h int) { return max(p.previewW-4, 0), max(p.previewH-2, 0) }

// visible returns how many items the list shows at once.
func (p placing) visible() int {
	return max((p.listH-2-p.head+p.pitch-p.lines)/p.pitch, 0)
}

func (p placing) inPreview(x, y int) bool {
	if !p.hasPreview() {
		return false
	}
	if p.beside {
		return x >= p.listW
	}
	return y >= p.listH
}

// reveal scrolls so that the item under the cursor is seen.
func (b *Browser) reveal() {
	n := max(b.place.visible(), 1)
	b.first = min(b.first, b.at)
	b.first = max(b.first, b.at-n+1, 0)
	b.first = max(min(b.first, len(b.items)-n), 0)
}

// itemAt returns the item at a place of the view.
func (b *Browser) itemAt(x, y int) (int, bool) {
	row := y - 1 - b.place.head
	if x < 1 || x >= b.place.listW-1 || row < 0 || row%b.place.pitch >= b.place.lines {
		return 0, false
	}
	i := row / b.place.pitch
	if i >= b.place.visible() || b.first+i >= len(b.items) {
		return 0, false
	}
	return b.first + i, true
}
