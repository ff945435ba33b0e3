package browse

// selection is a cursor among n entries that are shown in rows of cols.
type selection struct {
	n, cols, rows int // rows that fit at once
	at, first     int // entry under the cursor, first row shown
}

// isInRange tells whether there is an entry under the cursor.
func (s *selection) isInRange() bool { return s.at >= 0 && s.at < s.n }

// moveTo puts the cursor on an entry, or on the nearest there is, and tells whether it moved.
func (s *selection) moveTo(to int) bool {
	former := s.at
	s.at = max(min(to, s.n-1), 0)
	s.reveal()
	return s.at != former
}

// moveRows moves the cursor by rows. It stays in its column, except in a last row that ends before it.
func (s *selection) moveRows(by int) bool {
	if s.cols < 1 || s.n == 0 {
		return false
	}
	row := max(min(s.at/s.cols+by, (s.n-1)/s.cols), 0)
	return s.moveTo(row*s.cols + s.at%s.cols)
}

// reveal scrolls so that the row of the cursor is seen.
func (s *selection) reveal() {
	if s.cols < 1 {
		return
	}
	row, rows, all := s.at/s.cols, max(s.rows, 1), (s.n+s.cols-1)/s.cols
	s.first = min(s.first, row)
	s.first = max(s.first, row-rows+1)
	s.first = max(min(s.first, all-rows), 0)
}

// window returns the entries that are on screen, and those of so many further screens.
func (s *selection) window(further int) (from, to int) {
	from = min(max(s.first*s.cols, 0), s.n)
	return from, min(from+(1+further)*s.cols*s.rows, s.n)
}
