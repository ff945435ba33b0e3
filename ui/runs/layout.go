package runs

import (
	"slices"
	"strconv"
)

const (
	gutter        = 2  // cells before each column
	nameShare     = 4  // the names of rows have this part of a line at least, or what they need
	wholeHeadFrom = 14 // lines of a view that shows every line of its heads
)

const headLines = 1 // above the box: the state of the table

// layoutInput is what the layout depends on.
type layoutInput struct {
	w, h       int // cells of the view
	rows       int // of the table, listed or not
	columns    int
	widestName int  // cells
	wholeName  int  // cells of names that are not cut while a column fits; 0 for none
	goodCell   int  // cells of a readable column
	fullCell   int  // cells of a column that omits nothing
	maxCell    int  // cells of the widest column
	isPlain    bool // rows have no numbers, and columns are not alike
	groups     int  // of rows
	totals     int  // rows of totals
	heads      int  // lines of the names of columns

	hasBars bool // a bar stands between the names of rows and the columns where there is space

	// need returns the cells that the texts of a column with the first totals take, of w.
	need func(column, w, totals int) int
}

// tableLayout is the layout of the view. From above: the head line, the border of the box, the names of the columns,
// rows, a rule, totals, the border, status lines.
type tableLayout struct {
	hasBox                             bool
	heads, rows, rules, totals, status int   // lines
	numberWidth, nameWidth             int   // cells; a number has a blank after it
	barWidth                           int   // cells of the bar after a name; 0 for none
	cellWidths                         []int // of the columns that are visible at once
	fields                             []int // cells of the parts of names; nil if names are not cut into them
	fieldGap                           int
	hasGaps                            bool // a blank line stands between groups of rows
}

// arrange lays out the view. All totals are shown where they hide no row, and what is left says more of the focused
// cell.
func arrange(in layoutInput) tableLayout {
	l := tableLayout{heads: 1, status: 1, totals: min(in.totals, 1), hasBox: in.h >= 10 && in.w >= 30}
	if !in.isPlain {
		l.numberWidth = len(strconv.Itoa(max(in.rows, 1))) + 1
	}
	if in.h >= wholeHeadFrom {
		l.status, l.heads = 2, max(in.heads, 1)
	}
	if l.totals > 0 && l.hasBox {
		l.rules = 1
	}
	l.rows = max(in.h-headLines-l.border()-l.heads-l.rules-l.totals-l.status, 1)
	needed := in.rows + max(in.groups-1, 0)
	if l.rules > 0 && l.status > 1 && !in.isPlain && l.rows < needed { // a row says more than the facts of one
		l.status, l.rows = 1, l.rows+1
	}
	if more := in.totals - l.totals; l.totals > 0 && (l.rows-more >= max(needed, 1) || in.h >= 2*wholeHeadFrom) {
		l.totals, l.rows = in.totals, l.rows-more
	}
	l.hasGaps = in.groups > 1 && needed <= l.rows
	if spare := l.rows - max(needed, 1); spare > 0 {
		l.rows -= spare
		l.status += min(spare, 2)
	}
	l.divideWidth(in)
	return l
}

// border returns the lines, or cells, of both borders of the box.
func (l tableLayout) border() int {
	if l.hasBox {
		return 2
	}
	return 0
}

// namesEnd returns the cells before the gutter of the first column.
func (l tableLayout) namesEnd() int {
	if l.barWidth > 0 {
		return l.nameStart() + l.nameWidth + gutter + l.barWidth
	}
	return l.nameStart() + l.nameWidth
}

// nameStart returns the cells before a row's name: bar, blank, number, blank.
func (l tableLayout) nameStart() int { return l.numberWidth + 2 }

const (
	// nameReserve is the part of a line that the names of rows have before cells say more than their short forms.
	nameReserve = 0.4
	shortCell   = 15 // cells of a column that says the short forms
	leastBar    = 6  // cells
	widestBar   = 72
	barsFrom    = 100 // cells of a view with bars
)

// divideWidth gives the names of rows and the columns the cells of their widest texts. Where a line has fewer, columns
// leave out what they can until the names are whole, or have their part of the line; where columns would not be
// readable, fewer are visible at once. Columns that are alike are equally wide. What is left goes to the names, then to
// a bar, or to the columns that have more to say.
func (l *tableLayout) divideWidth(in layoutInput) {
	width := max(in.w-l.border()-l.border()/2-l.nameStart(), 0)
	if in.columns == 0 {
		l.nameWidth = width
		return
	}
	cell := min(in.goodCell, max(width-gutter, 1))
	name := min(in.widestName, max(in.wholeName, in.w/nameShare), max(width-cell-gutter, 0))
	least, free := []int(nil), width-name
	for column := 0; column < in.columns && (column == 0 || free >= l.least(in, column, cell)+gutter); column++ {
		least = append(least, l.least(in, column, cell))
		free -= least[column] + gutter
	}
	l.cellWidths = l.fitCells(in, least, width-len(least)*gutter)
	l.nameWidth = min(width-len(least)*gutter-sum(l.cellWidths), in.widestName)
	spare := width - len(least)*gutter - sum(l.cellWidths) - l.nameWidth
	if bar := min(spare-gutter, widestBar); in.hasBars && in.w >= barsFrom && bar >= leastBar {
		l.barWidth = bar
	}
	for i, w := range l.cellWidths {
		l.cellWidths[i] = max(min(w+spare/len(least), in.maxCell), w)
	}
}

// fitCells returns the cells of visible columns that share width cells with the names of rows: as many as all their
// texts take, or as many as leave the names enough.
func (l *tableLayout) fitCells(in layoutInput, least []int, width int) (cells []int) {
	share := func(part float64) int { return min(in.widestName, max(int(part*float64(in.w)), in.wholeName)) }
	for w := in.fullCell; ; w-- {
		cells = cells[:0]
		for column := range least {
			cells = append(cells, max(l.needed(in, column, max(w, least[column])), 1))
		}
		if names := width - sum(cells); names >= share(nameReserve) || w <= slices.Min(least) ||
			w <= shortCell && names >= share(1.0/nameShare) {
			return cells
		}
	}
}

// least returns the cells that a column of cell cells takes at least: those of its texts where columns are not alike.
func (l *tableLayout) least(in layoutInput, column, cell int) int {
	if in.isPlain {
		return in.need(column, cell, l.totals)
	}
	return cell
}

// needed returns the cells that the texts of a column, or of any of columns that are alike, take of w.
func (l *tableLayout) needed(in layoutInput, column, w int) int {
	if in.isPlain {
		return in.need(column, w, l.totals)
	}
	widest := 0
	for i := range in.columns {
		widest = max(widest, in.need(i, w, l.totals))
	}
	return widest
}

func sum(widths []int) (total int) {
	for _, w := range widths {
		total += w
	}
	return total
}

// columns returns the number of columns that are visible at once.
func (l tableLayout) columns() int { return len(l.cellWidths) }

// cellAt returns the line and the column of the window at a position; -1 is the line of the column names and the column
// of the row names. ok is false outside the table.
func (l tableLayout) cellAt(x, y int) (line, column int, ok bool) {
	edge := l.border() / 2
	line = max(y-headLines-edge-l.heads, min(y-headLines-edge, 0)-1)
	x -= edge + l.namesEnd()
	for column = -1; x >= 0 && column < l.columns(); column++ {
		if column+1 < l.columns() {
			x -= l.cellWidths[column+1] + gutter
		}
	}
	return line, column, line >= -1 && line < l.rows && column < l.columns()
}
