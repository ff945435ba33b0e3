package conversation

import (
	tea "charm.land/bubbletea/v2"

	"confab/history"
)

// DrawnBytes returns how many bytes of lines a message of finished work brings.
func DrawnBytes(msg tea.Msg) int {
	n := 0
	if m, ok := msg.(renderedMsg); ok {
		for _, r := range m.parts {
			for _, line := range r.lines {
				n += len(line)
			}
		}
	}
	return n
}

// Apply applies events to the turns of the pane, and shows them.
func (c *Pane) Apply(events ...history.Event) {
	c.turns.Apply(events...)
	c.takeChanges()
}

// RemoveTurn takes a turn out of the window.
func (c *Pane) RemoveTurn(id int64) {
	c.turns.Remove(id)
	c.takeChanges()
}

// ReadTurn shows one answer of a turn, which need not be in the window.
func (c *Pane) ReadTurn(t history.Turn, answer int64) {
	c.turns.Show(c, []history.Turn{t})
	c.ReadOnly(t.ID, answer)
}
