package runs

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/keys"
)

// Update implements [part.Pane].
func (v *View) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		effect := v.keys.Effect(keys.Runs, msg)
		if effect == "" {
			return action.Unused{Key: msg.String()}, nil
		}
		return v.Perform(effect)
	case tea.MouseWheelMsg:
		v.wheel(msg)
	case tea.MouseClickMsg:
		return v.click(msg), nil
	}
	return nil, nil
}

// Perform implements [part.Pane].
func (v *View) Perform(effect keys.Effect) (action.Action, tea.Cmd) {
	if effect == keys.Help {
		return action.ShowHelp{Scope: string(keys.Runs)}, nil
	}
	s := v.sheet()
	if s == nil {
		return action.Unused{Why: "No run is open."}, nil
	}
	if v.move(s, effect) {
		v.layout()
		return nil, nil
	}
	switch effect {
	case keys.OpenCell:
		return v.open(), nil
	case keys.NextFailed:
		return v.next(s), nil
	case keys.OnlyFailed:
		s.only = !s.only
		s.relist()
		v.layout()
	case keys.CompareRuns:
		return v.compare(), nil
	case keys.StopRun:
		return action.StopRun{}, nil
	case keys.CopyTable:
		return v.copy(s), nil
	case keys.ResumeRun, keys.Write:
		return v.withRun(effect), nil
	}
	return nil, nil
}

// move carries out the effects that move the focus.
func (v *View) move(s *sheet, effect keys.Effect) bool {
	if by, ok := effect.Lines(v.plan.rows, 1, len(s.listed)); ok {
		s.move(by, 0)
		return true
	}
	switch effect {
	case keys.NextAnswer:
		s.move(0, 1)
	case keys.PrevAnswer:
		s.move(0, -1)
	case keys.ColumnsRight:
		s.slide(1, v.plan)
	case keys.ColumnsLeft:
		s.slide(-1, v.plan)
	default:
		return false
	}
	return true
}

// next goes to the next cell that failed or differs.
func (v *View) next(s *sheet) action.Action {
	if s.next() {
		v.layout()
		return nil
	}
	text := "No cell of this run has failed."
	if v.changes != nil {
		text = "No cell differs between the two runs."
	}
	return action.Notify{Severity: action.Info, Text: text}
}

// open opens the focused cell: the answers of its row side by side, or what
// differs between the two runs.
func (v *View) open() action.Action {
	if v.changes != nil {
		if a := v.changes.open(); a != nil {
			return a
		}
		return v.nothingListed()
	}
	if row := v.table.row(); row >= 0 {
		return action.OpenRow{Row: row, Column: v.table.col}
	}
	return v.nothingListed()
}

// nothingListed says why there is no cell to open.
func (v *View) nothingListed() action.Action {
	return action.Unused{Why: "No prompt is listed" + v.keys.Phrase(keys.Runs, keys.OnlyFailed, ": %s lists all") + "."}
}

// open asks for the difference between the two answers of the focused cell, or
// says why there is none.
func (c *changes) open() action.Action {
	f, ok := c.face().(*shift)
	if !ok {
		return nil
	}
	change, number := f.first()
	if change == nil {
		return nil
	}
	for _, side := range []struct {
		cell   *history.Cell
		answer history.Answer
		run    int64
	}{{change.A, change.AnswerA, c.a.ID}, {change.B, change.AnswerB, c.b.ID}} {
		why := ""
		switch {
		case side.cell == nil:
			why = fmt.Sprintf("Run %d does not have this cell: there is nothing to compare.", side.run)
		case side.cell.State != history.Done:
			why = fmt.Sprintf("Run %d has no answer here: %s.", side.run,
				strings.TrimSuffix(outcome(side.cell, side.answer), "."))
		}
		if why != "" {
			return action.Notify{Severity: action.Info, Text: why}
		}
	}
	name := func(run int64) string {
		text := fmt.Sprintf("run %d  %s", run, c.heads[c.col])
		if len(f.changes) > 1 {
			text += fmt.Sprintf(" #%d", number)
		}
		return text
	}
	return action.ShowDifference{A: change.AnswerA, B: change.AnswerB, NameA: name(c.a.ID), NameB: name(c.b.ID)}
}

