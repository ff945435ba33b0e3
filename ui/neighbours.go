package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	"confab/service"
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

// afterFound has the start page offer what was found. It stands there until it is dismissed, and nowhere else: it
// would take the place of the keys in the status line.
func (m *Model) afterFound(msg foundMsg) {
	if msg.names == "" {
		return
	}
	key := "confab config engines --write"
	if h := m.keys.Hints(keys.Everywhere, keys.TakeEngines); len(h) > 0 {
		key = h[0].Key
	}
	m.engineOffer = fmt.Sprintf("%s runs on this machine: %s takes it into the configuration.", msg.names, key)
}

// takeNeighbours takes what was found into the configuration.
func (m *Model) takeNeighbours() tea.Cmd {
	if m.o.Neighbours == nil {
		text := "Engines on this machine are for the embedded service; another service answers here."
		if m.endpoint.Embedded {
			text = "Whoever runs this server chooses its engines."
		}
		return m.notify(action.Info, text)
	}
	m.engineOffer = ""
	ctx, n := m.ctx, m.o.Neighbours
	return func() tea.Msg {
		text, err := n.Take(ctx)
		return doneMsg{text: text, err: err}
	}
}

// enginesEvery is how far apart a screen that is looked at asks the engines
// whether they are up.
const enginesEvery = time.Minute

type (
	// enginesMsg brings who answers each model.
	enginesMsg struct {
		by  map[string]service.Answering
		err error
	}
	// enginesTickMsg comes again and again while engines are configured.
	enginesTickMsg struct{}
)

// engines tells whether models are answered by engines of the configuration.
func (m *Model) engines() bool { return m.endpoint.Embedded && !m.endpoint.Simulated }

// askEngines asks who answers each model, and whether it is up.
func (m *Model) askEngines() tea.Cmd {
	if !m.engines() || m.asking {
		return nil
	}
	m.asking = true
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		by, err := svc.Answering(ctx)
		return enginesMsg{by, err}
	}
}

func (m *Model) afterEngines(msg enginesMsg) tea.Cmd {
	m.asking = false
	if msg.err != nil {
		return m.fail(msg.err)
	}
	m.models.SetAnswering(msg.by)
	return nil
}

// armEngines has the engines asked again after a while.
func (m *Model) armEngines() tea.Cmd {
	if !m.engines() {
		return nil
	}
	return tea.Tick(enginesEvery, func(time.Time) tea.Msg { return enginesTickMsg{} })
}

// tickEngines asks the engines again where somebody sees what they say.
func (m *Model) tickEngines() tea.Cmd {
	if m.unfocused || m.stage != panes || m.places.panes[action.PaneModels].Empty() {
		return m.armEngines()
	}
	return tea.Batch(m.askEngines(), m.armEngines())
}
