package runs

import (
	"fmt"

	"confab/history"
	"confab/ui/action"
)

// NeededLines returns the lines in which the view shows all rows of its table, 0 before there is one.
func (v *View) NeededLines() int {
	c := v.content()
	if c == nil {
		return 0
	}
	const around = 2 + 2 + 1 + 1 // head, border, names of the columns, rule
	needed := around + max(len(c.table().Rows), 1) + len(c.table().Totals)
	for _, at := range []struct{ h, status int }{{20, 2}, {28, 3}} { // as arrange has it
		if needed+at.status < at.h {
			return max(needed+at.status, 14)
		}
	}
	return needed + 4
}

// FocusedAnswers returns the action that shows the answers of the focused cell: those of two runs, or of one run the
// newest that was asked for. An answer that is not there is the zero value.
func (v *View) FocusedAnswers() action.ShowDifference {
	if v.comparison != nil {
		_, difference := v.comparison.focused()
		return difference
	}
	t := v.results
	if t == nil || t.row() < 0 || len(t.Columns) == 0 {
		return action.ShowDifference{}
	}
	name := fmt.Sprintf("%d %s  %s", t.column+1, t.Columns[t.column], t.Rows[t.row()])
	shows := action.ShowDifference{NameB: name}
	for _, c := range t.results.Cells(t.row(), t.column) {
		if c.Answer != 0 {
			shows.B = history.Answer{ID: c.Answer, Turn: c.Turn, State: c.State}
		}
	}
	return shows
}
