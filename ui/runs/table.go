package runs

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
)

// cellTone is the color of a cell. The cell's text says the same without color.
type cellTone int

const (
	tonePlain cellTone = iota
	toneGood
	toneBad
	toneWarning
	toneRunning
	toneFaint
)

// viewState is what the text of a cell depends on beside the cell.
type viewState struct {
	now    time.Time
	isLive bool // the run is in progress: a cell that was not asked for is waiting
}

// cellView is what a cell of the table shows.
type cellView interface {
	// text describes the cell, in w terminal cells where that is possible.
	text(w int, s viewState) string
	tone() cellTone
	// needsAttention tells whether the cell has failed, or differs between two runs.
	needsAttention() bool
}

// totalsRow is a row of totals below the table.
type totalsRow struct {
	labels []string // of which the longest that fits is shown
	text   func(col, w int) (string, cellTone)
}

// tableWords are the words of a table for its cells that need attention.
type tableWords struct {
	attention string // "with a failure"
	none      string // the sentence for a table without such a cell
	noRows    string // the sentence for a table without rows
	filtered  string // the sentence for a filtered table without rows
}

// runTable is a table with its focus and window.
type runTable struct {
	columns    []string // names, cleaned
	models     []string // of the columns
	heading    string   // above the names of the rows
	rows       []string // names, cleaned, of one line
	cellAt     func(row, column int) cellView
	totals     []totalsRow
	words      tableWords
	widestName int // terminal cells
	leastName  int // terminal cells of the names of the rows, and of the shortest words for the totals
	goodCell   int // terminal cells of a column that is easy to read
	fullCell   int // terminal cells of a column that omits nothing

	rowNames, columnNames nameCutter

	isFiltered  bool  // only rows that need attention are listed
	listed      []int // the rows that are shown
	lastRow     int   // the focused row when the rows were listed
	focusIndex  int   // in listed, of the focused row
	column      int   // the focused column
	firstRow    int   // index in listed of the first row of the window
	firstColumn int   // of the window
}

func (t *runTable) table() *runTable { return t }

// maxNameWidth bounds the width of a row's name, in terminal cells.
const maxNameWidth = 100

// finish computes what depends on all rows.
func (t *runTable) finish() {
	t.widestName = min(ansi.StringWidth(t.heading), 24)
	t.leastName = t.widestName
	for _, f := range t.totals { // their labels begin at the numbers of the rows
		t.widestName = max(t.widestName, ansi.StringWidth(f.labels[0])-3)
		t.leastName = max(t.leastName, ansi.StringWidth(f.labels[len(f.labels)-1])-3)
	}
	for _, r := range t.rows {
		w := min(ansi.StringWidth(r), maxNameWidth)
		t.widestName, t.leastName = max(t.widestName, w), max(t.leastName, w)
	}
	t.relist()
}

// restorePosition takes focus, window and filter from an earlier state of the table, which may have had other rows.
func (t *runTable) restorePosition(old *runTable) {
	t.isFiltered, t.column, t.lastRow = old.isFiltered, old.column, old.lastRow
	t.firstRow, t.firstColumn = old.firstRow, old.firstColumn
	if r := old.row(); r >= 0 {
		t.lastRow = r
	}
	t.listed = nil // so that relist keeps lastRow
	t.relist()
}

// relist filters the rows and keeps the focus on its row, or near it.
func (t *runTable) relist() {
	if r := t.row(); r >= 0 {
		t.lastRow = r
	}
	t.listed = t.listed[:0]
	t.focusIndex = 0
	for i := range t.rows {
		if t.isFiltered && !t.needsAttention(i) {
			continue
		}
		if i <= t.lastRow {
			t.focusIndex = len(t.listed)
		}
		t.listed = append(t.listed, i)
	}
	t.column = max(min(t.column, len(t.columns)-1), 0)
}

func (t *runTable) needsAttention(row int) bool {
	for column := range t.columns {
		if t.cellAt(row, column).needsAttention() {
			return true
		}
	}
	return false
}

// row returns the focused row of the table; -1 while none is listed.
func (t *runTable) row() int {
	if t.focusIndex < 0 || t.focusIndex >= len(t.listed) {
		return -1
	}
	return t.listed[t.focusIndex]
}

// emptyText explains why no row is listed.
func (t *runTable) emptyText() string {
	if len(t.rows) == 0 {
		return t.words.noRows
	}
	return t.words.filtered
}

// move moves the focus within the table.
func (t *runTable) move(rows, columns int) {
	t.focusIndex = max(min(t.focusIndex+rows, len(t.listed)-1), 0)
	t.column = max(min(t.column+columns, len(t.columns)-1), 0)
}

// goToAttention moves the focus to the next cell that needs attention, in reading order and past the end; it tells
// whether there is one.
func (t *runTable) goToAttention() bool {
	columns := len(t.columns)
	all := len(t.listed) * columns
	for i := 1; i <= all; i++ {
		at := (t.focusIndex*columns + t.column + i) % all
		if t.cellAt(t.listed[at/columns], at%columns).needsAttention() {
			t.focusIndex, t.column = at/columns, at%columns
			return true
		}
	}
	return false
}

// moveWindow moves the window so that the focus is in it.
func (t *runTable) moveWindow(l tableLayout) {
	t.firstRow = max(min(t.firstRow, t.focusIndex), t.focusIndex-l.rows+1)
	t.firstRow = max(min(t.firstRow, len(t.listed)-l.rows), 0)
	t.firstColumn = max(min(t.firstColumn, t.column), t.column-l.columns+1)
	t.firstColumn = max(min(t.firstColumn, len(t.columns)-l.columns), 0)
}

// scroll moves the window, and the focus as far as needed to stay in it.
func (t *runTable) scroll(n int, l tableLayout) {
	t.firstRow = max(min(t.firstRow+n, len(t.listed)-l.rows), 0)
	t.focusIndex = max(min(max(t.focusIndex, t.firstRow), t.firstRow+l.rows-1, len(t.listed)-1), 0)
}

// moveColumns moves focus and window by the columns of a window.
func (t *runTable) moveColumns(by int, l tableLayout) {
	t.firstColumn = max(min(t.firstColumn+by*l.columns, len(t.columns)-l.columns), 0)
	t.move(0, by*l.columns)
}

// markdown returns the listed rows as a table in Markdown.
func (t *runTable) markdown(title string, s viewState) string {
	const unlimited = 1000
	var b strings.Builder
	addRow := func(number, name string, text func(column int) string) {
		b.WriteString(strings.TrimRight("| "+number, " ") + " | " + escapeMarkdown(name) + " |")
		for i := range t.columns {
			b.WriteString(" " + escapeMarkdown(text(i)) + " |")
		}
		b.WriteByte('\n')
	}
	b.WriteString(title + "\n\n")
	addRow("#", t.heading, func(i int) string { return fmt.Sprintf("%d %s", i+1, t.columns[i]) })
	b.WriteString("|---|---|" + strings.Repeat("---|", len(t.columns)) + "\n")
	for _, row := range t.listed {
		addRow(strconv.Itoa(row+1), t.rows[row], func(i int) string { return t.cellAt(row, i).text(unlimited, s) })
	}
	for _, total := range t.totals {
		addRow("", total.labels[0], func(i int) string {
			text, _ := total.text(i, unlimited)
			return text
		})
	}
	return b.String()
}

// escapeMarkdown keeps a text in its cell of a Markdown table.
func escapeMarkdown(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(termtext.Line(s))
}
