package browse

// boxes says where the two boxes of a dialog are, in cells: that of the entries, and one about the entry under the
// cursor.
type boxes struct {
	listW, listH int // with border
	sideW, sideH int // with border; 0 for none
	isBeside     bool
	head         int // lines above the entries, inside the border
	pitch        int // lines from one row of entries to the next
}

func (b boxes) hasSide() bool { return b.sideW > 2 && b.sideH > 2 }

// sideInner returns the cells within the border of the second box.
func (b boxes) sideInner() (w, h int) { return max(b.sideW-4, 0), max(b.sideH-2, 0) }

// isInSide tells whether a position of the view is in the second box.
func (b boxes) isInSide(x, y int) bool {
	return b.hasSide() && (b.isBeside && x >= b.listW || !b.isBeside && y >= b.listH)
}

// rowAt returns the row at a position of the view, counted from the first on the screen. isInside tells that the
// position is on one of its lines.
func (b boxes) rowAt(x, y, lines int) (row int, isInside bool) {
	y -= 1 + b.head
	if x < 1 || x >= b.listW-1 || y < 0 || b.pitch < 1 {
		return 0, false
	}
	return y / b.pitch, y%b.pitch < lines
}
