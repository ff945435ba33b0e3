package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/compose"
	"confab/ui/keys"
)

type (
	// startedMsg tells that the store is open.
	startedMsg struct {
		started service.StartReport
		err     error
	}
	modelsMsg struct{ models []service.ModelInfo }
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
	m.drafts.SetSaving(m.saving)
	cmds := []tea.Cmd{m.readModels(), m.engines.Start()}
	switch {
	case msg.err != nil:
		cmds = append(cmds, m.fail(msg.err))
	case msg.started.Problem != nil:
		cmds = append(cmds, m.notify(action.Bad, msg.started.Problem.Message))
	case msg.started.Recovered > 0:
		cmds = append(cmds, m.notify(action.Warn, compose.WasOrWere(msg.started.Recovered)+" interrupted last time"+
			m.keys.Phrase(keys.Conversation, keys.Again, "; %s runs one again")+"."))
	}
	cmds = append(cmds, m.readSettings())
	if m.o.Session != 0 {
		return tea.Batch(append(cmds, m.openSession(m.o.Session, 0))...)
	}
	return tea.Batch(append(cmds, m.drafts.Load(0), m.resumeOffer.Find())...)
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

// showSentTurn shows a turn that was recorded, in the session that was made for it or the open one.
func (m *Model) showSentTurn(a action.TurnSent) tea.Cmd {
	var join tea.Cmd
	if a.Joins {
		m.session.ID = a.Turn.Session
		join = m.drafts.DropNew()
	}
	follow := m.followTurn(action.FollowTurn{Turn: a.Turn, Events: a.Events})
	m.openSent(a.Turn, a.OfMatrix)
	return tea.Sequence(join, follow)
}

// followTurn shows a turn that was sent and follows its events.
func (m *Model) followTurn(a action.FollowTurn) tea.Cmd {
	follow := m.turns.Follow(a.Turn, a.Events)
	m.clock(m.o.Now())
	m.show(a.Turn)
	if a.Turn.Session == m.session.ID {
		m.prompt.SetExamples(false)
	}
	return tea.Batch(follow, m.drafts.SaveNow(), m.readSession())
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
	if m.ticking || m.turns.Running() == 0 && !m.suiteRuns.IsLive() {
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
