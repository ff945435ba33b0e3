package ui

import (
	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/compare"
	"confab/ui/compose"
	"confab/ui/keys"
)

// sideBySideFrom is the width from which two answers fit beside each other: narrower screens open turns below each
// other.
const sideBySideFrom = 80

// openSent shows a turn that was just sent: its answers side by side above the prompt when it went to several models,
// otherwise the conversation. Nobody is taken away from what they read: nothing moves unless the prompt has the focus
// and no dialog is open. The turns of a matrix follow each other too fast; they stay in the conversation.
func (m *Model) openSent(t history.Turn, ofMatrix bool) {
	if m.focus != action.PanePrompt || m.dialogs.Len() > 0 || m.mode != panes && !m.docked ||
		t.Session != m.session.ID {
		return
	}
	switch several := modelsIn(t) > 1; {
	case several && !ofMatrix && m.sideBySide && m.w >= sideBySideFrom:
		m.dock(t)
	case m.docked:
		m.setMode(panes)
	}
}

// modelsIn counts the models that a turn went to.
func modelsIn(t history.Turn) int {
	models := map[string]bool{}
	for _, a := range t.Answers {
		models[a.Model] = true
	}
	return len(models)
}

// dock shows the answers of a turn side by side in the place of the conversation. The focus stays where it is.
func (m *Model) dock(t history.Turn) {
	m.conversation.SetFocused(false)
	m.mode, m.from, m.docked = comparison, panes, true
	m.compare.SetCase(compare.Case{Turns: []history.Turn{t}}, 0)
	m.compare.SetFocused(m.focus == action.PaneConversation)
	m.relayout()
}

// toggleSideBySide goes from the conversation to the answers of a turn side by side, or back. Later turns to several
// models open as was chosen.
func (m *Model) toggleSideBySide() tea.Cmd {
	if run, _ := m.comparedRow(); m.mode == comparison && run == 0 {
		m.sideBySide = false
		return m.leaveStage()
	}
	t, ok := m.turnToDock()
	if !ok {
		m.sideBySide = !m.sideBySide
		text := "Turns to several models open below each other."
		if m.sideBySide {
			text = "Turns to several models open side by side."
		}
		return m.notify(action.Info, text)
	}
	m.sideBySide = true
	m.dock(t)
	return nil
}

// turnToDock is the turn whose answers can be shown side by side: the one that is read while the conversation has the
// focus, else the newest.
func (m *Model) turnToDock() (history.Turn, bool) {
	turns := m.conversation.Turns()
	if m.mode != panes || len(turns) == 0 {
		return history.Turn{}, false
	}
	t := turns[len(turns)-1]
	if m.focus == action.PaneConversation {
		if focused, _, ok := m.conversation.Focused(); ok {
			t = focused
		}
	}
	return t, len(t.Answers) > 1
}

// layoutHint names the key that switches between side by side and below each other, where there is something to switch.
func (m *Model) layoutHint() []keys.Hint {
	hints := m.keys.Hints(keys.Everywhere, keys.SideBySide)
	_, several := m.turnToDock()
	switch {
	case len(hints) == 0:
	case m.docked:
		hints[0].Text = "stack"
		return hints
	case several:
		return hints
	}
	return nil
}

// runningModels says of each model how the answers of the open session stand that were asked for and have not all
// ended.
func (m *Model) runningModels() map[string]compose.ModelRun {
	models := map[string]compose.ModelRun{}
	for a := range m.turns.AnswersIn(m.session.ID) {
		models[a.Model] = models[a.Model].With(a)
	}
	return models
}
