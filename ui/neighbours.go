package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/keys"
)

// foundMsg names the servers of models that run on this machine.
type foundMsg struct{ names string }

// findNeighbours looks for servers of models, after the first frame.
func (m *Model) findNeighbours() tea.Cmd {
	if m.o.Neighbours == nil {
		return nil
	}
	ctx, n := m.ctx, m.o.Neighbours
	return func() tea.Msg { return foundMsg{n.Find(ctx)} }
}

func (m *Model) afterFound(msg foundMsg) tea.Cmd {
	if msg.names == "" {
		return nil
	}
	key := "confab config engines --write"
	if h := m.keys.Hints(keys.Everywhere, keys.TakeEngines); len(h) > 0 {
		key = h[0].Key
	}
	text := fmt.Sprintf("%s runs on this machine: %s takes it into the configuration.", msg.names, key)
	if len(m.conversation.Turns()) == 0 {
		m.o.Ways = text // stands until it is dismissed
		return nil
	}
	return m.notify(action.Info, text)
}

// takeNeighbours takes what was found into the configuration.
func (m *Model) takeNeighbours() tea.Cmd {
	if m.o.Neighbours == nil {
		return m.notify(action.Info, "Engines on this machine are for the embedded service; another service answers here.")
	}
	ctx, n := m.ctx, m.o.Neighbours
	return func() tea.Msg {
		text, err := n.Take(ctx)
		return doneMsg{text: text, err: err}
	}
}
