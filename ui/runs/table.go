package runs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/service/runtable"
)

// tableWords are the words of a table for its cells that need attention.
type tableWords struct {
	attention string // "with a failure"
	none      string // the sentence for a table without such a cell
	noRows    string // the sentence for a table without rows
	filtered  string // the sentence for a filtered table without rows
}

// runTable is a table with its focus and window.
type runTable struct {
	runtable.Table
	words      tableWords
	widestName int // terminal cells
	leastName  int // terminal cells of the names of the rows, and of the shortest words for the totals

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

// finish computes what depends on all rows.
func (t *runTable) finish() {
	t.widestName = min(ansi.StringWidth(t.Heading), 24)
	t.leastName = t.widestName
	for _, f := range t.Totals { // their labels begin at the numbers of the rows, and end two cells earlier
		t.widestName = max(t.widestName, ansi.StringWidth(f.Labels[0])-1)
		t.leastName = max(t.leastName, ansi.StringWidth(f.Labels[len(f.Labels)-1])-1)
	}
	for _, r := range t.Rows {
		w := min(ansi.StringWidth(r), runtable.MaxNameWidth)
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
	for i := range t.Rows {
		if t.isFiltered && !t.needsAttention(i) {
			continue
		}
		if i <= t.lastRow {
			t.focusIndex = len(t.listed)
		}
		t.listed = append(t.listed, i)
	}
	t.column = max(min(t.column, len(t.Columns)-1), 0)
}

func (t *runTable) needsAttention(row int) bool {
	for column := range t.Columns {
		if t.CellAt(row, column).NeedsAttention() {
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
	if len(t.Rows) == 0 {
		return t.words.noRows
	}
	return t.words.filtered
}

// move moves the focus within the table.
func (t *runTable) move(rows, columns int) {
	t.focusIndex = max(min(t.focusIndex+rows, len(t.listed)-1), 0)
	t.column = max(min(t.column+columns, len(t.Columns)-1), 0)
}

// goToAttention moves the focus to the next cell that needs attention, in reading order and past the end; it tells
// whether there is one.
func (t *runTable) goToAttention() bool {
	columns := len(t.Columns)
	all := len(t.listed) * columns
	for i := 1; i <= all; i++ {
		at := (t.focusIndex*columns + t.column + i) % all
		if t.CellAt(t.listed[at/columns], at%columns).NeedsAttention() {
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
	t.firstColumn = max(min(t.firstColumn, len(t.Columns)-l.columns), 0)
}

// scroll moves the window, and the focus as far as needed to stay in it.
func (t *runTable) scroll(n int, l tableLayout) {
	t.firstRow = max(min(t.firstRow+n, len(t.listed)-l.rows), 0)
	t.focusIndex = max(min(max(t.focusIndex, t.firstRow), t.firstRow+l.rows-1, len(t.listed)-1), 0)
}

// moveColumns moves focus and window by the columns of a window.
func (t *runTable) moveColumns(by int, l tableLayout) {
	t.firstColumn = max(min(t.firstColumn+by*l.columns, len(t.Columns)-l.columns), 0)
	t.move(0, by*l.columns)
}

// markdown returns the listed rows as a table in Markdown.
func (t *runTable) markdown(title string, s runtable.State) string {
	const unlimited = 1000
	var b strings.Builder
	addRow := func(number, name string, text func(column int) string) {
		b.WriteString(strings.TrimRight("| "+number, " ") + " | " + escapeMarkdown(name) + " |")
		for i := range t.Columns {
			b.WriteString(" " + escapeMarkdown(text(i)) + " |")
		}
		b.WriteByte('\n')
	}
	b.WriteString(title + "\n\n")
	addRow("#", t.Heading, func(i int) string { return fmt.Sprintf("%d %s", i+1, t.Columns[i]) })
	b.WriteString("|---|---|" + strings.Repeat("---|", len(t.Columns)) + "\n")
	for _, row := range t.listed {
		addRow(strconv.Itoa(row+1), t.Rows[row], func(i int) string { return t.CellAt(row, i).Text(unlimited, s) })
	}
	for _, total := range t.Totals {
		addRow("", total.Labels[0], func(i int) string {
			text, _ := total.Text(i, unlimited)
			return text
		})
	}
	return b.String()
}

// escapeMarkdown keeps a text in its cell of a Markdown table.
func escapeMarkdown(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(termtext.Line(s))
}
