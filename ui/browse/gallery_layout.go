package browse

// On a smaller screen pictures are a list instead of a gallery.
const (
	galleryWidth  = 40
	galleryHeight = 14
)

// Sizes of the gallery, in cells.
const (
	onePictureWidth  = 76  // narrower screens show one picture at a time
	factsBesideWidth = 110 // screen width from which the facts are beside the grid
	factsBelow       = 3   // lines of facts under the grid on narrower screens
	maxMoreLines     = 3   // lines that a thumbnail is higher than usual
	usualThumb       = 18  // width of a thumbnail with its frame
	leastThumb       = 13
	leastCaptioned   = 17 // width of a thumbnail whose caption has room for a few words
)

// thumbLayout is the layout of the gallery in cells.
type thumbLayout struct {
	boxes
	cols, rows int // on the screen
	picH       int // lines of a thumbnail, without its frame
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

// columnsOfGallery divides w×h cells into columns: as many as usual, or fewer if all pictures still fit and become
// larger. rows is 0 for as many as fit.
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

// fill divides the lines of the grid into rows of framed pictures.
func (p *thumbLayout) fill(height int, shape thumbShape) {
	wanted := shape.picHeight(p.colW)
	if p.rows == 0 {
		p.rows = max(height/(wanted+2), 1)
		more, left := p.rows+1, height-p.rows*(wanted+2+maxMoreLines)
		if left > 0 && 3*(height/more-2) >= 2*wanted { // another row fits when all pictures are a little smaller
			p.rows = more
		}
	}
	// Frames are often wider than their column, and their pictures then fill the higher box.
	p.picH = max(min(height/p.rows-2, wanted+maxMoreLines), 0)
	p.lines = p.picH + 2
	p.pitch = p.lines
	if p.rows > 1 {
		p.pitch += max(min((height-p.rows*p.pitch)/(p.rows-1), 1), 0)
	}
}

// justify divides pictures into rows whose frames together are as wide as the grid, but for a last row that is shorter.
// All are narrower where they would otherwise not fit on a screen that has a place for each.
func (p thumbLayout) justify(ratios []float64, usual float64) (starts, widths []int) {
	hasRoom := len(ratios) <= p.cols*p.rows
	for colW := p.colW; ; colW = colW * 9 / 10 {
		starts, widths = p.justifyColumns(ratios, usual, colW)
		if !hasRoom || len(starts) <= p.rows || colW <= leastThumb {
			return starts, widths
		}
	}
}

// justifyColumns is justify where a picture of the usual ratio has a width, and others are wider or narrower.
func (p thumbLayout) justifyColumns(ratios []float64, usual float64, colW int) (starts, widths []int) {
	all, least := max(p.listW-4, 1), max(min(leastCaptioned, p.colW), leastThumb)
	taken := 0 // cells of the row and the cell after each
	for i, ratio := range ratios {
		width := min(max(int(float64(colW-2)*usual/ratio+0.5)+2, least), all)
		over, left := taken+width-all, all-taken+1
		if i == 0 || over > 0 && over >= left {
			if i > 0 {
				stretch(widths[starts[len(starts)-1]:], left)
			}
			starts, taken = append(starts, i), 0
		}
		widths, taken = append(widths, width), taken+width+1
	}
	if over := all - taken + 1; over < 0 {
		stretch(widths[starts[len(starts)-1]:], over)
	}
	return starts, widths
}

// stretch shares cells out among the widths of a row, or takes them away.
func stretch(row []int, by int) {
	sum := 0
	for _, w := range row {
		sum += w
	}
	given, before := 0, 0
	for i, w := range row {
		before += w
		now := by * before / max(sum, 1)
		row[i] += now - given
		given = now
	}
}
