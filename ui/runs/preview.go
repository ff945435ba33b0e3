package runs

import (
	"fmt"

	"confab/history"
	"confab/ui/action"
)

// NeededLines returns the lines in which the view shows all rows of its table, 0 before there is one.
func (v *View) NeededLines() int {
	if !v.isOpen() {
		return 0
	}
	in := v.layoutInput(v.content().table())
	in.h = 14 // from which there are all totals
	for missing := 1; missing > 0; in.h += max(missing, 0) {
		missing = max(in.rows, 1) - arrange(in).rows
	}
	return in.h
}

// FocusedAnswers returns the action that shows the answers of the focused cell: those of two runs, or of one run the
// newest that was asked for. An answer that is not there is the zero value.
func (v *View) FocusedAnswers() action.ShowDifference {
	if v.comparison != nil {
		_, difference := v.comparison.focused()
		return difference
	}
	t := v.results
	if t.row() < 0 || len(t.Columns) == 0 {
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
