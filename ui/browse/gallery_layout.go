package browse

import (
	"image"
)

// The gallery needs a screen of this size; on smaller ones pictures are a list.
const (
	galleryWidth  = 76
	galleryHeight = 20
)

const (
	thumbWidth  = 18  // the least cells of a thumbnail
	besideWidth = 110 // screen width from which the facts stand beside the grid
	factsBelow  = 3   // lines of facts under the grid, where they do not
)

// galleryLayout says where the parts of the gallery are, in cells.
type galleryLayout struct {
	w, h    int // of the box of the grid, with border
	sideW   int // of the box of facts beside it, 0 for none
	below   int // lines of facts under the grid
	head    int // lines above the grid, inside the border
	cols    int
	rows    int // shown at once
	colW    int // of a thumbnail; one cell between two
	picH    int // lines of a thumbnail
	caption int // lines under it
	pitch   int // lines from one row to the next
}

// layOutGallery places the gallery on a screen of w×h cells, whose first and last line stay free where there is room.
// aspect is the height of a cell over its width.
func layOutGallery(w, h int, aspect float64) galleryLayout {
	p := galleryLayout{w: max(w, 0), h: max(h, 0), head: 1}
	if h >= 10 {
		p.h -= 2
	}
	if w >= besideWidth {
		p.sideW = min(max(w/3, 38), 56)
		p.w -= p.sideW
	}
	inner := p.w - 4
	room := p.h - 2 - p.head
	if p.sideW == 0 && room >= 12 {
		p.below = factsBelow
		room -= p.below
	}
	if room >= 20 {
		p.head++
		room--
	}
	p.cols = max((inner+1)/(thumbWidth+1), 1)
	p.colW = max((inner+1)/p.cols-1, 1)
	p.fill(room, 2, aspect)
	if one := p; p.colW < 30 && p.rows < 2 {
		if one.fill(room, 1, aspect); one.rows > p.rows {
			p = one
		}
	}
	return p
}

// fill divides the lines of the grid into rows of pictures about as high as a
// square one is.
func (p *galleryLayout) fill(room, caption int, aspect float64) {
	square := max(int(float64(p.colW)/aspect), 1)
	least := max(square*7/8, 1)
	p.caption = caption
	p.rows = max(room/(least+caption), 1)
	p.picH = max(min(room/p.rows-caption, square), 0)
	p.pitch = p.picH + caption
	if p.rows*(p.pitch+1)-1 <= room {
		p.pitch++
	}
}

// box is the most that a thumbnail takes.
func (p galleryLayout) box() image.Point { return image.Pt(p.colW, p.picH) }

// corner returns the position of a cell of the grid, relative to the view.
func (p galleryLayout) corner(row, col int) image.Point {
	return image.Pt(2+col*(p.colW+1), 1+p.head+row*p.pitch)
}

// factsSize returns the cells of the facts.
func (p galleryLayout) factsSize() (w, h int) {
	if p.sideW > 0 {
		return max(p.sideW-4, 1), max(p.h-2, 0)
	}
	return max(p.w-4, 1), p.below
}

// thumbAt returns the picture at a place of the view.
func (g *Gallery) thumbAt(x, y int) (int, bool) {
	p := g.layout
	x, y = x-2, y-1-p.head
	if x < 0 || y < 0 || x >= p.w-4 || p.pitch < 1 {
		return 0, false
	}
	row, col := y/p.pitch, x/(p.colW+1)
	i := (g.first+row)*p.cols + col
	return i, row < p.rows && col < p.cols && i < len(g.ids)
}
