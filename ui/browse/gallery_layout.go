package browse

import (
	"image"
	"math"

	"confab/ui/graphics"
)

// On a smaller screen pictures are a list instead of a gallery.
const (
	galleryWidth  = 40
	galleryHeight = 14
)

// Sizes of the gallery, in cells.
const (
	factsBesideWidth = 110 // screen width from which the facts are beside the grid
	usualLines       = 8   // of a picture
	leastFitLines    = 6   // of a picture that is lower than usual so that all are on the screen
	leastLines       = 3   // of a picture
	leastThumb       = 13  // width of a thumbnail with its frame
	leastCaptioned   = 17  // width of a thumbnail whose caption has room for a few words
	widestCaption    = 26  // width to which a caption widens the frame of a narrower picture
	maxCaption       = 2   // lines of a caption
	widestGap        = 4   // cells that fill a row after one of its thumbnails
)

// thumb is what the size of a thumbnail depends on.
type thumb struct {
	size    image.Point // of the picture, in px
	caption image.Point // the cells of its caption in one line, and the width at which it takes no more than maxCaption
}

// thumbLayout is the layout of the gallery in cells. A row has a line of frames above its pictures and one below its
// captions, which is also the line above the next row.
type thumbLayout struct {
	boxes
	rows    int   // on the screen
	heights []int // lines of the pictures of each row; the last one is that of all further rows
	caption int   // most lines of a caption
	below   int   // lines of facts under the grid
	starts  []int // the first thumbnail of each row
	frames  []int // width of each thumbnail with its frame
	widths  []int // the same, with the cells after it that fill the row
	tops    []int // the first line of each row on the screen, and of what is below the last

	thumbs []thumb
	all    int     // width of a row
	height int     // of the grid
	aspect float64 // the height of a cell over its width
}

// layOutGallery lays out the gallery on a screen of w×h cells, with as many rows fewer than usual as larger says. It
// leaves the last line free, and the first of a high screen.
func layOutGallery(w, h int, thumbs []thumb, larger int, aspect float64) thumbLayout {
	p := thumbLayout{boxes: boxes{listW: max(w, 0), listH: max(h, 0), head: 1}, thumbs: thumbs, aspect: aspect}
	switch {
	case h >= 30:
		p.listH -= 2
	case h >= 10:
		p.listH--
	}
	if p.isBeside = w >= factsBesideWidth; p.isBeside {
		p.sideW, p.sideH = min(max(w/4, 34), 46), p.listH
		p.listW -= p.sideW
	}
	p.all = max(p.listW-4, 1)
	p.height = max(p.listH-2-p.head, 1)
	if !p.isBeside && p.height >= 12 {
		p.below = 1
		p.height--
	}
	if p.height >= 20 {
		p.head++
		p.height--
	}
	isFitted := p.fitAll()
	usual := p.rows
	if !isFitted {
		usual = max((p.height-1+usualLines/2)/(max(usualLines, p.height/5)+maxCaption+1), 1)
	}
	if !isFitted || larger != 0 {
		p.fillHeight(max(usual-larger, 1))
	}
	p.placeRows()
	p.fillRows()
	return p
}

// canHave reports whether pictures have room in rows of the screen.
func (p *thumbLayout) canHave(rows int) bool {
	return rows > 0 && (rows < p.rows || len(p.starts) > p.rows) && (p.height-1)/rows-2 >= leastLines
}

// picHeight returns the lines of the pictures of a row.
func (p *thumbLayout) picHeight(row int) int { return p.heights[max(min(row, len(p.heights)-1), 0)] }

// fitAll gives pictures the largest size at which all are on the screen, then grows the rows that have room. It
// returns false when pictures would be too small.
func (p *thumbLayout) fitAll() bool {
	if n := len(p.thumbs); n == 0 || n > p.all/leastThumb*(p.height/leastFitLines) {
		return false
	}
	for picH := p.height - 2; picH >= leastFitLines; picH-- {
		p.pack(picH, p.all)
		left := p.height - 1 - len(p.starts)*(picH+p.caption+1)
		if left < 0 {
			continue
		}
		p.rows, p.heights = len(p.starts), make([]int, len(p.starts))
		width := p.all
		for width > 1 && len(p.starts) == p.rows { // into rows of about the same width
			width--
			p.pack(picH, width)
		}
		p.pack(picH, width+1)
		for row := range p.heights {
			p.heights[row] = picH
		}
		for hasGrown := true; hasGrown; {
			hasGrown = false
			for row := range p.heights {
				if height := p.heights[row] + 1; left > 0 && height <= 2*picH && p.rowWidth(row, height) <= p.all {
					p.heights[row], hasGrown = height, true
					left--
				}
			}
		}
		for row := range p.heights {
			from, to := p.span(row)
			for i := from; i < to; i++ {
				p.frames[i] = p.frame(i, p.heights[row])
			}
		}
		return true
	}
	return false
}

