package browse

import (
	"image"

	"confab/internal/termtext"
	"confab/ui/overlay"
)

// boxes is the layout of a dialog with two boxes in cells: one of the entries, and one about the entry under the
// cursor.
type boxes struct {
	listW, listH int // with border
	sideW, sideH int // with border; 0 for none
	isBeside     bool
	head         int // lines above the entries, inside the border
	pitch        int // lines from one row of entries to the next
	cell         int // width of an entry of several in a row
	margin       int // blanks before the first of several in a row
}

func (b boxes) hasSide() bool { return b.sideW > 2 && b.sideH > 2 }

// sideInner returns the size of the second box without its border.
func (b boxes) sideInner() (w, h int) { return max(b.sideW-4, 0), max(b.sideH-2, 0) }

// Size returns the size of both boxes.
func (b boxes) Size() image.Point {
	switch {
	case !b.hasSide():
		return image.Pt(b.listW, b.listH)
	case b.isBeside:
		return image.Pt(b.listW+b.sideW, b.listH)
	}
	return image.Pt(b.listW, b.listH+b.sideH)
}

func (b boxes) isInSide(x, y int) bool {
	return b.hasSide() && (b.isBeside && x >= b.listW || !b.isBeside && y >= b.listH)
}

// entryAt returns the entry at a position of the view.
func (f *finder) entryAt(x, y int) (i int, ok bool) {
	y -= 1 + f.head
	if x < 1 || x >= f.listW-1 || y < 0 {
		return 0, false
	}
	row, column := 0, 0
	if f.pitch > 0 {
		row = y / f.pitch
	}
	if f.cell > 0 {
		column = max(x-2-f.margin, 0) / f.cell
	}
	if row >= f.rows || column >= f.cols {
		return 0, false
	}
	from, to := f.span(f.first + row)
	return from + column, from+column < to
}

// unknownCount is the count of items before the first search was answered.
const unknownCount = -1

// leastPreviewed is the height of a dialog, in cells, from which a list has a preview.
const leastPreviewed = 18

// widestPlain is the most cells of a list of short titles with a key or a fact each.
const widestPlain = 76

// besideWidth is the width of a screen, in cells, from which a preview is beside its list.
const besideWidth = 160

// layOutList lays out a list on a screen of w×h cells, whose items have lines each, with the preview beside or below
// it. Both fill the screen. The height of a list without a preview, and of one above its preview, depends on the count
// of items without a filter, so that it is the same for every text that is typed.
func layOutList(c Config, count, lines, w, h int) boxes {
	width, height := overlay.Frame(w, h)
	p := boxes{head: 2, pitch: lines, listW: width, listH: height}
	hasPreview := c.Preview != nil && count != 0 && height >= leastPreviewed
	switch {
	case hasPreview && width >= besideWidth:
		p.isBeside, p.listW = true, width*2/5
		p.sideW, p.sideH = width-p.listW, height
		return p
	case hasPreview:
		p.listH -= height * 2 / 5
	case c.Search == nil && c.Preview == nil:
		p.listW = min(width, widestPlain)
	}
	if p.listH < 9 {
		p.head = 1
	}
	if count != unknownCount {
		p.listH = min(p.listH, p.neededHeight(c, count))
	}
	if hasPreview {
		p.sideW, p.sideH = width, height-p.listH
	}
	return p
}

// shorten takes lines from the entries and gives them to a second box below.
func (b *boxes) shorten(lines int) {
	if b.isBeside {
		return
	}
	if b.listH -= lines; b.sideH > 0 {
		b.sideH += lines
	}
}

// neededHeight returns the height of a list of count items with its border.
func (p boxes) neededHeight(c Config, count int) int {
	items := max(count*p.pitch, 3)
	if count == 0 {
		items = len(termtext.Wrap(c.Empty, max(p.listW-messageMargin, 1))) + 1
	}
	return items + p.head + 2
}

// selection is a cursor among n entries that are shown in rows of cols.
type selection struct {
	n, cols, rows int // rows that fit at once
	at, first     int // entry under the cursor, first row shown

	isPassed func(i int) bool // reports whether the cursor passes an entry by; nil for none
}

// rowOf returns the row of an entry.
func (s *selection) rowOf(i int) int { return i / max(s.cols, 1) }

// span returns the entries of a row.
func (s *selection) span(row int) (from, to int) {
	return min(max(row*s.cols, 0), s.n), min(max((row+1)*s.cols, 0), s.n)
}

// isInRange reports whether there is an entry under the cursor.
func (s *selection) isInRange() bool { return s.at >= 0 && s.at < s.n }

// moveTo moves the cursor to the nearest existing entry and reports whether it moved.
func (s *selection) moveTo(to int) bool {
	former, by := s.at, 1
	if s.at = max(min(to, s.n-1), 0); s.at < former {
		by = -1
	}
	for s.passes(s.at) {
		if s.at += by; s.at < 0 {
			s.at, by = 0, 1
		}
	}
	s.reveal()
	return s.at != former
}

// passes reports whether the cursor passes an entry by.
func (s *selection) passes(i int) bool {
	return s.isPassed != nil && i >= 0 && i < s.n && s.isPassed(i)
}

// moveRows moves the cursor by rows in its column, to the last entry in a shorter last row.
func (s *selection) moveRows(by int) bool {
	if s.cols < 1 || s.n == 0 {
		return false
	}
	row := max(min(s.rowOf(s.at)+by, s.rowOf(s.n-1)), 0)
	return s.moveTo(min(row*s.cols+s.at%s.cols, s.n-1))
}

// reveal scrolls the row of the cursor into view.
func (s *selection) reveal() {
	if s.cols < 1 {
		return
	}
	row, rows, all := s.rowOf(s.at), max(s.rows, 1), s.rowOf(max(s.n-1, 0))+1
	s.first = min(s.first, row)
	if s.passes(row - 1) { // with its heading
		s.first = min(s.first, row-1)
	}
	s.first = max(s.first, row-rows+1)
	s.first = max(min(s.first, all-rows), 0)
}

// window returns the range of the entries on this screen and further ones below.
func (s *selection) window(further int) (from, to int) {
	from, _ = s.span(s.first)
	to, _ = s.span(s.first + (1+further)*s.rows)
	return from, to
}
