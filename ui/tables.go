package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/suiterun"
	"confab/ui/action"
	"confab/ui/compare"
)

type (
	// tableMsg brings the table of a run that was opened.
	tableMsg struct{ table suiterun.Table }
	// rowMsg brings the answers of a row.
	rowMsg struct {
		run    int64
		row    int
		turns  []history.Turn
		opened bool
		column int // to be focused when opened
	}
	// changesMsg brings two runs, cell by cell.
	changesMsg struct {
		a, b    history.Run
		changes []suiterun.Change
	}
	// pairMsg brings the turns of two answers that are compared.
	pairMsg struct {
		turns [2]history.Turn
		of    action.ShowDifference
	}
)

// showRun opens the table of a run; of the live one as it is known here.
func (r *suiteRunState) showRun(id int64) tea.Cmd {
	if r.live != nil && r.own.Run.ID == id {
		return r.showTable(r.own)
	}
	ctx, svc := r.root.ctx, r.root.o.Service
	return func() tea.Msg {
		t, err := svc.Runner().Table(ctx, id)
		if err != nil {
			return doneMsg{err: err}
		}
		return tableMsg{t}
	}
}

func (r *suiteRunState) showTable(t suiterun.Table) tea.Cmd {
	r.shown = t
	r.root.table.SetTable(t)
	return r.root.setMode(table)
}

// readRow reads the answers of a row of the table.
func (r *suiteRunState) readRow(row int, opened bool, column int) tea.Cmd {
	shown := r.shown
	if row < 0 || row >= len(shown.Rows) {
		return nil
	}
	ctx, svc := r.root.ctx, r.root.o.Service
	return func() tea.Msg {
		turns, err := svc.Runner().RowTurns(ctx, shown.Rows[row])
		if err != nil {
			return doneMsg{err: err}
		}
		return rowMsg{run: shown.Run.ID, row: row, turns: turns, opened: opened, column: column}
	}
}

func (r *suiteRunState) afterRow(msg rowMsg) tea.Cmd {
	s := r
	if s.shown.Run.ID != msg.run || msg.row >= len(s.shown.Rows) || !msg.opened && s.row != msg.row {
		return nil
	}
	if msg.opened && len(msg.turns) == 0 {
		return r.root.notify(action.Info, "Nothing of this prompt was asked for yet.")
	}
	s.row = msg.row
	if msg.opened {
		r.root.table.Focus(msg.row, msg.column)
	}
	r.root.compare.SetCase(caseOf(s.shown, msg.row, msg.turns), 0)
	if !msg.opened {
		return nil
	}
	if msg.column < len(s.shown.Columns) {
		r.root.compare.FocusColumn(s.shown.Columns[msg.column].Name)
	}
	return r.root.setMode(comparison)
}

// caseOf makes a row of a run's table something to compare.
func caseOf(t suiterun.Table, row int, turns []history.Turn) compare.Case {
	r := t.Rows[row]
	of := compare.Case{Turns: turns, Named: map[int64]string{}, Checks: map[int64][]history.CheckResult{},
		AtOnce: t.Run.How.AtOnce,
		Name:   fmt.Sprintf("%s  run %d  %d/%d", termtext.Line(t.Run.Suite), t.Run.ID, row+1, len(t.Rows))}
	for i, column := range t.Columns {
		of.Columns = append(of.Columns, column.Name)
		if i >= len(r.Cells) {
			continue
		}
		for _, c := range r.Cells[i] {
			of.Named[c.Turn] = column.Name
			if c.Judged {
				of.Checks[c.Answer] = c.Checks
			}
		}
	}
	return of
}

// stepCase goes to the case beside the one that is compared.
func (r *suiteRunState) stepCase(by int) tea.Cmd {
	s := r
	if s.row >= 0 {
		to := s.row + by
		if to < 0 || to >= len(s.shown.Rows) {
			return r.root.notify(action.Info, "There is no further prompt in this run.")
		}
		column := 0
		for i, c := range s.shown.Columns {
			if c.Name == r.root.compare.Column() {
				column = i
			}
		}
		return r.readRow(to, true, column)
	}
	at, _ := r.root.compare.Focused()
	turns := r.root.conversation.Turns()
	for i, t := range turns {
		if to := i + by; t.ID == at && to >= 0 && to < len(turns) {
			name := r.root.compare.Column()
			r.root.compare.SetCase(compare.Case{Turns: turns[to : to+1]}, 0)
			r.root.compare.FocusColumn(name)
			return nil
		}
	}
	return r.root.notify(action.Info, "There is no further turn here.")
}

// compareRuns shows two runs cell by cell.
func (r *suiteRunState) compareRuns(a, b int64) tea.Cmd {
	if b == 0 {
		r.other = a
		return r.root.handleAction(action.ShowList{List: action.ListRuns})
	}
	ctx, svc := r.root.ctx, r.root.o.Service
	return func() tea.Msg {
		var msg changesMsg
		var err error
		if msg.a, err = svc.Runner().Run(ctx, a); err != nil {
			return doneMsg{err: err}
		}
		if msg.b, err = svc.Runner().Run(ctx, b); err != nil {
			return doneMsg{err: err}
		}
		err = svc.Runner().Compare(ctx, a, b, func(c suiterun.Change) error {
			msg.changes = append(msg.changes, c)
			return nil
		})
		if err != nil {
			return doneMsg{err: err}
		}
		return msg
	}
}

func (r *suiteRunState) afterChanges(msg changesMsg) tea.Cmd {
	r.root.table.SetChanges(msg.a, msg.b, msg.changes)
	return r.root.setMode(table)
}

// showDifference shows how two answers differ that are in no case together.
func (r *suiteRunState) showDifference(a action.ShowDifference) tea.Cmd {
	ctx, svc := r.root.ctx, r.root.o.Service
	return func() tea.Msg {
		msg := pairMsg{of: a}
		for i, x := range []history.Answer{a.A, a.B} {
			var err error
			if msg.turns[i], err = svc.Turn(ctx, x.Turn); err != nil {
				return doneMsg{err: err}
			}
		}
		return msg
	}
}

func (r *suiteRunState) afterPair(msg pairMsg) tea.Cmd {
	r.row = -1
	cmd := r.root.setMode(comparison)
	wish, more := r.root.compare.ShowDifference(msg.turns, msg.of)
	return tea.Batch(cmd, more, r.root.handleAction(wish))
}