// fillHeight divides the height into rows of pictures of one height, which is a little less than there is room for
// where that fills the rows better.
func (p *thumbLayout) fillHeight(rows int) {
	p.rows = rows
	caption := maxCaption
	largest := (p.height-1)/rows - caption - 1
	if largest < leastLines {
		largest, caption = largest+caption-1, 1
	}
	best, fewest := max(largest, 0), math.Inf(1)
	for picH := best; picH > 0 && picH >= largest*4/5; picH-- {
		if p.pack(picH, p.all); float64(len(p.starts))/float64(picH) < fewest {
			best, fewest = picH, float64(len(p.starts))/float64(picH)
		}
	}
	p.pack(best, p.all)
	p.heights, p.caption = []int{best}, caption
}

// pack divides thumbnails of pictures of a height into rows of a width, and finds how many lines their captions take.
func (p *thumbLayout) pack(picH, width int) {
	p.starts, p.frames, p.caption = nil, make([]int, len(p.thumbs)), 1
	taken := 0 // cells of the row and the cell after each
	for i := range p.thumbs {
		p.frames[i] = p.frame(i, picH)
		if i == 0 || taken+p.frames[i] > width {
			p.starts, taken = append(p.starts, i), 0
		}
		taken += p.frames[i] + 1
		if p.thumbs[i].caption.X > p.frames[i]-2 {
			p.caption = maxCaption
		}
	}
}

// frame returns the width of a thumbnail with its frame, which fits the picture or a few words of its caption.
func (p *thumbLayout) frame(i, picH int) int {
	t := p.thumbs[i]
	cols, _ := graphics.FitCells(t.size.X, t.size.Y, p.all-2, picH, p.aspect)
	return min(max(cols+2, min(leastCaptioned, t.caption.Y+2)), p.all)
}

func (p *thumbLayout) rowWidth(row, picH int) int {
	from, to := p.span(row)
	width := to - from - 1
	for i := from; i < to; i++ {
		width += p.frame(i, picH)
	}
	return width
}

func (p *thumbLayout) span(row int) (from, to int) {
	if to = len(p.thumbs); row+1 < len(p.starts) {
		to = p.starts[row+1]
	}
	return p.starts[row], to
}

func (p *thumbLayout) placeRows() {
	p.tops = []int{0}
	for row := range p.rows {
		top := p.tops[row] + p.picHeight(row) + p.caption + 1
		if len(p.heights) == 1 {
			top = (row + 1) * (p.height - 1) / p.rows
		}
		p.tops = append(p.tops, top)
	}
}

// fillRows gives the cells that a row leaves to captions that lack them, then to what is between its thumbnails, which
// stays little: a row that is far from full stays so.
func (p *thumbLayout) fillRows() {
	p.widths = make([]int, len(p.thumbs))
	for row := range p.starts {
		from, to := p.span(row)
		left := p.all - (to - from - 1)
		for i := from; i < to; i++ {
			left -= p.frames[i]
		}
		for left > 0 {
			neediest, most := 0, 0
			for i := from; i < to; i++ {
				if lack := p.thumbs[i].caption.Y + 2 - p.frames[i]; lack > most {
					neediest, most = i, lack
				}
			}
			if most == 0 {
				break
			}
			p.frames[neediest]++
			left--
		}
		copy(p.widths[from:to], p.frames[from:to])
		stretch(p.widths[from:to-1], min(left, widestGap*(to-from-1)))
	}
}

// stretch shares cells out among widths.
func stretch(widths []int, by int) {
	for i := range widths {
		widths[i] += by*(i+1)/len(widths) - by*i/len(widths)
	}
}
