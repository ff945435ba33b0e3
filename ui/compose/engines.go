package compose

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// LocalEngines are the servers of models that run on the person's own machine.
type LocalEngines interface {
	// Find names those that are not in the configuration; empty for none. It takes less than a second.
	Find(ctx context.Context) string
	// Take takes them into the configuration and says what that means.
	Take(ctx context.Context) (string, error)
}

// askEvery is how far apart a screen that is looked at asks the engines whether they are up.
const askEvery = time.Minute

// Engines knows what answers behind the embedded service: whether the configured engines are up, and which servers of
// models on this machine the configuration could take.
type Engines struct {
	env       part.Env
	models    *Models // which say who answers them
	local     LocalEngines
	endpoint  service.Endpoint
	isShown   func() bool // somebody sees who answers each model
	offer     string
	isStarted bool
	isAsking  bool

	isUnreachable bool // the newest call found no connection to the service
}

// NewEngines returns the part. local may be nil: nothing is looked for then. isShown tells whether somebody sees what
// the engines say.
func NewEngines(env part.Env, models *Models, local LocalEngines, endpoint service.Endpoint,
	isShown func() bool) *Engines {
	e := &Engines{env: env, models: models, local: local, endpoint: endpoint, isShown: isShown}
	models.showsEngines = e.IsConfigured()
	return e
}

// Ask asks which engines of this machine answer, at first and then again.
func (e *Engines) Ask() tea.Cmd {
	if !e.isStarted {
		return e.start()
	}
	return e.ask()
}

type (
	foundMsg struct{ names string }
	// answeringMsg brings who answers each model.
	answeringMsg struct {
		by  map[string]service.EngineStatus
		err error
	}
	askMsg struct{}
)

// start looks for servers and asks the engines, now and again and again.
func (e *Engines) start() tea.Cmd {
	e.isStarted = true
	cmds := []tea.Cmd{e.ask(), e.schedule()}
	if e.local != nil {
		cmds = append(cmds, func() tea.Msg {
			return part.Result{To: e, Msg: foundMsg{e.local.Find(e.env.Ctx)}}
		})
	}
	return tea.Batch(cmds...)
}

// Update implements [part.Receiver].
func (e *Engines) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case foundMsg:
		e.found(msg.names)
	case askMsg:
		if !e.isShown() {
			return nil, e.schedule()
		}
		return nil, tea.Batch(e.ask(), e.schedule())
	case answeringMsg:
		e.isAsking = false
		if msg.err != nil {
			return action.Fail{Err: msg.err}, nil
		}
		e.models.setAnswering(msg.by)
	}
	return nil, nil
}

// IsConfigured tells whether models are answered by engines of the configuration.
func (e *Engines) IsConfigured() bool { return e.endpoint.IsEmbedded && !e.endpoint.IsSimulated }

// Endpoint returns the service that answers.
func (e *Engines) Endpoint() service.Endpoint { return e.endpoint }

// IsUnreachable tells whether the newest call found no connection to the service. Nothing is called to find that out.
func (e *Engines) IsUnreachable() bool { return e.isUnreachable }

// NoteConnection takes from an answer whether the service can be reached.
func (e *Engines) NoteConnection(a history.Answer) {
	switch {
	case a.HTTPStatus == 0 && service.LacksConnection(a):
		e.isUnreachable = true
	case a.State == history.Done, a.HTTPStatus != 0, a.Progress.Failure != "", a.Progress.Received > 0:
		e.isUnreachable = false
	}
}

// Offer is a sentence on the servers that were found, for the start page; "" for none or once dismissed.
func (e *Engines) Offer() string { return e.offer }

// Dismiss ends the offer.
func (e *Engines) Dismiss() { e.offer = "" }

func (e *Engines) found(names string) {
	if names == "" {
		return
	}
	key := "confab config engines --write"
	if h := e.env.Keys.Hints(keys.Everywhere, keys.TakeEngines); len(h) > 0 {
		key = h[0].Key
	}
	e.offer = fmt.Sprintf("%s runs on this machine: %s takes it into the configuration.", names, key)
}

// ConfigureFound takes the servers that were found into the configuration.
func (e *Engines) ConfigureFound(action.TakeEngines) (action.Action, tea.Cmd) {
	if e.local == nil {
		text := "Engines on this machine are for the embedded service; another service answers here."
		if e.endpoint.IsEmbedded {
			text = "Whoever runs this server chooses its engines."
		}
		return action.Notify{Severity: action.Info, Text: text}, nil
	}
	e.offer = ""
	return nil, func() tea.Msg {
		text, err := e.local.Take(e.env.Ctx)
		return part.ChangeResult(err, text)
	}
}

// ask asks who answers each model, and whether it is up.
func (e *Engines) ask() tea.Cmd {
	if !e.IsConfigured() || e.isAsking {
		return nil
	}
	e.isAsking = true
	return func() tea.Msg {
		by, err := e.env.Service.EngineStatuses(e.env.Ctx)
		return part.Result{To: e, Msg: answeringMsg{by, err}}
	}
}

func (e *Engines) schedule() tea.Cmd {
	if !e.IsConfigured() {
		return nil
	}
	return tea.Tick(askEvery, func(time.Time) tea.Msg { return part.Result{To: e, Msg: askMsg{}} })
}
