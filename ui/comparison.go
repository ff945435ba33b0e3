package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/keys"
)

// openComparison shows the answers of a turn side by side, in place of all
// panes.
func (m *Model) openComparison(a action.Compare) tea.Cmd {
	t, ok := m.conversation.Turn(a.Turn)
	if !ok {
		return nil
	}
	cmd := m.setFocus(action.PaneConversation)
	m.comparing = true
	m.compare.SetFocused(true)
	m.compare.SetTurn(t, a.Answer)
	m.relayout()
	return cmd
}

// performCompare carries out an effect of the comparison that was chosen in the
// command list; the comparison of the focused turn is opened for it.
func (m *Model) performCompare(effect keys.Effect) tea.Cmd {
	var open tea.Cmd
	if !m.comparing {
		focus := m.setFocus(action.PaneConversation)
		wish, cmd := m.conversation.Perform(keys.CompareAnswers)
		open = tea.Batch(focus, cmd, m.carryOut(wish))
	}
	if !m.comparing {
		return open
	}
	wish, cmd := m.compare.Perform(effect)
	return tea.Batch(open, cmd, m.carryOut(wish))
}

// leaveComparison goes back to the conversation, at the answer that was looked
// at.
func (m *Model) leaveComparison() tea.Cmd {
	m.comparing = false
	if turn, answer := m.compare.Focused(); answer != 0 {
		m.conversation.GoTo(turn, answer)
	}
	m.conversation.SetFocused(true)
	m.relayout()
	return m.keepSetting("layouts", m.compare.Wants())
}

// show shows a turn anew wherever it is looked at.
func (m *Model) show(t service.Turn) {
	m.conversation.PutTurn(t)
	if m.compare.Turn().ID == t.ID {
		m.compare.SetTurn(t, 0)
	}
}

// apply applies an event wherever its turn is looked at.
func (m *Model) apply(e service.Event) {
	m.conversation.Apply(e)
	if t := m.compare.Turn(); t.ID == e.Turn {
		m.compare.SetTurn(service.Apply(t, e), 0)
	}
}

// clock tells the time to whoever shows seconds.
func (m *Model) clock(now time.Time) {
	m.conversation.Tick(now)
	m.compare.Tick(now)
}

// work asks for what the screen shows and does not have yet.
func (m *Model) work() (action.Action, tea.Cmd) {
	if m.comparing {
		return m.compare.Work()
	}
	return m.conversation.Work()
}

// corner is where the inside of a pane begins.
func (m *Model) corner(p action.Pane) image.Point {
	if m.comparing {
		return m.places.panes[p].Min
	}
	return m.places.panes[p].Min.Add(image.Pt(1, 1))
}
