package runs

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
	"confab/ui/keys"
)

// Update implements [part.Pane].
func (v *View) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case keys.Press:
		if msg.Command == "" {
			return action.Unused{Key: msg.String()}, nil
		}
		return v.Run(msg.Command), nil
	case tea.MouseWheelMsg:
		v.handleWheel(msg)
	case tea.MouseClickMsg:
		return v.handleClick(msg), nil
	case startedMsg:
		return v.afterStart(msg)
	case cellsMsg:
		return v.afterCells(msg)
	case tableMsg:
		return v.showTable(msg.table), nil
	case rereadMsg:
		return v.afterReread(msg)
	case sharedMsg:
		return v.afterShare(msg), nil
	case rowMsg:
		return v.afterRow(msg), nil
	case changesMsg:
		v.SetChanges(msg.a, msg.b, msg.changes)
		return action.ShowTable{}, nil
	}
	return nil, nil
}

// Run implements [part.Pane].
func (v *View) Run(command keys.Command) action.Action {
	if command == keys.Help {
		return action.ShowHelp{Scope: keys.Runs}
	}
	c := v.content()
	if c == nil {
		return action.Unused{Why: "No run is open."}
	}
	t := c.table()
	if v.moveFocus(t, command) {
		v.relayout()
		return nil
	}
	switch command {
	case keys.OpenCell:
		return v.open()
	case keys.NextFailed:
		if !t.goToAttention() {
			return action.Notify{Severity: action.Info, Text: t.words.none}
		}
		v.relayout()
	case keys.OnlyFailed:
		t.isFiltered = !t.isFiltered
		t.relist()
		v.relayout()
	case keys.StopRun:
		return action.StopRun{}
	case keys.CopyTable:
		title, what := c.copyTitle()
		return action.Copy{Text: t.markdown(title, v.state()), What: what}
	case keys.CompareRuns, keys.ResumeRun, keys.Write, keys.ShowWins:
		return v.handleRun(command)
	}
	return nil
}

// ReadingPosition tells which cell has the focus.
func (v *View) ReadingPosition() string {
	c := v.content()
	if c == nil {
		return ""
	}
	return fmt.Sprint(c.table().focusIndex(), " ", c.table().column)
}

// moveFocus handles the commands that move the focus; it tells whether this is one.
func (v *View) moveFocus(t *runTable, command keys.Command) bool {
	if by, ok := command.Lines(v.layout.rows, 1, len(t.listed)); ok {
		t.move(by, 0)
		return true
	}
	switch command {
	case keys.NextAnswer:
		t.move(0, 1)
	case keys.PreviousAnswer:
		t.move(0, -1)
	case keys.ColumnsRight:
		t.moveColumns(1, v.layout)
	case keys.ColumnsLeft:
		t.moveColumns(-1, v.layout)
	default:
		return false
	}
	return true
}

// open opens the focused cell: the answers of its row side by side, or the difference between the two runs.
func (v *View) open() action.Action {
	if v.comparison != nil {
		if a := v.comparison.open(); a != nil {
			return a
		}
	} else if row := v.results.row(); row >= 0 {
		return action.OpenRow{Row: row, Column: v.results.column}
	}
	listsAll := v.env.Keys.Phrase(keys.Runs, keys.OnlyFailed, ": %s lists all")
	return action.Unused{Why: "No prompt is listed" + listsAll + "."}
}

// handleRun handles the commands that concern a single run.
func (v *View) handleRun(command keys.Command) action.Action {
	if v.comparison != nil {
		return action.Notify{Severity: action.Info, Text: "These are two runs: open one of them for that."}
	}
	switch run := v.results.run().ID; command {
	case keys.CompareRuns:
		return action.CompareRuns{A: run}
	case keys.Write:
		return action.ShowWrite{Run: run}
	case keys.ShowWins:
		return action.ShowWins{Run: run}
	}
	return v.results.resume(v.isLive())
}

// handleWheel scrolls the window, also sideways.
func (v *View) handleWheel(msg tea.MouseWheelMsg) {
	c := v.content()
	if c == nil {
		return
	}
	switch t := c.table(); msg.Button {
	case tea.MouseWheelUp, tea.MouseWheelDown:
		t.scroll(keys.Wheel(msg), v.layout)
	case tea.MouseWheelLeft:
		t.move(0, -1)
	case tea.MouseWheelRight:
		t.move(0, 1)
	}
	v.relayout()
}

// handleClick focuses the cell that was clicked, and opens the one that has the focus. The name of a row or of a column
// moves the focus in one direction only.
func (v *View) handleClick(msg tea.MouseClickMsg) action.Action {
	c := v.content()
	if c == nil || msg.Button != tea.MouseLeft {
		return nil
	}
	t := c.table()
	line, column, ok := v.layout.cellAt(msg.X, msg.Y)
	if !ok || t.firstRow+line >= len(t.listed) {
		return nil
	}
	row, col := t.firstRow+line, t.firstColumn+column
	if line < 0 {
		row = t.focusIndex()
	}
	if column < 0 {
		col = t.column
	}
	if row == t.focusIndex() && col == t.column && line >= 0 && column >= 0 {
		return v.open()
	}
	t.focus(row, col)
	v.relayout()
	return nil
}

// HintAt returns the hint that is drawn in the lines above the table.
func (v *View) HintAt(x, y int) (keys.Hint, bool) {
	lines := v.View()
	if y < 0 || y >= min(v.layout.headLines, len(lines)) || v.comparison != nil || v.content() == nil {
		return keys.Hint{}, false
	}
	hints := v.env.Keys.Hints(keys.Runs, keys.ResumeRun)
	for i := range hints {
		hints[i].Text = "asks for"
	}
	return keys.HintAt(ansi.Strip(lines[y]), x, hints)
}

// Hints implements [part.Pane].
func (v *View) Hints() []keys.Hint {
	c := v.content()
	if c == nil {
		return nil
	}
	var commands keys.CommandList
	t, isOne := c.table(), v.comparison == nil
	commands.AddIf(t.row() >= 0, keys.OpenCell)
	commands.AddIf(t.attention > 1 || t.attention == 1 && !t.isAtAttention(), keys.NextFailed)
	commands.AddIf(t.isFiltered || t.attention > 0 && t.attentionRows < len(t.Rows), keys.OnlyFailed)
	commands.AddIf(isOne && v.isLive(), keys.StopRun)
	commands.AddIf(isOne && !v.isLive() && (v.results.results.Unanswered() > 0 || v.results.run().Owner != ""),
		keys.ResumeRun)
	commands.AddIf(isOne, keys.Write, keys.CompareRuns, keys.ShowWins)
	commands.AddIf(true, keys.CopyTable)
	commands.AddIf(len(t.Columns) > 1, keys.NextAnswer)
	commands.AddIf(len(t.listed) > 1, keys.Down)
	hints := v.env.Keys.Hints(keys.Runs, commands...)
	next := v.env.Keys.Hints(keys.Runs, keys.NextFailed)
	for i := range hints {
		if !isOne && len(next) > 0 && hints[i] == next[0] {
			hints[i].Text = "next that differs"
		}
	}
	return hints
}
