package runs

import (
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
	case turnsMsg:
		v.holdTurns(msg.turns)
		v.focusTurn(msg.opened)
		return action.FocusTable{}, nil
	case votesMsg:
		v.afterVotes(msg)
	case rereadMsg:
		return v.afterReread(msg)
	case sharedMsg:
		return v.afterShare(msg), nil
	case rowMsg:
		return v.afterRow(msg), nil
	case changesMsg:
		v.SetChanges(msg.a, msg.b, msg.changes)
		return action.FocusTable{}, nil
	}
	return nil, nil
}

func (v *View) handleWheel(msg tea.MouseWheelMsg) {
	switch t := v.content().table(); msg.Button {
	case tea.MouseWheelUp, tea.MouseWheelDown:
		t.scroll(keys.Wheel(msg), v.layout)
	case tea.MouseWheelLeft:
		t.move(0, -1)
	case tea.MouseWheelRight:
		t.move(0, 1)
	}
	v.relayout()
}

// handleClick focuses the clicked cell, or opens the focused one. The name of a row or of a column moves the focus in
// one direction only.
func (v *View) handleClick(msg tea.MouseClickMsg) action.Action {
	t := v.content().table()
	line, column, ok := v.layout.cellAt(msg.X, msg.Y)
	row, col := t.rowAt(line, v.layout), t.firstColumn+column
	if line < 0 {
		row = t.focusIndex()
	}
	if !ok || msg.Button != tea.MouseLeft || row < 0 {
		return nil
	}
	if column < 0 {
		col = t.column
	}
	if row == t.focusIndex() && col == t.column && line >= 0 && column >= 0 {
		return v.Run(keys.OpenCell)
	}
	t.focus(row, col)
	v.relayout()
	return nil
}

// hintAt returns the hint at a position in the lines above the table.
func (v *View) hintAt(x, y int) (keys.Hint, bool) {
	lines := v.View()
	if y < 0 || y >= min(headLines, len(lines)) || !v.isOneRun() {
		return keys.Hint{}, false
	}
	hints := v.env.Keys.Hints(keys.Runs, keys.ResumeRun)
	for i := range hints {
		hints[i].Text = "asks for"
	}
	return keys.HintAt(ansi.Strip(lines[y]), x, hints)
}
