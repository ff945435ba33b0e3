package browse

import (
	"confab/ui/overlay"
)

// listLayout says where the parts of a list dialog are, in cells.
type listLayout struct {
	listW, listH       int // with border
	previewW, previewH int // with border; 0 for none
	beside             bool
	head               int // lines above the items, inside the border
	pitch              int // lines from one item to the next
	lines              int // lines of an item
}

// layOutList places a list on a screen of w×h cells. The height never
// depends on what is found, so that the box stands still while one types.
func layOutList(c Config, w, h int) listLayout {
	width, height := overlay.Size(w, h, w, h)
	p := listLayout{head: 2, lines: 2}
	if c.Compact {
		p.lines = 1
	}
	if c.Preview != nil {
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
	case c.Preview != nil && height >= 28:
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
	if c.Search == nil {
		wish := max(len(c.Items), 3)*p.pitch + p.head + 2
		if p.beside {
			wish = max(wish, 26)
			p.previewH = min(p.previewH, wish)
		}
		p.listH = min(p.listH, wish)
	}
	return p
}

func (p listLayout) hasPreview() bool { return p.previewW > 2 && p.previewH > 2 }

// previewInner returns the cells of the preview's text.
func (p listLayout) previewInner() (w, h int) { return max(p.previewW-4, 0), max(p.previewH-2, 0) }

// visible returns how many items the list shows at once.
func (p listLayout) visible() int {
	return max((p.listH-2-p.head+p.pitch-p.lines)/p.pitch, 0)
}

func (p listLayout) inPreview(x, y int) bool {
	if !p.hasPreview() {
		return false
	}
	if p.beside {
		return x >= p.listW
	}
	return y >= p.listH
}

// itemAt returns the item at a position of the view.
func (l *List) itemAt(x, y int) (int, bool) {
	row := y - 1 - l.layout.head
	if x < 1 || x >= l.layout.listW-1 || row < 0 || row%l.layout.pitch >= l.layout.lines {
		return 0, false
	}
	i := row / l.layout.pitch
	return l.first + i, i < l.rows && l.first+i < l.n
}
