package ui

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

type (
	// startedMsg tells that the store is open.
	startedMsg struct {
		started service.Started
		err     error
	}
	modelsMsg struct{ models []service.ModelInfo }
	// sentMsg tells that a turn is recorded and on its way.
	sentMsg struct {
		prompt queuedPrompt
		turn   history.Turn
		events <-chan history.Event
		err    error
	}
	// tickMsg comes once a second while something runs.
	tickMsg struct{ now time.Time }
	// doneMsg tells how a call of the service ended.
	doneMsg struct {
		text string
		err  error
		then action.Action
	}
	// showMsg brings something to be shown that had to be read first.
	showMsg struct{ wish action.Action }
)

// start opens the store and reads what the screen begins with.
func (m *Model) start() tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		started, err := svc.Start(ctx)
		return startedMsg{started: started, err: err}
	}
}

func (m *Model) afterStart(msg startedMsg) tea.Cmd {
	m.started = true
	m.saving = msg.err == nil && msg.started.Saving
	cmds := []tea.Cmd{m.readModels(), m.engines.Start()}
	switch {
	case msg.err != nil:
		cmds = append(cmds, m.fail(msg.err))
	case msg.started.Problem != nil:
		cmds = append(cmds, m.notify(action.Bad, msg.started.Problem.Message))
	case msg.started.Recovered > 0:
		cmds = append(cmds, m.notify(action.Warn, wasOrWere(msg.started.Recovered)+" interrupted last time"+
			m.keys.Phrase(keys.Conversation, keys.Again, "; %s runs one again")+"."))
	}
	cmds = append(cmds, m.readSettings())
	if m.o.Session != 0 {
		return tea.Batch(append(cmds, m.openSession(m.o.Session, 0))...)
	}
	return tea.Batch(append(cmds, m.drafts.load(0), m.resumeOffer.find())...)
}

func (m *Model) readModels() tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		models, err := svc.Models(ctx)
		if err != nil {
			return doneMsg{err: err}
		}
		return modelsMsg{models: models}
	}
}

func (m *Model) afterSent(msg sentMsg) tea.Cmd {
	if len(m.sender.queue) > 0 {
		m.sender.queue = m.sender.queue[1:]
	}
	var cmds []tea.Cmd
	if msg.err != nil {
		cmds = append(cmds, m.afterUnsent(cmp.Or(msg.prompt.Template, msg.prompt.Text), msg.err))
		m.sender.forgetAbandoned(msg.prompt)
		for len(m.sender.queue) > 0 && m.sender.queue[0].Follows { // prompts of the same template fail alike
			m.sender.forgetAbandoned(m.sender.queue[0])
			m.sender.queue = m.sender.queue[1:]
		}
	} else {
		m.prompt.DropUnsent(cmp.Or(msg.prompt.Template, msg.prompt.Text))
		joined := m.joined(msg.turn)
		took := m.followTurn(action.FollowTurn{Turn: msg.turn, Events: msg.events})
		m.openSent(msg.turn, msg.prompt.ofMatrix)
		cmds = append(cmds, tea.Sequence(joined, took))
	}
	if len(m.sender.queue) > 0 {
		if m.sender.queue[0].Session == 0 {
			m.sender.queue[0].Session = m.session.ID
		}
		cmds = append(cmds, m.sender.sendNext())
	}
	return tea.Batch(cmds...)
}

// afterUnsent says why a prompt was not recorded, and puts its text back into the prompt pane. When another one is
// being
// written there, the text becomes the newest of the earlier prompts.
func (m *Model) afterUnsent(text string, err error) tea.Cmd {
	if !m.prompt.Empty() && m.prompt.Text() != text {
		m.prompt.KeepUnsent(text)
		return m.notifyWhile(func() bool { return m.prompt.HoldsUnsent(text) }, action.Bad,
			part.Sentence(err)+m.keys.Phrase(keys.Prompt, keys.EarlierPrompt, " %s in the prompt brings the text back."))
	}
	m.prompt.SetText(text)
	m.relayout()
	return tea.Batch(m.fail(err), m.drafts.noteChange())
}

// joined takes over the session that was made for the first turn, unless it was
// left before it was made.
func (m *Model) joined(t history.Turn) tea.Cmd {
	if m.session.ID != 0 {
		return nil
	}
	if m.sender.abandoned > 0 {
		m.sender.abandoned--
		return nil
	}
	m.session.ID = t.Session
	return m.drafts.dropNew()
}

// followTurn shows a turn that was sent and follows its events.
func (m *Model) followTurn(a action.FollowTurn) tea.Cmd {
	follow := m.turns.Follow(a.Turn, a.Events)
	m.clock(m.o.Now())
	m.show(a.Turn)
	if a.Turn.Session == m.session.ID {
		m.prompt.SetExamples(false)
	}
	m.drafts.dirty = true
	return tea.Batch(follow, m.drafts.save(), m.readSession())
}

// applyEvents applies events wherever their turns are shown.
func (m *Model) applyEvents(a action.ApplyEvents) tea.Cmd {
	m.clock(m.o.Now())
	for _, e := range a.Events {
		m.apply(e)
	}
	return nil
}

// afterTurn reads again what the end of a turn has changed.
func (m *Model) afterTurn(action.TurnEnded) tea.Cmd {
	m.clock(m.o.Now())
	return tea.Batch(m.readModels(), m.readSession(), m.handleAction(action.AskEngines{}))
}

// armTick starts the clock when something runs and it is not ticking.
func (m *Model) armTick() tea.Cmd {
	if m.ticking || m.turns.Running() == 0 && m.suites.live == nil {
		return nil
	}
	m.ticking = true
	now := m.o.Now
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg{now: now()} })
}

func (m *Model) tick(msg tickMsg) {
	m.ticking = false
	m.clock(msg.now)
}

// noteConnection takes from an answer whether the service can be reached. It is not asked for by itself: the newest
// call tells.
func (m *Model) noteConnection(a history.Answer) {
	switch {
	case a.HTTPStatus == 0 && service.WithoutConnection(a):
		m.unreachable = true
	case a.State == history.Done, a.HTTPStatus != 0, a.Progress.Failure != "", a.Progress.Received > 0:
		m.unreachable = false
	}
}
