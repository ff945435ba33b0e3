package runs

import "strconv"

// Terminal cells of a column, and of a name next to columns.
const (
	gutter        = 2 // before each column
	minCellWidth  = 10
	fairNameWidth = 32 // a name of this width is not shortened to show cells in full
	usualCells    = 78 // a name takes more than that where the view has more than these cells besides
)

const headLines = 1 // above the box: the state of the table

// layoutInput is what the layout depends on.
type layoutInput struct {
	w, h       int // cells of the view
	rows       int // of the table, listed or not
	columns    int
	widestName int  // cells
	widestHead int  // cells of a column's name with its number
	leastName  int  // cells of the names of rows and the shortest labels of totals
	wholeName  int  // cells of names that are not cut while a column fits; 0 for none
	goodCell   int  // cells of a readable column
	fullCell   int  // cells of a column that omits nothing
	maxCell    int  // cells of the widest column
	isPlain    bool // rows have no numbers
	groups     int  // of rows
	totals     int  // rows of totals
	heads      int  // lines of the names of columns
}

// tableLayout is the layout of the view. From above: the head line, the border of the box, the names of the columns,
// rows, a rule, totals, the border, status lines.
type tableLayout struct {
	hasBox                             bool
	heads, rows, rules, totals, status int  // lines
	numberWidth, nameWidth, cellWidth  int  // cells; a number has a blank after it
	columns                            int  // visible at once
	hasGaps                            bool // a blank line stands between groups of rows
}

// arrange lays out the view.
func arrange(in layoutInput) tableLayout {
	l := tableLayout{heads: 1, status: 1, totals: min(in.totals, 1)}
	if !in.isPlain {
		l.numberWidth = len(strconv.Itoa(max(in.rows, 1))) + 1
	}
	if in.h >= 10 {
		l.hasBox = in.w >= 30
	}
	if in.h >= 14 {
		l.totals, l.rules, l.status, l.heads = in.totals, min(in.totals, 1), 2, max(in.heads, 1)
	}
	switch {
	case in.h >= 28:
		l.status = 4
	case in.h >= 20:
		l.status = 3
	}
	l.rows = max(in.h-headLines-l.border()-l.heads-l.rules-l.totals-l.status, 1)
	needed := in.rows + max(in.groups-1, 0)
	l.hasGaps = in.groups > 1 && needed <= l.rows
	l.rows = min(l.rows, max(needed, 1))
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

// nameStart returns the cells before a row's name: bar, blank, number, blank.
func (l tableLayout) nameStart() int { return l.numberWidth + 2 }

// divideWidth divides a line among all columns if they fit, else among as many as are readable, and the names.
func (l *tableLayout) divideWidth(in layoutInput) {
	width := in.w - l.border() - l.border()/2 - l.nameStart()
	if in.columns == 0 {
		l.nameWidth = max(width, 0)
		return
	}
	minName := min(in.widestName, max(min(in.w/5, 26), 8))
	goodName := max(min(in.widestName, in.w*2/5, max(fairNameWidth, in.w-usualCells)), minName)
	minCell := min(minCellWidth, in.goodCell)
	if in.wholeName > 0 { // the last columns make space for names
		minName = min(max(in.wholeName, minName), max(width-in.goodCell-gutter, 0))
		goodName = max(goodName, minName)
	}
	if in.columns*(minCell+gutter) <= width-minName {
		l.columns = in.columns
		l.nameWidth = max(min(goodName, width-in.columns*(in.goodCell+gutter)), minName)
		rest := width - in.columns*(in.fullCell+gutter)
		if rest >= min(goodName, fairNameWidth) && in.wholeName == 0 {
			l.nameWidth = min(l.nameWidth, rest)
		}
		if l.cellWidth = (width-l.nameWidth)/in.columns - gutter; l.cellWidth < in.widestHead {
			// The words for the totals have shorter forms, the names of the columns do not.
			l.nameWidth = max(min(width-in.columns*(in.widestHead+gutter), l.nameWidth), min(in.leastName, l.nameWidth))
			l.cellWidth = (width-l.nameWidth)/in.columns - gutter
		}
	} else {
		l.nameWidth = max(min(goodName, 22), minName)
		l.columns = max(min((width-l.nameWidth)/(in.goodCell+gutter), in.columns), 1)
		l.cellWidth = (width-l.nameWidth)/l.columns - gutter
		if l.cellWidth < minCell {
			l.cellWidth = min(minCell, max(width-gutter, 1))
		}
	}
	l.cellWidth = min(l.cellWidth, max(in.maxCell, in.goodCell, in.widestHead))
	l.nameWidth = max(min(in.widestName, width-l.columns*(l.cellWidth+gutter)), 0)
}

// cellAt returns the line and the column of the window at a position; -1 is the line of the column names and the column
// of the row names. ok is false outside the table.
func (l tableLayout) cellAt(x, y int) (line, column int, ok bool) {
	edge := l.border() / 2
	line = max(y-headLines-edge-l.heads, min(y-headLines-edge, 0)-1)
	x -= edge + l.nameStart() + l.nameWidth
	column = -1
	if x >= 0 && l.cellWidth > 0 {
		column = x / (l.cellWidth + gutter)
	}
	return line, column, line >= -1 && line < l.rows && column < l.columns
}
