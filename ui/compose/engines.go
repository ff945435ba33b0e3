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

// LocalEngines finds servers of models on the user's machine.
type LocalEngines interface {
	// Offer names those to offer for the configuration; empty for none. It takes less than a second.
	Offer(ctx context.Context) string
	// Find looks for all of them, which takes less than a second.
	Find(ctx context.Context) FoundEngines
	// Take adds those that are new to the configuration, has them answer, and describes the change.
	Take(ctx context.Context) (string, error)
}

// FoundEngines are the servers of models on the user's machine.
type FoundEngines struct {
	List       string // all of them with their models, in a line each; empty for none
	File, Text string // what would be added to the configuration; empty for nothing
}

// askEvery is the time between two checks of the engines while a screen shows them.
const askEvery = time.Minute

// Engines follows which configured engines are up, and offers servers on this machine for the configuration.
type Engines struct {
	env       part.Env
	models    *Models
	local     LocalEngines
	isShown   func() bool
	offer     string
	isStarted bool
	isAsking  bool

	isUnreachable bool // the newest call found no connection to the service
}

// NewEngines returns the part. local may be nil. isShown reports whether the screen shows the states of engines.
func NewEngines(env part.Env, models *Models, local LocalEngines, isShown func() bool) *Engines {
	e := &Engines{env: env, models: models, local: local, isShown: isShown}
	models.showsEngines = e.IsConfigured()
	return e
}

// Ask requests the states of the engines. The first call also looks for servers and schedules further checks.
func (e *Engines) Ask() tea.Cmd {
	if !e.isStarted {
		return e.start()
	}
	return e.ask()
}

type (
	foundMsg     struct{ names string }
	answeringMsg struct {
		by     map[string]service.EngineStatus
		models []service.ModelInfo
		err    error
	}
	askMsg  struct{}
	tookMsg struct{ text string }
)

func (e *Engines) start() tea.Cmd {
	e.isStarted = true
	cmds := []tea.Cmd{e.ask(), e.schedule()}
	if e.local != nil {
		cmds = append(cmds, func() tea.Msg {
			return part.Result{To: e, Msg: foundMsg{e.local.Offer(e.env.Ctx)}}
		})
	}
	return tea.Batch(cmds...)
}

// Update implements [part.Receiver].
func (e *Engines) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case foundMsg:
		e.found(msg.names)
	case tookMsg:
		e.models.preferEngines()
		return action.Sequence{action.Notify{Severity: action.Good, Text: msg.text}, action.AskEngines{}}, nil
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
		e.models.setAnswering(msg.by, e.Endpoint().Engines)
		e.models.SetModels(msg.models)
		return action.Relayout{}, nil
	}
	return nil, nil
}

// IsConfigured reports whether engines of the configuration answer.
func (e *Engines) IsConfigured() bool { return e.Endpoint().IsEmbedded && !e.Endpoint().IsSimulated }

// Endpoint returns the service that answers.
func (e *Engines) Endpoint() service.Endpoint { return e.env.Service.Endpoint() }

// IsUnreachable reports whether the newest call found no connection to the service. It makes no call.
func (e *Engines) IsUnreachable() bool { return e.isUnreachable }

// NoteConnection notes from an answer whether the service can be reached.
func (e *Engines) NoteConnection(a history.Answer) {
	switch {
	case a.HTTPStatus == 0 && service.LacksConnection(a):
		e.isUnreachable = true
	case a.State == history.Done, a.HTTPStatus != 0, a.Progress.Failure != "", a.Progress.Received > 0:
		e.isUnreachable = false
	}
}

// Offer returns a sentence about servers that were found, for the start page; "" for none or once dismissed.
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
	e.offer = fmt.Sprintf("%s runs on this machine: %s adds it to the configuration.", names, key)
}

// ShowFound shows the servers on this machine, and asks whether to add those that are new to the configuration.
func (e *Engines) ShowFound() (action.Action, tea.Cmd) {
	if e.local == nil {
		text := "Local engines work with the embedded service only; you use another service."
		if e.Endpoint().IsEmbedded {
			text = "The operator of this server chooses its engines."
		}
		return action.Notify{Severity: action.Info, Text: text}, nil
	}
	return nil, part.Then(func() (action.Action, error) {
		found := e.local.Find(e.env.Ctx)
		switch {
		case found.List == "":
			return action.Notify{Severity: action.Info, Text: "No new model server found " +
				"on this machine."}, nil
		case found.Text == "":
			return action.ShowText{Title: "Model servers on this machine", Text: found.List}, nil
		}
		return action.Confirm{Title: "Model servers on this machine", Yes: action.TakeEngines{},
			Question: found.List + "\n\nAdd to " + found.File + ":\n\n" + found.Text}, nil
	})
}

// TakeFound adds the servers that are new to the configuration, and asks them for their models.
func (e *Engines) TakeFound() (action.Action, tea.Cmd) {
	e.offer = ""
	return nil, part.Ask(e, func() (tea.Msg, error) {
		text, err := e.local.Take(e.env.Ctx)
		return tookMsg{text}, err
	})
}

func (e *Engines) ask() tea.Cmd {
	e.models.showsEngines = e.IsConfigured()
	if !e.models.showsEngines || e.isAsking {
		return nil
	}
	e.isAsking = true
	return func() tea.Msg {
		by, err := e.env.Service.EngineStatuses(e.env.Ctx)
		if err != nil {
			return part.Result{To: e, Msg: answeringMsg{err: err}}
		}
		models, _ := e.env.Service.Models(e.env.Ctx) // those of the catalogue also without the history
		return part.Result{To: e, Msg: answeringMsg{by: by, models: models}}
	}
}

func (e *Engines) schedule() tea.Cmd {
	if !e.Endpoint().IsEmbedded {
		return nil
	}
	return part.After(e.env.Ctx, askEvery, part.Result{To: e, Msg: askMsg{}})
}
