package runs

import (
	"slices"

	"confab/history"
	"confab/ui/action"
)

// pin is the answer that others are compared with, the zero value for none.
type pin struct {
	answer history.Answer
	name   string
}

const pinnedSign = "▸"

// isPinned reports whether a cell of the table has the pinned answer.
func (v *View) isPinned(row, column int) bool {
	return v.pinned.answer.ID != 0 && v.showsResults() &&
		slices.ContainsFunc(v.results.results.Cells(row, column), func(c history.Cell) bool {
			return c.Answer == v.pinned.answer.ID
		})
}

// togglePin pins the answer of the focused cell, or unpins it.
func (v *View) togglePin() action.Action {
	next := pin{}
	next.answer, next.name = v.results.focused()
	switch {
	case next.answer.State != history.Done:
		return action.Notify{Severity: action.Info, Text: "No answer to pin in this cell yet."}
	case next.answer.ID == v.pinned.answer.ID:
		next = pin{}
	}
	v.pinned = next
	return nil
}

// openDifference shows the difference between the pinned answer and that of the focused cell, or of the two runs.
// Without a pin it shows that between the focused cell and the next one.
func (v *View) openDifference() action.Action {
	if v.comparison != nil {
		return v.comparison.open()
	}
	from, to := v.pinned, pin{}
	if to.answer, to.name = v.results.focused(); from.answer.ID == 0 {
		from = to
		to.answer, to.name = v.results.next()
	}
	problem := ""
	switch {
	case from.answer.State != history.Done, to.answer.State != history.Done:
		problem = "No answer to compare in this cell."
	case to.answer.ID == from.answer.ID && v.pinned.answer.ID != 0:
		problem = "This is the pinned answer: go to another cell."
	case to.answer.ID == from.answer.ID:
		problem = "No other answer to compare with."
	default:
		return action.ShowDifference{A: from.answer, B: to.answer, NameA: from.name, NameB: to.name}
	}
	return action.Notify{Severity: action.Info, Text: problem}
}