// withRun carries out what is done with one run.
func (v *View) withRun(effect keys.Effect) action.Action {
	if v.changes != nil {
		return action.Notify{Severity: action.Info, Text: "These are two runs: open one of them for that."}
	}
	run, c := v.table.run.Facts.ID, v.table.total
	if effect == keys.Write {
		return action.ShowWrite{Run: run}
	}
	if !v.goes() && c.errors+c.stopped+c.open == 0 {
		return action.Notify{Severity: action.Info, Text: "Every cell of this run has an answer."}
	}
	return action.ResumeRun{Run: run}
}

// compare asks which run this one is to be compared with.
func (v *View) compare() action.Action {
	if v.changes != nil {
		return action.Notify{Severity: action.Info, Text: "These are two runs: open one of them for that."}
	}
	return action.CompareRuns{A: v.table.run.Facts.ID}
}

// copy copies what is listed as a table in Markdown.
func (v *View) copy(s *sheet) action.Action {
	if c := v.changes; c != nil {
		title := fmt.Sprintf("%s, run %d → run %d: %s", tidy(c.b.Suite), c.a.ID, c.b.ID, c.total.summary(whole))
		return action.Copy{Text: s.markdown(title, v.moment()), What: "the table of two runs"}
	}
	f, c := v.table.run.Facts, v.table.total
	title := fmt.Sprintf("%s, run %d: %d of %d passed", tidy(f.Suite), f.ID, c.passed, c.all)
	return action.Copy{Text: s.markdown(title, v.moment()), What: fmt.Sprintf("the table of run %d", f.ID)}
}

// wheel scrolls the window; sideways where the wheel does.
func (v *View) wheel(msg tea.MouseWheelMsg) {
	s := v.sheet()
	if s == nil {
		return
	}
	switch msg.Button {
	case tea.MouseWheelUp, tea.MouseWheelDown:
		s.scroll(keys.Wheel(msg), v.plan)
	case tea.MouseWheelLeft:
		s.move(0, -1)
	case tea.MouseWheelRight:
		s.move(0, 1)
	}
	v.layout()
}

// click focuses what was clicked on, and opens what is focused already. The
// name of a row or of a column moves the focus along one side only.
func (v *View) click(msg tea.MouseClickMsg) action.Action {
	s := v.sheet()
	if s == nil || msg.Button != tea.MouseLeft {
		return nil
	}
	line, column, ok := v.plan.place(msg.X, msg.Y)
	if !ok || s.top+line >= len(s.listed) {
		return nil
	}
	row, col := s.top+line, s.left+column
	if line < 0 {
		row = s.at
	}
	if column < 0 {
		col = s.col
	}
	if row == s.at && col == s.col && line >= 0 && column >= 0 {
		return v.open()
	}
	s.at, s.col = row, col
	v.layout()
	return nil
}

// Hints implements [part.Pane].
func (v *View) Hints() []keys.Hint {
	s := v.sheet()
	if s == nil {
		return nil
	}
	var effects []keys.Effect
	add := func(when bool, more ...keys.Effect) {
		if when {
			effects = append(effects, more...)
		}
	}
	one := v.changes == nil
	open := one && v.table.total.errors+v.table.total.stopped+v.table.total.open > 0
	add(s.row() >= 0, keys.OpenCell)
	add(true, keys.NextFailed, keys.OnlyFailed)
	add(one && v.goes(), keys.StopRun)
	add(one && !v.goes() && open, keys.ResumeRun)
	add(one, keys.Write, keys.CompareRuns)
	add(true, keys.CopyTable)
	add(len(s.heads) > 1, keys.NextAnswer)
	add(len(s.listed) > 1, keys.Down)
	return v.keys.Hints(keys.Runs, effects...)
}
