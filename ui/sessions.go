package ui

import (
	"fmt"
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
	deletedMsg struct {
		trash   []history.Trash
		what    string // "The answer is"
		gone    action.Delete
		answers []int64 // that went together
		err     error
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
// drafts
// are not saved it is kept among the earlier prompts.
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

// stillRemoving is said to who deletes while what was deleted before is still seen.
const stillRemoving = "The deletion before this one is not done yet."

// remove hides what is to be deleted; undo brings it back.
func (m *Model) remove(d action.Delete) tea.Cmd {
	if m.removing {
		return m.notify(action.Info, stillRemoving)
	}
	m.removing = true
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		msg := deletedMsg{gone: d}
		var trash history.Trash
		switch {
		case d.Session != 0:
			msg.what = "The session is"
			trash, msg.err = svc.DeleteSession(ctx, d.Session)
		case d.Turn != 0:
			msg.what = "The turn is"
			trash, msg.err = svc.DeleteTurn(ctx, d.Turn)
		default:
			msg.what, msg.answers = "The answer is", []int64{d.Answer}
			trash, msg.err = svc.DeleteAnswer(ctx, d.Answer)
		}
		if msg.err == nil {
			msg.trash = []history.Trash{trash}
		}
		return msg
	}
}

// removePictures hides answers with their pictures. Where some cannot be hidden
// the others are, and the first reason is told.
func (m *Model) removePictures(answers []int64) tea.Cmd {
	if m.removing {
		return m.notify(action.Info, stillRemoving)
	}
	m.removing = true
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		msg := deletedMsg{}
		for _, id := range answers {
			t, err := svc.DeleteAnswer(ctx, id)
			if err != nil {
				if msg.err == nil {
					msg.err = err
				}
				continue
			}
			msg.trash, msg.answers = append(msg.trash, t), append(msg.answers, id)
		}
		if msg.what = "The picture is"; len(msg.answers) > 1 {
			msg.what = fmt.Sprintf("%d pictures are", len(msg.answers))
		}
		return msg
	}
}

func (m *Model) afterDeleted(msg deletedMsg) tea.Cmd {
	m.removing = false
	if len(msg.trash) == 0 {
		return m.fail(msg.err)
	}
	m.trash = append(m.trash, msg.trash)
	undo := ""
	if h := m.keys.Hints("everywhere", "undo"); len(h) > 0 {
		undo = fmt.Sprintf(" %s brings %s back.", h[0].Key, either(len(msg.trash), "it", "them"))
	}
	deleted := len(m.trash)
	cmds := []tea.Cmd{m.notifyWhile(func() bool { return len(m.trash) >= deleted }, action.Info,
		fmt.Sprintf("%s deleted.%s", msg.what, undo))}
	if msg.err != nil {
		cmds = append(cmds, m.fail(msg.err))
	}
	switch {
	case msg.gone.Session == m.session.ID && msg.gone.Session != 0:
		cmds = append(cmds, m.newSession())
	case msg.gone.Turn != 0:
		m.conversation.RemoveTurn(msg.gone.Turn)
	case len(msg.answers) > 0:
		cmds = append(cmds, m.rereadTurnsOf(msg.answers))
	}
	return tea.Batch(append(cmds, m.refreshList(), m.readSession())...)
}

// either returns the words for one thing, or those for several.
func either(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// rereadTurnsOf shows the turns of answers as the store has them now.
func (m *Model) rereadTurnsOf(answers []int64) tea.Cmd {
	var cmds []tea.Cmd
	for _, t := range m.conversation.Turns() {
		if slices.ContainsFunc(t.Answers, func(a history.Answer) bool { return slices.Contains(answers, a.ID) }) {
			cmds = append(cmds, m.rereadTurn(t.ID))
		}
	}
	return tea.Batch(cmds...)
}

func (m *Model) rereadTurn(id int64) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		t, err := svc.Turn(ctx, id)
		if err != nil {
			return doneMsg{err: err}
		}
		return turnMsg{turn: t}
	}
}

// turnMsg brings a turn to be shown anew.
type turnMsg struct{ turn history.Turn }

func (m *Model) undo() tea.Cmd {
	if len(m.trash) == 0 {
		return m.notifyWhile(func() bool { return len(m.trash) == 0 }, action.Info, "There is nothing to undo.")
	}
	last := m.trash[len(m.trash)-1]
	m.trash = m.trash[:len(m.trash)-1]
	ctx, svc, session := m.ctx, m.o.Service, m.session.ID
	return func() tea.Msg {
		for _, t := range last {
			if err := svc.Undelete(ctx, t); err != nil {
				return doneMsg{err: err}
			}
		}
		msg := doneMsg{text: either(len(last), "It is back.", "They are back.")}
		if session != 0 {
			msg.then = action.LoadTurns{Page: history.Page{Limit: conversation.PageSize}}
		}
		return msg
	}
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
