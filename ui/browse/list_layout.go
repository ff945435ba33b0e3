package browse

import (
	"cmp"
	"image"

	"confab/ui/overlay"
)

// The gallery needs a screen of this size; on smaller ones pictures are a list.
const (
	galleryWidth  = 76
	galleryHeight = 20
)

// Sizes of the gallery, in cells.
const (
	thumbWidth       = 18  // the least cells of a thumbnail
	factsBesideWidth = 110 // screen width from which the facts stand beside the grid
	factsBelow       = 3   // lines of facts under the grid, where they do not
)

// listLayout says where the parts of a list dialog are, in cells.
type listLayout struct {
	listW, listH       int // with border
	previewW, previewH int // with border; 0 for none
	beside             bool
	head               int // lines above the items, inside the border
	pitch              int // lines from one item or row of thumbnails to the next
	lines              int // lines of an item
	thumbLayout
}

// thumbLayout says where the thumbnails of a gallery are.
type thumbLayout struct {
	cols, rows int // shown at once
	colW       int // of a thumbnail; one cell between two
	picH       int // lines of a thumbnail
	caption    int // lines under it
	below      int // lines of facts under the grid
}

// layOutList places a list on a screen of w×h cells. The height never depends on what is found, so that the box stands
// still while one types.
func layOutList(c Config, w, h int) listLayout {
	width, height := overlay.Size(w, h, w, h)
	p := listLayout{head: 2, lines: 2, thumbLayout: thumbLayout{cols: 1}}
	if c.Compact {
		p.lines = 1
	}
	if c.Preview != nil {
		width = min(width, 170)
		p.beside = w >= cmp.Or(c.BesideFrom, 100)
	}
	if c.Width > 0 {
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
	if len(c.Items) > 0 {
		needed := max(len(c.Items), 3)*p.pitch + p.head + 2
		if p.beside {
			needed = max(needed, 26)
			p.previewH = min(p.previewH, needed)
		}
		p.listH = min(p.listH, needed)
	}
	p.rows = max((p.listH-2-p.head)/p.pitch, 0)
	return p
}

// layOutGallery places the gallery on a screen of w×h cells, whose first and last line stay free where there is room.
// aspect is the height of a cell over its width.
func layOutGallery(w, h int, aspect float64) listLayout {
	p := listLayout{listW: max(w, 0), listH: max(h, 0), head: 1}
	if h >= 10 {
		p.listH -= 2
	}
	if p.beside = w >= factsBesideWidth; p.beside {
		p.previewW, p.previewH = min(max(w/3, 38), 56), p.listH
		p.listW -= p.previewW
	}
	inner := p.listW - 4
	height := p.listH - 2 - p.head
	if !p.beside && height >= 12 {
		p.below = factsBelow
		height -= p.below
	}
	if height >= 20 {
		p.head++
		height--
	}
	p.cols = max((inner+1)/(thumbWidth+1), 1)
	p.colW = max((inner+1)/p.cols-1, 1)
	p.fill(height, 2, aspect)
	if one := p; p.colW < 30 && p.rows < 2 {
		if one.fill(height, 1, aspect); one.rows > p.rows {
			p = one
		}
	}
	return p
}

// fill divides the lines of the grid into rows of pictures about as high as a square one is.
func (p *listLayout) fill(height, caption int, aspect float64) {
	square := max(int(float64(p.colW)/aspect), 1)
	least := max(square*7/8, 1)
	p.caption = caption
	p.rows = max(height/(least+caption), 1)
	p.picH = max(min(height/p.rows-caption, square), 0)
	p.pitch = p.picH + caption
	if p.rows*(p.pitch+1)-1 <= height {
		p.pitch++
	}
}

func (p listLayout) hasPreview() bool { return p.previewW > 2 && p.previewH > 2 }

// previewInner returns the cells of the preview's text.
func (p listLayout) previewInner() (w, h int) { return max(p.previewW-4, 0), max(p.previewH-2, 0) }

// inPreview tells whether a position of the view is in the preview.
func (p listLayout) inPreview(x, y int) bool {
	return p.hasPreview() && (p.beside && x >= p.listW || !p.beside && y >= p.listH)
}

// thumb is the most that a thumbnail takes.
func (p thumbLayout) thumb() image.Point { return image.Pt(p.colW, p.picH) }

// itemAt returns the item at a position of the view.
func (l *List) itemAt(x, y int) (int, bool) {
	p := l.layout
	y -= 1 + p.head
	if x < 1 || x >= p.listW-1 || y < 0 || p.pitch < 1 {
		return 0, false
	}
	row, col, inside := y/p.pitch, 0, y%p.pitch < p.lines
	if l.grid != nil {
		col = (x - 2) / (p.colW + 1)
		inside = x >= 2 && col < p.cols
	}
	i := (l.first+row)*p.cols + col
	return i, inside && row < p.rows && i < l.n
}
