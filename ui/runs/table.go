package runs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/service/suite"
	"confab/ui/widget"
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
	suite.TableText
	position
	words  tableWords
	listed []int // the rows that are shown, ascending

	columnWidths map[columnWidthKey]int // by [runTable.columnWidth]

	attention, attentionRows int // the cells that need attention, and the rows with one
}

// position is the focus, filter and window of a table.
type position struct {
	isFiltered  bool // only rows that need attention are listed
	focusedRow  int  // of the table; if it is not listed, the one before has the focus
	column      int  // the focused column
	firstRow    int  // index in listed of the first row of the window
	firstColumn int  // of the window
}

func (t *runTable) table() *runTable { return t }

// widestName returns the cells of the longest name of a row, heading or label of totals.
func (t *runTable) widestName() int {
	widest := t.RowWidth
	if t.RowFields == nil {
		widest = max(min(ansi.StringWidth(t.Heading), 24), t.RowWidth)
	}
	for _, f := range t.Totals { // their labels begin at the numbers of the rows, and end two cells earlier
		widest = max(widest, ansi.StringWidth(f.Labels[0])-1)
	}
	return widest
}

// numberWidth returns the cells of a column's number and the blank after it.
func (t *runTable) numberWidth() int {
	if t.IsPlain {
		return 0
	}
	return len(strconv.Itoa(len(t.Columns))) + 1
}

// widestHead returns the cells of the longest name of a column with its number.
func (t *runTable) widestHead() (widest int) {
	for _, name := range t.Columns {
		widest = max(widest, ansi.StringWidth(name))
	}
	return widest + t.numberWidth()
}

// measuredRows is how many rows decide how wide columns are: reading all rows of a large table would be slow.
const measuredRows = 50

type columnWidthKey struct {
	column, w, totals int
	isNarrow, isLive  bool
}

// columnWidth returns the cells that the name, the texts and the first totals of a column take where it has w cells.
func (t *runTable) columnWidth(column, w, totals int, state suite.CellState) int {
	key := columnWidthKey{column, w, totals, state.IsNarrow, state.IsLive}
	widest, isKnown := t.columnWidths[key]
	if isKnown {
		return widest
	}
	state.HasWords = false
	measure := func(text string) { widest = max(widest, ansi.StringWidth(text)) }
	names := []string{t.Columns[column]}
	switch {
	case t.HeadAt != nil:
		names[0] = t.HeadAt(column, w)
	case t.ColumnFields != nil:
		names = t.ColumnFields[column]
	}
	for _, name := range names {
		measure(name + strings.Repeat(" ", t.numberWidth()))
	}
	for row := range min(len(t.Rows), measuredRows) {
		measure(t.CellAt(row, column).Text(w, state))
	}
	for _, total := range t.Totals[:min(totals, len(t.Totals))] {
		text, _ := total.Text(column, w)
		measure(text)
	}
	t.columnWidths[key] = min(widest, w)
	return t.columnWidths[key]
}

// headLines returns the lines of the names of columns.
func (t *runTable) headLines() int {
	if t.ColumnFields == nil {
		return 1
	}
	return len(t.FieldNames)
}

// columnName returns the name of the focused column with its number, "" for none.
func (t *runTable) columnName() string {
	if len(t.Columns) == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", t.column+1, t.Columns[t.column])
}

// startsGroup reports whether a row is the first one of its group.
func (t *runTable) startsGroup(row int) bool {
	return t.IsPlain && !strings.HasPrefix(t.Rows[row], " ")
}

// rowAt returns the index in listed of the row on a line of the window, -1 for none.
func (t *runTable) rowAt(line int, l tableLayout) int {
	for i := t.firstRow; i < len(t.listed); i++ {
		if l.hasGaps && i > 0 && t.startsGroup(t.listed[i]) {
			line--
		}
		if i == t.firstRow+line {
			return i
		}
	}
	return -1
}

// relist filters the rows and keeps the focus at its row or the nearest one.
func (t *runTable) relist() {
	t.columnWidths = map[columnWidthKey]int{}
	t.listed, t.attention, t.attentionRows = t.listed[:0], 0, 0
	for i := range t.Rows {
		n := t.countAttention(i)
		if t.attention += n; n > 0 {
			t.attentionRows++
		}
		if !t.isFiltered || n > 0 {
			t.listed = append(t.listed, i)
		}
	}
	t.move(0, 0)
}

func (t *runTable) countAttention(row int) (n int) {
	for column := range t.Columns {
		if t.CellAt(row, column).NeedsAttention() {
			n++
		}
	}
	return n
}

func (t *runTable) isAtAttention() bool {
	return t.row() >= 0 && len(t.Columns) > 0 && t.CellAt(t.row(), t.column).NeedsAttention()
}

// row returns the focused row of the table; -1 while none is listed.
func (t *runTable) row() int {
	if len(t.listed) == 0 {
		return -1
	}
	return t.listed[t.focusIndex()]
}

// focusIndex returns the index in listed of the focused row.
func (t *runTable) focusIndex() int {
	i, isListed := slices.BinarySearch(t.listed, t.focusedRow)
	if !isListed {
		i--
	}
	return max(i, 0)
}

// focus focuses a cell of the i-th listed row, or the nearest existing one.
func (t *runTable) focus(i, column int) {
	if len(t.listed) > 0 {
		t.focusedRow = t.listed[max(min(i, len(t.listed)-1), 0)]
	}
	t.column = max(min(column, len(t.Columns)-1), 0)
}

func (t *runTable) emptyText() string {
	if len(t.Rows) == 0 {
		return t.words.noRows
	}
	return t.words.filtered
}

func (t *runTable) move(rows, columns int) { t.focus(t.focusIndex()+rows, t.column+columns) }

// goToAttention focuses the next cell that needs attention, from the start after the end, and reports whether there is
// one.
func (t *runTable) goToAttention() bool {
	columns := len(t.Columns)
	all := len(t.listed) * columns
	for i := 1; i <= all; i++ {
		next := (t.focusIndex()*columns + t.column + i) % all
		if t.CellAt(t.listed[next/columns], next%columns).NeedsAttention() {
			t.focus(next/columns, next%columns)
			return true
		}
	}
	return false
}

func (t *runTable) moveWindow(l tableLayout) {
	t.firstRow = widget.WindowStart(t.firstRow, t.focusIndex(), l.rows, len(t.listed))
	t.firstColumn = widget.WindowStart(t.firstColumn, t.column, l.columns(), len(t.Columns))
}

// scroll moves the window and keeps the focus in it.
func (t *runTable) scroll(n int, l tableLayout) {
	t.firstRow = max(min(t.firstRow+n, len(t.listed)-l.rows), 0)
	t.focus(min(max(t.focusIndex(), t.firstRow), t.firstRow+l.rows-1), t.column)
}

// moveColumns moves focus and window by the columns of a window.
func (t *runTable) moveColumns(by int, l tableLayout) {
	t.firstColumn = max(min(t.firstColumn+by*l.columns(), len(t.Columns)-l.columns()), 0)
	t.move(0, by*l.columns())
}

// markdown returns the listed rows as a table in Markdown.
func (t *runTable) markdown(title string, s suite.CellState) string {
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
		addRow(strconv.Itoa(t.Number(row)), t.Rows[row], func(i int) string {
			return strings.TrimSpace(t.CellAt(row, i).Text(unlimited, s))
		})
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
