package runs

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/part"
)

// preview is the answer of a cell, to be shown under the table.
type preview struct {
	shown shownCell
	turn  history.Turn
	title string
}

// shownCell names an answer of a cell in a state.
type shownCell struct {
	turn, answer int64
	state        history.State
}

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

// FocusedDifference returns the action that shows the answers of the focused cell of two runs; one that a run does not
// have is the zero value.
func (v *View) FocusedDifference() action.ShowDifference {
	_, difference := v.comparison.focused()
	return difference
}

// focusedCell returns the newest answer of the focused cell that was asked for, with a title; ok is false for none.
func (v *View) focusedCell() (cell history.Cell, title string, ok bool) {
	t := v.results
	if t == nil || t.row() < 0 || len(t.Columns) == 0 {
		return cell, "", false
	}
	for _, x := range t.results.Cells(t.row(), t.column) {
		if x.Answer != 0 {
			cell, ok = x, true
		}
	}
	return cell, fmt.Sprintf("%d %s  %s", t.column+1, t.Columns[t.column], t.Rows[t.row()]), ok
}

// Preview returns the answer of the focused cell of a run, 0 for none, its turn and a title. Until it is read, by the
// command, it is the one shown before.
func (p *Part) Preview() (t history.Turn, answer int64, title string, cmd tea.Cmd) {
	cell, title, ok := p.view.focusedCell()
	if !ok {
		return history.Turn{}, 0, "", nil
	}
	wanted := preview{shown: shownCell{cell.Turn, cell.Answer, cell.State}, title: title}
	if (wanted.shown != p.preview.shown || title != p.preview.title) && !p.isReading {
		p.isReading = true
		ctx, svc := p.env.Ctx, p.env.Service
		cmd = func() tea.Msg {
			wanted.turn, _ = svc.Turn(ctx, wanted.shown.turn) // a turn that cannot be read has no preview
			return part.Result{To: p, Msg: wanted}
		}
	}
	return p.preview.turn, p.preview.shown.answer, p.preview.title, cmd
}
