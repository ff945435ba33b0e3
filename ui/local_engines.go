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

// localEngines are the servers of models on this machine: those that the configuration could take, and whether the
// configured ones are up.
type localEngines struct {
	root     *Model
	offer    string // a sentence on the servers that were found; empty for none or once dismissed
	isAsking bool   // the engines are asked whether they are up
}

// find looks for servers of models, after the first frame.
func (e *localEngines) find() tea.Cmd {
	if e.root.o.Neighbours == nil {
		return nil
	}
	ctx, n := e.root.ctx, e.root.o.Neighbours
	return func() tea.Msg { return foundMsg{n.Find(ctx)} }
}

// afterFound has the start page offer what was found. It stands there until it is dismissed, and nowhere else: it
// would take the place of the keys in the status line.
func (e *localEngines) afterFound(msg foundMsg) {
	if msg.names == "" {
		return
	}
	key := "confab config engines --write"
	if h := e.root.keys.Hints(keys.Everywhere, keys.TakeEngines); len(h) > 0 {
		key = h[0].Key
	}
	e.offer = fmt.Sprintf("%s runs on this machine: %s takes it into the configuration.", msg.names, key)
}

// takeNeighbours takes what was found into the configuration.
func (e *localEngines) configure() tea.Cmd {
	if e.root.o.Neighbours == nil {
		text := "Engines on this machine are for the embedded service; another service answers here."
		if e.root.endpoint.Embedded {
			text = "Whoever runs this server chooses its engines."
		}
		return e.root.notify(action.Info, text)
	}
	e.offer = ""
	ctx, n := e.root.ctx, e.root.o.Neighbours
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
func (e *localEngines) ask() tea.Cmd {
	if !e.root.engines() || e.isAsking {
		return nil
	}
	e.isAsking = true
	ctx, svc := e.root.ctx, e.root.o.Service
	return func() tea.Msg {
		by, err := svc.Answering(ctx)
		return enginesMsg{by, err}
	}
}

func (e *localEngines) afterEngines(msg enginesMsg) tea.Cmd {
	e.isAsking = false
	if msg.err != nil {
		return e.root.fail(msg.err)
	}
	e.root.models.SetAnswering(msg.by)
	return nil
}

// armEngines has the engines asked again after a while.
func (e *localEngines) schedule() tea.Cmd {
	if !e.root.engines() {
		return nil
	}
	return tea.Tick(enginesEvery, func(time.Time) tea.Msg { return enginesTickMsg{} })
}

// tickEngines asks the engines again where somebody sees what they say.
func (e *localEngines) tick() tea.Cmd {
	if e.root.desktop.IsAway() || e.root.mode != panes || e.root.layout.panes[action.PaneModels].Empty() {
		return e.schedule()
	}
	return tea.Batch(e.ask(), e.schedule())
}
