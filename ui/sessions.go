package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/conversation"
)

type (
	// sessionMsg brings a session that was opened, or the facts of the open one.
	sessionMsg struct {
		session history.Session
		opened  bool
		turns   []history.Turn
		turn    int64 // to go to
		err     error
	}
	// turnsMsg brings a page of turns.
	turnsMsg struct {
		session int64
		page    history.Page
		turns   []history.Turn
		older   bool
		newer   bool
		err     error
	}
	recalledMsg struct {
		back  int
		text  string
		found bool
	}
)

// openSession reads a session and its newest turns, or those around one.
func (m *Model) openSession(id, turn int64) tea.Cmd {
	ctx, svc, save := m.ctx, m.o.Service, m.drafts.Save()
	open := func() tea.Msg {
		s, err := svc.Session(ctx, id)
		if err != nil {
			return sessionMsg{err: err, opened: true}
		}
		turns, err := svc.Turns(ctx, id, history.Page{Around: turn, Limit: conversation.PageSize})
		return sessionMsg{session: s, turns: turns, turn: turn, opened: true, err: err}
	}
	return tea.Sequence(save, open)
}

// readSession reads the counts of the open session again.
func (m *Model) readSession() tea.Cmd {
	ctx, svc, id := m.ctx, m.o.Service, m.session.ID
	if id == 0 {
		return nil
	}
	return func() tea.Msg {
		s, err := svc.Session(ctx, id)
		return sessionMsg{session: s, err: err}
	}
}

func (m *Model) afterSession(msg sessionMsg) tea.Cmd {
	switch {
	case msg.err != nil && msg.opened:
		return m.fail(msg.err)
	case msg.err != nil:
		return nil
	case !msg.opened:
		if msg.session.ID == m.session.ID {
			m.session = msg.session
		}
		return nil
	}
	if m.mode != panes { // a list was opened over a comparison or a table
		m.setMode(panes)
	}
	m.session = msg.session
	older := len(msg.turns) > 0 && len(msg.turns) < msg.session.Turns
	m.conversation.SetTurns(msg.turns, older && msg.turn == 0)
	if msg.turn != 0 {
		m.conversation.SetWindow(msg.turns, older, older, msg.turn)
	}
	m.leavePrompt()
	m.system.SetText("")
	m.persona = named{}
	m.drafts.Forget()
	if n := len(msg.turns); n > 0 {
		last := msg.turns[n-1]
		m.system.SetText(last.System)
		m.markOf(last)
	}
	m.prompt.SetExamples(len(msg.turns) == 0)
	m.relayout()
	return m.drafts.Load(msg.session.ID)
}

// markOf marks the models a turn went to.
func (m *Model) markOf(t history.Turn) {
	var slugs []string
	for _, a := range t.Answers {
		slugs = append(slugs, a.Model)
	}
	m.mark(slugs)
}

func (m *Model) mark(slugs []string) {
	m.models.SetMarked(slugs)
	m.prompt.SetKinds(m.models.Kinds())
}

// newSession leaves the open session for an empty one.
func (m *Model) newSession() tea.Cmd {
	save := m.drafts.Save()
	if m.docked {
		m.setMode(panes)
	}
	m.sender.LeaveSession()
	m.session = history.Session{}
	m.conversation.SetTurns(nil, false)
	m.leavePrompt()
	m.prompt.SetExamples(true)
	m.drafts.Forget()
	m.relayout()
	return tea.Batch(tea.Sequence(save, m.drafts.LoadNew()), m.setFocus(action.PanePrompt))
}

// leavePrompt empties the prompt pane for another session. The text is the draft of the session that is left; where
// drafts are not saved it is kept among the earlier prompts.
func (m *Model) leavePrompt() {
	if m.saving {
		m.prompt.SetText("")
	} else {
		m.prompt.Replace("")
	}
}

// loadTurns reads a page of the open session.
func (m *Model) loadTurns(p history.Page) tea.Cmd {
	ctx, svc, id := m.ctx, m.o.Service, m.session.ID
	return func() tea.Msg {
		turns, err := svc.Turns(ctx, id, p)
		msg := turnsMsg{session: id, page: p, turns: turns, err: err}
		full := len(turns) >= p.Limit
		msg.older = p.After == 0 && (full || p.Around > conversation.FirstTurn)
		msg.newer = p.After != 0 && full || p.Around != 0
		return msg
	}
}

func (m *Model) afterTurns(msg turnsMsg) {
	if msg.err != nil || msg.session != m.session.ID {
		return
	}
	p := msg.page
	switch {
	case p.Before != 0:
		m.conversation.AddOlder(msg.turns, msg.older)
	case p.After != 0:
		m.conversation.AddNewer(msg.turns, msg.newer)
	case p.Around == conversation.FirstTurn:
		m.conversation.SetWindow(msg.turns, false, msg.newer, 0)
	case p.Around != 0:
		m.conversation.SetWindow(msg.turns, msg.older, msg.newer, p.Around)
	default:
		m.conversation.SetTurns(msg.turns, msg.older)
	}
}

// recall reads the n-th newest prompt of all sessions.
func (m *Model) recall(back int) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		hits, err := svc.Prompts(ctx, "", back)
		if err != nil || len(hits) < back || back < 1 {
			return recalledMsg{back: back}
		}
		return recalledMsg{back: back, text: hits[back-1].Prompt, found: true}
	}
}

// afterDelete removes from the screen what was deleted.
func (m *Model) afterDelete(a action.Deleted) tea.Cmd {
	switch {
	case a.Session == m.session.ID && a.Session != 0:
		return m.newSession()
	case a.Turn != 0:
		m.conversation.RemoveTurn(a.Turn)
		return nil
	}
	var reread action.RereadTurns
	for _, t := range m.conversation.Turns() {
		if slices.ContainsFunc(t.Answers, func(x history.Answer) bool { return slices.Contains(a.Answers, x.ID) }) {
			reread.Turns = append(reread.Turns, t.ID)
		}
	}
	return m.handleAction(reread)
}

func (m *Model) findTurns(a action.FindTurns) tea.Cmd {
	ctx, svc, id := m.ctx, m.o.Service, m.session.ID
	return func() tea.Msg {
		turns, err := svc.FindInSession(ctx, id, a.Text)
		if err != nil {
			return doneMsg{err: err}
		}
		return conversation.FoundTurnsMsg{Gen: a.Gen, Turns: turns}
	}
}
