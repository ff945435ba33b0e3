package browse

import (
	"cmp"
	"image"

	"confab/internal/termtext"
	"confab/ui/overlay"
)

// The gallery needs a screen of this size; on smaller ones pictures are a list.
const (
	galleryWidth  = 40
	galleryHeight = 14
)

// Sizes of the gallery, in cells.
const (
	onePictureWidth  = 76  // screens that are narrower show one picture at a time
	factsBesideWidth = 110 // screen width from which the facts stand beside the grid
	factsBelow       = 3   // lines of facts under the grid, where they do not
)

// listLayout says where the parts of a list dialog are, in cells.
type listLayout struct {
	listW, listH       int // with border
	previewW, previewH int // with border; 0 for none
	isSideBySide       bool
	head               int // lines above the items, inside the border
	pitch              int // lines from one item or row of thumbnails to the next
	lines              int // lines of an item
	thumbLayout
}

// thumbLayout says where the thumbnails of a gallery are.
type thumbLayout struct {
	cols, rows int // shown at once
	colW       int // of a thumbnail with its frame; one cell between two
	picH       int // lines of a thumbnail, without its frame
	below      int // lines of facts under the grid
}

// maxRowGap is the most empty lines between two rows of thumbnails.
const maxRowGap = 3

// Cells of a thumbnail with its frame.
const (
	usualThumb = 18
	leastThumb = 13
)

// thumbShape is what thumbnails look like.
type thumbShape struct {
	aspect float64 // the height of a cell over its width
	ratio  float64 // the height of most pictures over their width
	larger int     // how many columns fewer than usual were asked for
	count  int     // of all pictures
}

// picHeight returns the lines of a picture in a column of that width.
func (s thumbShape) picHeight(colW int) int {
	return max(int(float64(max(colW-2, 1))*s.ratio/s.aspect+0.5), 1)
}

// emptyWidth is the width of a dialog that lists nothing.
const emptyWidth = 84

// unknownCount is the count of items before the first search was answered.
const unknownCount = -1

// layOutList places a list on a screen of w×h cells. It is as high as its count of items without a filter needs, so
// that the box stands still while one types. Nothing stands beside a linear list, which is read aloud.
func layOutList(c Config, count, w, h int, isLinear bool) listLayout {
	width, height := overlay.Size(w, h, w, h)
	p := listLayout{head: 2, lines: 2, thumbLayout: thumbLayout{cols: 1}}
	if c.Compact {
		p.lines = 1
	}
	hasPreview := c.Preview != nil && count != 0
	if hasPreview {
		width = min(width, 170)
		p.isSideBySide = !isLinear && w >= cmp.Or(c.BesideFrom, 100)
	}
	switch {
	case c.Width > 0:
		width = min(width, c.Width)
	case count == 0:
		width = min(width, emptyWidth)
	}
	p.listW, p.listH = width, min(height, 50)
	switch {
	case p.isSideBySide:
		p.listW = max(min(width*52/100, 78), 36)
		p.previewW, p.previewH = width-p.listW, p.listH
	case hasPreview && height >= 28:
		p.previewW, p.previewH = width, height*2/5
		p.listH = height - p.previewH
	}
	if p.listH < 9 {
		p.head = 1
	}
	p.pitch = p.lines
	if needed := p.neededHeight(c, count); count != unknownCount {
		p.listH = min(p.listH, needed)
		if p.isSideBySide {
			p.previewH = p.listH
		}
	}
	p.rows = max((p.listH-2-p.head)/p.pitch, 0)
	return p
}

// neededHeight returns the lines that a list of count items takes with its border.
func (p listLayout) neededHeight(c Config, count int) int {
	items := max(count, 3) * p.pitch
	if count == 0 {
		items = len(termtext.Wrap(c.Empty, max(p.listW-messageMargin, 1))) + 1
	}
	needed := items + p.head + 2
	if p.isSideBySide {
		return max(needed, cmp.Or(c.PreviewHeight, p.listH))
	}
	return needed
}

// layOutGallery places the gallery on a screen of w×h cells, whose first and last line stay free where there is room.
func layOutGallery(w, h int, shape thumbShape) listLayout {
	p := listLayout{listW: max(w, 0), listH: max(h, 0), head: 1}
	if h >= 10 {
		p.listH -= 2
	}
	if p.isSideBySide = w >= factsBesideWidth; p.isSideBySide {
		p.previewW, p.previewH = min(max(w/3, 38), 56), p.listH
		p.listW -= p.previewW
	}
	inner := p.listW - 4
	height := p.listH - 2 - p.head
	if !p.isSideBySide && height >= 12 {
		p.below = factsBelow
		height -= p.below
	}
	if height >= 20 {
		p.head++
		height--
	}
	p.cols, p.rows = columnsOfGallery(inner, height, shape)
	if w < onePictureWidth {
		p.cols, p.rows = 1, 1
	}
	p.colW = max((inner+1)/p.cols-1, 1)
	p.fill(height, shape)
	return p
}

// columnsOfGallery divides w by h cells among the pictures: as many columns as usual, or fewer where all pictures then
// are on the screen and larger. rows is 0 for as many as fit.
func columnsOfGallery(w, h int, shape thumbShape) (cols, rows int) {
	columns := func(thumb int) int { return max((w+1)/(thumb+1), 1) }
	width := func(cols int) int { return (w+1)/cols - 1 }
	usual := columns(usualThumb)
	cols = usual
	largest := shape.picHeight(width(usual))
	if needed := (shape.count + usual - 1) / usual; needed > 0 && needed*(largest+2) <= h {
		rows = needed
	}
	for n := usual; n > 0 && shape.count > 0; n-- {
		needed := (shape.count + n - 1) / n
		if height := min(h/needed-2, shape.picHeight(width(n))); height > largest {
			cols, rows, largest = n, needed, height
		}
	}
	if shape.larger != 0 {
		cols, rows = max(min(cols-shape.larger, columns(leastThumb)), 1), 0
	}
	return cols, rows
}

// fill divides the lines of the grid into rows of pictures of the usual ratio, each within a frame.
func (p *listLayout) fill(height int, shape thumbShape) {
	wanted := shape.picHeight(p.colW)
	if p.rows == 0 {
		p.rows = max(height/(wanted+2), 1)
		more, left := p.rows+1, height-p.rows*(wanted+2+maxRowGap)
		if left > 0 && 3*(height/more-2) >= 2*wanted { // another row fits when all pictures are a little smaller
			p.rows = more
		}
	}
	p.picH = max(min(height/p.rows-2, wanted), 0)
	p.pitch = p.picH + 2
	if p.rows > 1 {
		p.pitch += max(min((height-p.rows*p.pitch)/(p.rows-1), maxRowGap), 0)
	}
}

func (p listLayout) hasPreview() bool { return p.previewW > 2 && p.previewH > 2 }

// previewInner returns the cells of the preview's text.
func (p listLayout) previewInner() (w, h int) { return max(p.previewW-4, 0), max(p.previewH-2, 0) }

// isInPreview tells whether a position of the view is in the preview.
func (p listLayout) isInPreview(x, y int) bool {
	return p.hasPreview() && (p.isSideBySide && x >= p.listW || !p.isSideBySide && y >= p.listH)
}

// thumb is the most that a thumbnail takes.
func (p thumbLayout) thumb() image.Point { return image.Pt(max(p.colW-2, 0), p.picH) }

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
		inside = x >= 2 && col < p.cols && y%p.pitch < p.picH+2
	}
	i := (l.first+row)*p.cols + col
	return i, inside && row < p.rows && i < l.n
}
