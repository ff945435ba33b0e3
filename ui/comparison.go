package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/compare"
	"confab/ui/keys"
	"confab/ui/part"
)

// screenMode is what fills the screen between header and footer.
type screenMode int

const (
	panes      screenMode = iota // the panes beside each other
	table                        // the table of a run, or of two
	comparison                   // answers side by side
)

// staged returns the view that stands in the place of all panes; nil for none.
func (m *Model) staged() part.Pane {
	switch m.mode {
	case table:
		return m.table
	case comparison:
		return m.compare
	}
	return nil
}

// setMode shows a mode of the screen. Views that take the place of the panes have the focus
// of the conversation.
func (m *Model) setMode(to screenMode) tea.Cmd {
	if to == comparison && m.mode != comparison {
		m.from = m.mode
	}
	m.docked = false
	var cmd tea.Cmd
	if to != panes {
		cmd = m.setFocus(action.PaneConversation)
	}
	if v := m.staged(); v != nil {
		v.SetFocused(false)
	}
	m.mode = to
	if v := m.staged(); v != nil {
		v.SetFocused(true)
	} else {
		m.conversation.SetFocused(m.focus == action.PaneConversation)
	}
	m.relayout()
	return cmd
}

// openComparison shows the answers of a turn of the conversation side by side.
func (m *Model) openComparison(a action.Compare) tea.Cmd {
	t, ok := m.conversation.Turn(a.Turn)
	if !ok {
		return nil
	}
	m.compare.SetCase(compare.Case{Turns: []history.Turn{t}}, a.Answer)
	return m.setMode(comparison)
}

// comparedRow returns the run and the row whose answers the comparison on the screen shows; run 0 for none.
func (m *Model) comparedRow() (run int64, row int) {
	if m.mode != comparison {
		return 0, 0
	}
	return m.compare.Case().Run, m.compare.Case().Row
}

// sidePaneHints are the keys in the border of the pane beside the conversation.
func (m *Model) sidePaneHints() []keys.Hint {
	return m.keys.Hints(keys.Conversation, keys.CompareAnswers)
}

// handleStageCommand handles a command of a view that takes the place of the
// panes, when it was chosen in the command list: the comparison of the focused
// turn, or the runs, are opened for it.
func (m *Model) handleStageCommand(scope keys.Scope, command keys.Command) tea.Cmd {
	if v := m.staged(); v != nil && v.Scope() == scope {
		wish, cmd := v.HandleCommand(command)
		return tea.Batch(cmd, m.handleAction(wish))
	}
	if scope == keys.Runs {
		return m.handleAction(action.ShowList{List: action.ListRuns})
	}
	focus := m.setFocus(action.PaneConversation)
	wish, cmd := m.conversation.HandleCommand(keys.CompareAnswers)
	open := tea.Batch(focus, cmd, m.handleAction(wish))
	if m.mode != comparison {
		return open
	}
	wish, cmd = m.compare.HandleCommand(command)
	return tea.Batch(open, cmd, m.handleAction(wish))
}

// leaveStage goes back one stage: from the answers of a row to the table of its
// run, else to the conversation, at the answer that was looked at.
func (m *Model) leaveStage() tea.Cmd {
	switch {
	case m.mode == table:
		return m.setMode(panes)
	case m.from == table:
		return tea.Batch(m.setMode(table), m.keepSetting("layouts", m.compare.ChosenLayouts()))
	}
	if turn, answer := m.compare.Focused(); answer != 0 && m.focus == action.PaneConversation {
		m.conversation.GoTo(turn, answer)
	}
	return tea.Batch(m.setMode(panes), m.keepSetting("layouts", m.compare.ChosenLayouts()))
}

// show shows a turn anew wherever it is looked at.
func (m *Model) show(t history.Turn) {
	if t.Session == m.session.ID {
		m.conversation.PutTurn(t)
	}
	m.compare.PutTurn(t)
}

// apply applies an event wherever its turn is looked at.
func (m *Model) apply(e history.Event) {
	m.noteConnection(e.Answer)
	m.conversation.Apply(e)
	m.compare.Apply(e)
}

// clock tells the time to whoever shows seconds.
func (m *Model) clock(now time.Time) {
	m.conversation.Tick(now)
	m.sidePane.Tick(now)
	m.compare.Tick(now)
	m.table.Tick(now)
	m.models.SetRunning(m.runningModels(), now)
}

// work asks for what the screen shows and does not have yet.
func (m *Model) work() (action.Action, tea.Cmd) {
	switch m.mode {
	case comparison:
		return m.compare.Work()
	case table:
		return nil, nil
	}
	wish, cmd := m.conversation.Work()
	if m.layout.Beside.Empty() {
		return wish, cmd
	}
	beside, more := m.sidePane.Follow(m.conversation, m.graphics.IDs() == nil, m.hintText(m.sidePaneHints()))
	return action.Several{wish, beside}, tea.Batch(cmd, more)
}

// corner is where the inside of a pane begins.
func (m *Model) corner(p action.Pane) image.Point {
	if m.mode != panes && p == action.PaneConversation {
		return m.layout.Panes[p].Min
	}
	return m.layout.Panes[p].Min.Add(image.Pt(1, 1))
}
