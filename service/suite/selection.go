package suite

import "confab/history"

// Selection is the cells that a continued run asks. The zero value is those without an answer and those whose call
// failed.
type Selection struct {
	Cells       CellChoice
	Row, Column int // of the table, from 1; 0 means all
}

// CellChoice chooses cells by their state.
type CellChoice string

// Checks of all other cells are judged anew.
const (
	MissingCells CellChoice = ""       // without an answer, or with a failed call
	FailedCells  CellChoice = "failed" // with a failed call or check
	AllCells     CellChoice = "all"    // those with an answer too
	NoCells      CellChoice = "checks" // only checks are judged anew
)

// asks reports whether the run asks a cell.
func (p *Plan) asks(c Call) bool {
	s, earlier := p.request.Asks, p.earlier[c.Key]
	if s.Row != 0 && s.Row != c.Row || s.Column != 0 && s.Column != c.Column {
		return false
	}
	switch s.Cells {
	case FailedCells:
		status := earlier.Status()
		return status == history.CellFailed || status == history.CellError
	case AllCells, NoCells:
		return s.Cells == AllCells
	}
	return earlier.State != history.Done
}
