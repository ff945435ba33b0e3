package runs

import "strconv"

// Terminal cells of a column: never under, and never over where there is more.
const (
	leastCell = 10
	mostCell  = 26
	fairName  = 32 // a name is not made shorter only to leave nothing out in cells
)

// room is everything the plan depends on.
type room struct {
	w, h    int // cells of the view
	rows    int // of the table, listed or not
	columns int
	wide    int // cells of the widest name
	comfy   int // cells that a column is well read in
	ample   int // cells in which a column leaves nothing out
	feet    int // rows of totals there are
}

// plan says where everything stands. Lines from above: head, the box's border,
// the names of the columns, rows, a rule, feet, the border, status.
type plan struct {
	boxed  bool
	head   int
	rows   int // lines for rows
	rule   int
	feet   int
	status int
	number int // cells of a row's number
	name   int // cells of a row's name
	cell   int // cells of a column
	shown  int // columns beside each other
}

// arrange lays out the view. It is pure.
func arrange(r room) plan {
	p := plan{head: 1, status: 1, feet: min(r.feet, 1), number: len(strconv.Itoa(max(r.rows, 1)))}
	if r.h >= 10 {
		p.head = 2
		p.boxed = r.w >= 30
	}
	if r.h >= 14 {
		p.feet, p.rule, p.status = r.feet, 1, 2
	}
	switch {
	case r.h >= 28:
		p.status = 4
	case r.h >= 20:
		p.status = 3
	}
	p.rows = max(r.h-p.head-p.border()-1-p.rule-p.feet-p.status, 1)
	p.widths(r)
	return p
}

// border is the number of lines, or of cells, that the box takes.
func (p plan) border() int {
	if p.boxed {
		return 2
	}
	return 0
}

// lead is the number of cells before a row's name: bar, number, blank.
func (p plan) lead() int { return p.number + 2 }

// widths divides a line: all columns where they fit, else as many as are well
// read; what is left goes to the names.
func (p *plan) widths(r room) {
	width := r.w - p.border() - p.lead()
	if r.columns == 0 {
		p.name = max(width, 0)
		return
	}
	floor := min(r.wide, max(min(r.w/5, 28), 8))
	ideal := max(min(r.wide, r.w*2/5), floor)
	if r.columns*(leastCell+1) <= width-floor {
		p.shown = r.columns
		p.name = max(min(ideal, width-r.columns*(r.comfy+1)), floor)
		if rest := width - r.columns*(r.ample+1); rest >= min(ideal, fairName) {
			p.name = min(p.name, rest)
		}
		p.cell = min((width-p.name)/r.columns-1, max(mostCell, r.comfy))
	} else {
		p.name = max(min(ideal, 24), floor)
		p.shown = max(min((width-p.name)/(r.comfy+1), r.columns), 1)
		p.cell = (width-p.name)/p.shown - 1
		if p.cell < leastCell {
			p.cell = min(leastCell, max(width-1, 1))
		}
		p.cell = min(p.cell, max(mostCell, r.comfy))
	}
	p.name = max(min(r.wide, width-p.shown*(p.cell+1)), 0)
}

// place returns the line and the column of the window that are drawn at x, y;
// a line of -1 is the one with the names, a column of -1 that of the rows. It
// is false for what is outside.
func (p plan) place(x, y int) (line, column int, ok bool) {
	edge := p.border() / 2
	line = y - p.head - edge - 1
	x -= edge + p.lead() + p.name
	column = -1
	if x >= 0 && p.cell > 0 {
		column = x / (p.cell + 1)
	}
	return line, column, line >= -1 && line < p.rows && column < p.shown
}
