package browse

// On a smaller screen pictures are a list instead of a gallery.
const (
	galleryWidth  = 40
	galleryHeight = 14
)

// Sizes of the gallery, in cells.
const (
	factsBesideWidth = 110 // screen width from which the facts are beside the grid
	maxMoreLines     = 1   // lines that a thumbnail is higher than usual
	usualThumb       = 18  // width of a thumbnail with its frame
	leastThumb       = 13
	leastCaptioned   = 17 // width of a thumbnail whose caption has room for a few words
	leastLines       = 3  // of a thumbnail in a row
	frameLines       = 3  // of a thumbnail: its frame and a line of its caption
	maxCaption       = 3  // lines of a caption
)

// thumbLayout is the layout of the gallery in cells.
type thumbLayout struct {
	boxes
	cols, rows int // on the screen
	picH       int // lines of a thumbnail, without its frame and its caption
	below      int // lines of facts under the grid
}

// thumbShape is what the size of thumbnails depends on.
type thumbShape struct {
	aspect float64 // the height of a cell over its width
	ratio  float64 // the height of most pictures over their width
	larger int     // requested columns fewer than usual
	count  int     // all pictures
}

// picHeight returns the lines of a picture in a column of a width.
func (s thumbShape) picHeight(colW int) int {
	return max(int(float64(max(colW-2, 1))*s.ratio/s.aspect+0.5), 1)
}

// layOutGallery lays out the gallery on a screen of w×h cells. It leaves the last line free, and
// the first of a high one.
func layOutGallery(w, h int, shape thumbShape) thumbLayout {
	p := thumbLayout{boxes: boxes{listW: max(w, 0), listH: max(h, 0), head: 1}}
	switch {
	case h >= 22:
		p.listH -= 2
	case h >= 10:
		p.listH--
	}
	if p.isBeside = w >= factsBesideWidth; p.isBeside {
		p.sideW, p.sideH = min(max(w/3, 38), 56), p.listH
		p.listW -= p.sideW
	}
	inner := p.listW - 4
	height := p.listH - 2 - p.head
	if !p.isBeside && height >= 12 {
		p.below = 1
		height--
	}
	if height >= 20 {
		p.head++
		height--
	}
	p.cols, p.rows = columnsOfGallery(inner, height, shape)
	p.colW = max((inner+1)/p.cols-1, 1)
	p.fill(height, shape)
	return p
}

// columnsOfGallery divides w×h cells into columns: as many as usual, or fewer if all pictures still fit and become
// larger. rows is 0 for as many as fit.
func columnsOfGallery(w, h int, shape thumbShape) (cols, rows int) {
	columns := func(thumb int) int { return max((w+1)/(thumb+1), 1) }
	width := func(cols int) int { return (w+1)/cols - 1 }
	usual := columns(usualThumb)
	cols = usual
	largest := shape.picHeight(width(usual))
	if needed := (shape.count + usual - 1) / usual; needed > 0 && needed*(largest+frameLines) <= h {
		rows = needed
	}
	for n := usual; n > 0 && shape.count > 0; n-- {
		needed := (shape.count + n - 1) / n
		if height := min(h/needed-frameLines, shape.picHeight(width(n))); height >= largest {
			cols, rows, largest = n, needed, height
		}
	}
	if shape.larger != 0 {
		cols, rows = max(min(cols-shape.larger, columns(leastThumb)), 1), 0
	}
	return cols, rows
}

// fill divides the lines of the grid into rows of framed pictures with captions.
func (p *thumbLayout) fill(height int, shape thumbShape) {
	wanted := shape.picHeight(p.colW)
	if p.rows == 0 {
		p.rows = max(height/(wanted+frameLines), 1)
		more, left := p.rows+1, height-p.rows*(wanted+frameLines+maxMoreLines)
		if left > 0 && 3*(height/more-frameLines) >= 2*wanted { // another row fits with pictures a little smaller
			p.rows = more
		}
	}
	// Pictures that are higher than most fill the higher box.
	p.picH = max(min(height/p.rows-frameLines, wanted+maxMoreLines), 0)
	p.lines = max(min(height/p.rows, p.picH+frameLines+maxCaption-1), 1)
	p.pitch = p.lines
}

// justify divides pictures of a height into rows that are as wide as the grid, but for the last one. Where the screen
// has a place for each, they are as much lower as it takes for all to be on it.
func (p *thumbLayout) justify(ratios []float64, aspect float64) (starts, widths []int) {
	for hasRoom := len(ratios) <= p.cols*p.rows; ; p.picH-- {
		starts, widths = p.rowsOf(ratios, aspect)
		if !hasRoom || len(starts) <= p.rows || p.picH <= leastLines {
			p.lines = min(p.lines, p.picH+frameLines+maxCaption-1)
			p.pitch = p.lines
			return starts, widths
		}
	}
}

func (p *thumbLayout) rowsOf(ratios []float64, aspect float64) (starts, widths []int) {
	all := max(p.listW-4, 1)
	least := min(max(min(leastCaptioned, p.colW), leastThumb), all)
	taken := 0 // cells of the row and the cell after each
	for i, ratio := range ratios {
		width := max(min(int(float64(p.picH)*aspect/ratio+0.5)+2, all), least)
		if left := all - taken + 1; i == 0 || width > left {
			if i > 0 {
				stretch(widths[starts[len(starts)-1]:], left)
			}
			starts, taken = append(starts, i), 0
		}
		widths, taken = append(widths, width), taken+width+1
	}
	return starts, widths
}

// stretch shares cells out among the widths of a row.
func stretch(row []int, by int) {
	for i := range row {
		row[i] += by*(i+1)/len(row) - by*i/len(row)
	}
}
