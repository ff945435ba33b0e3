package suite

import (
	"fmt"
	"slices"

	"confab/history"
)

// Results is the table of one run, or of turns.
type Results struct {
	TableText
	Run          Table
	Total        Stats
	IsTransposed bool     // models are rows
	Flaky        []string // questions whose samples have different verdicts

	stats []Stats // by column of the text
}

// NewResults returns the table of a run or of turns. If earlier, which may be nil, has the same rows, they keep their
// names, and the table is transposed as that one.
func NewResults(run Table, earlier *Results) *Results {
	t := &Results{Run: run}
	if earlier != nil && t.hasRowsOf(earlier) {
		return newResults(run, earlier, earlier.IsTransposed)
	}
	return newResults(run, nil, false)
}

// Transposed returns the table with rows and columns swapped.
func (t *Results) Transposed() *Results { return newResults(t.Run, nil, !t.IsTransposed) }

// newResults returns a table with the names of an earlier one that has the same rows, unless that is nil.
func newResults(run Table, earlier *Results, isTransposed bool) *Results {
	t := &Results{Run: run, IsTransposed: isTransposed}
	t.nameColumns(run.Columns)
	if earlier == nil {
		t.nameRows(run.Rows)
	} else {
		t.labels, t.Values, t.Heading, t.RowWidth = earlier.labels, earlier.Values, earlier.Heading, earlier.RowWidth
		t.Rows, t.FieldNames, t.RowFields = earlier.Rows, earlier.FieldNames, earlier.RowFields
		if isTransposed {
			t.Rows, t.RowFields = earlier.Columns, earlier.ColumnFields
		}
	}
	if isTransposed {
		t.transposeNames()
	}
	t.fill()
	return t
}

// transposeNames makes the models rows.
func (t *Results) transposeNames() {
	t.Columns, t.Rows, t.Models, t.RowModels = t.Rows, t.Columns, nil, t.Models
	t.ColumnFields, t.RowFields = t.RowFields, nil
	t.Heading, t.RowWidth = string(AxisModel), 0
	for _, name := range t.Rows {
		t.RowWidth = max(t.RowWidth, cellWidth(name))
	}
}

// fill sets what depends on the cells.
func (t *Results) fill() {
	t.CellAt = func(row, column int) CellText { return t.summary(row, column) }
	t.GoodCell, t.FullCell, t.MaxCell = 11, 30, 80
	if slices.ContainsFunc(t.Run.Rows, hasRepeats) {
		t.GoodCell, t.FullCell = 14, 34
		t.findFlaky()
	}
	t.stats = make([]Stats, len(t.Columns))
	for i, row := range t.Run.Rows {
		for j, cells := range row.Cells[:min(len(row.Cells), len(t.Run.Columns))] {
			column := j
			if t.IsTransposed {
				column = i
			}
			t.stats[column].Add(cells)
			t.Total.Add(cells)
		}
	}
	// Runs read from the store have no cells for calls that were not made.
	if more := t.Run.Run.Planned - t.Total.Cells; more > 0 {
		t.Total.Cells += more
		t.Total.Missing += more
	}
	for _, f := range t.figures() {
		f.measure(t.stats)
		t.Totals = append(t.Totals, TotalsRow{f.labels, func(column, w int) (string, Tone) {
			return firstFitting(w, f.fitting(&t.stats[column], w)...), f.tone(&t.stats[column])
		}})
	}
}

// Extent returns how many points there are on the axes that differ: "3 prompts × 4 values × 2 models".
func (t *Results) Extent() string { return t.extent(len(t.Run.Columns)) }

// findFlaky sets the flaky questions.
func (t *Results) findFlaky() {
	for i := range t.Rows {
		for j := range t.Columns {
			if text := flakyText(t.summary(i, j).Stats); text != "" {
				t.Flaky = append(t.Flaky, t.Rows[i]+", "+t.Columns[j]+": "+text)
			}
		}
	}
}

// hasRowsOf reports whether two tables have the same rows.
func (t *Results) hasRowsOf(other *Results) bool {
	return slices.EqualFunc(t.Run.Rows, other.Run.Rows, func(a, b Row) bool {
		return a.Name == b.Name && a.Prompt == b.Prompt && a.TestIndex == b.TestIndex
	})
}

func hasRepeats(r Row) bool {
	return slices.ContainsFunc(r.Cells, func(cells []history.Cell) bool { return len(cells) > 1 })
}

// inRun returns the row and the column of the table that are drawn at a row and a column.
func (t *Results) inRun(row, column int) (int, int) {
	if t.IsTransposed {
		return column, row
	}
	return row, column
}

// Cells returns the samples of a cell of the table.
func (t *Results) Cells(row, column int) []history.Cell {
	row, column = t.inRun(row, column)
	if all := t.Run.Rows[row].Cells; column < len(all) {
		return all[column]
	}
	return nil
}

// RowCells returns the cells of a row by column.
func (t *Results) RowCells(row int) (cells [][]history.Cell) {
	for column := range t.Columns {
		cells = append(cells, t.Cells(row, column))
	}
	return cells
}

// summary summarizes a cell of the table.
func (t *Results) summary(row, column int) *resultCell {
	cells := t.Cells(row, column)
	return &resultCell{cells: cells, Stats: StatsOf(cells...)}
}

// CellFacts describes a cell in a few sentences.
func (t *Results) CellFacts(row, column int, s CellState) string {
	if len(t.Columns) == 0 {
		return ""
	}
	return t.summary(row, column).facts(s)
}

// RowFacts describes a row: its prompt with the beginning of its text, and all its values.
func (t *Results) RowFacts(row, column int) string {
	runRow, _ := t.inRun(row, column)
	return fmt.Sprintf("row %d  %s", row+1, t.labels.facts(t.Run.Rows[runRow].Point))
}

// Unanswered returns how many cells have no answer and are not running.
func (t *Results) Unanswered() int { return t.Total.Errors + t.Total.Stopped + t.Total.Missing }
