package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/compose"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/screen"
)

// newActionHandlers returns the handlers of all actions: those of the parts, and those of the root, for what concerns
// more than one part.
func newActionHandlers(m *Model) part.Handlers {
	h := part.NewHandlers()
	for _, p := range []interface{ AddHandlers(part.Handlers) }{m.footer, &m.dialogs, m.composer, m.sessions,
		m.rerunner, m.turns, m.comparePart, m.suiteRuns, m.engines, m.desktop, m.browser,
		m.start} {
		p.AddHandlers(h)
	}
	dialog.AddHandlers(h, m.env)
	addScreenHandlers(h, m)
	addTurnHandlers(h, m)
	return h
}

// handle adds a handler of the root for one type of action.
func handle[A action.Action](h part.Handlers, handler func(A) tea.Cmd) {
	part.Handle(h, func(a A) (action.Action, tea.Cmd) { return nil, handler(a) })
}

// addScreenHandlers handles what concerns the screen as a whole.
func addScreenHandlers(h part.Handlers, m *Model) {
	part.Handle(h, m.runCommand)
	handle(h, func(a action.Focus) tea.Cmd { return m.setFocus(a.Pane) })
	part.Handle(h, func(a action.RouteKey) (action.Action, tea.Cmd) { return m.routeKey(a.Key) })
	handle(h, func(action.Relayout) tea.Cmd {
		m.relayout()
		return nil
	})
	handle(h, func(action.ShowTable) tea.Cmd { return m.setMode(modeTable) })
	handle(h, func(action.ShowComparison) tea.Cmd { return m.setMode(modeComparison) })
	handle(h, func(action.ShowNewest) tea.Cmd {
		turns := m.conversation.Turns()
		if n := len(turns); n > 0 && opensSideBySide(turns[n-1], m.sideBySide, m.w) {
			m.dock(turns[n-1])
		}
		return nil
	})
	handle(h, func(action.ShowConversation) tea.Cmd { return m.setMode(modePanes) })
	handle(h, func(action.LeaveComparison) tea.Cmd { return m.leaveView() })
	part.Handle(h, func(a action.SetTheme) (action.Action, tea.Cmd) {
		m.theme.Name = a.Name
		m.restyle()
		if !a.Save { // a preview
			return nil, nil
		}
		return action.SaveSetting{Name: "theme", Value: a.Name}, nil
	})
	part.Handle(h, m.applySettings)
	part.Handle(h, func(action.Reread) (action.Action, tea.Cmd) {
		then, cmd := m.dialogs.Update(browse.RefreshMsg{})
		return then, tea.Batch(cmd, m.sessions.Refresh(), m.readRecent(), m.suiteRuns.Refresh())
	})
}

// addTurnHandlers handles what concerns the turns on the screen.
func addTurnHandlers(h part.Handlers, m *Model) {
	handle(h, func(action.DraftChanged) tea.Cmd { return m.noteChange() })
	handle(h, m.showSentTurn)
	handle(h, m.followTurn)
	handle(h, func(a action.ShowTurn) tea.Cmd {
		m.showTurn(a.Turn)
		return nil
	})
	handle(h, func(a action.ApplyEvents) tea.Cmd {
		m.tick(m.o.Now())
		for _, e := range a.Events {
			m.engines.NoteConnection(e.Answer)
		}
		m.compare.Apply(a.Events...)
		m.conversation.Apply(a.Events...)
		return nil
	})
	part.Handle(h, func(action.TurnEnded) (action.Action, tea.Cmd) {
		m.tick(m.o.Now())
		return action.AskEngines{}, tea.Batch(m.composer.ReadModels(), m.sessions.Refresh(), m.readRecent())
	})
	handle(h, func(a action.LoadPicture) tea.Cmd {
		load := m.graphics.Load()
		return func() tea.Msg { return load.Preview(a.Path) }
	})
}

// applySettings applies what was chosen in earlier screens. What the configuration says stays stronger.
func (m *Model) applySettings(a action.ApplySettings) (action.Action, tea.Cmd) {
	m.compare.SetChosenLayouts(a.Layouts)
	m.browser.SetRecentCommands(a.Commands)
	if a.Theme != "" && m.theme.IsAuto() {
		m.theme.Name = a.Theme
		m.restyle()
	}
	if a.Models != "" && len(m.o.Default) == 0 && !m.composer.IsDraftLoaded() && len(m.conversation.Turns()) == 0 {
		m.composer.Mark(strings.Fields(a.Models))
		m.relayout()
	}
	return nil, nil
}

// readOnlyNotice says that what is written cannot be sent in the open session, which another user shares; nil where it
// can.
func (m *Model) readOnlyNotice() action.Action {
	owner := m.Session().Owner
	if owner == "" || m.prompt.IsEmpty() {
		return nil
	}
	return action.Notify{Severity: action.Info, While: func() bool { return m.Session().Owner == owner },
		Text: "This session of " + owner + " is to be read only" +
			m.o.Keys.Phrase(keys.Prompt, keys.Send, "; %s copies it into one of yours") + "."}
}

// noteChange notes that the texts or settings of the next turn changed: the prompt may need another height.
func (m *Model) noteChange() tea.Cmd {
	_, h := screen.Inner(m.layout.Panes[action.PanePrompt])
	if m.promptRows() != h || m.focus == action.PaneSystem {
		m.relayout()
	}
	return m.composer.NoteChange()
}

// showSentTurn shows a turn that was recorded, in the session that was made for it or the open one.
func (m *Model) showSentTurn(a action.TurnSent) tea.Cmd {
	var join tea.Cmd
	if a.Joins {
		join = m.sessions.Join(a.Turn.Session)
	}
	follow := m.followTurn(action.FollowTurn{Turn: a.Turn, Events: a.Events})
	m.openSent(a.Turn, a.OfMatrix)
	return tea.Sequence(join, follow)
}

// followTurn shows a turn that was sent and follows its events.
func (m *Model) followTurn(a action.FollowTurn) tea.Cmd {
	follow := m.turns.Follow(a.Turn, a.Events)
	m.tick(m.o.Now())
	m.showTurn(a.Turn)
	if a.Turn.Session == m.Session().ID {
		m.prompt.OffersExamples = false
	}
	return tea.Batch(follow, m.composer.SaveDraftNow(), m.sessions.Refresh())
}

// showTurn shows a turn anew wherever it is shown.
func (m *Model) showTurn(t history.Turn) {
	if t.Session == m.Session().ID {
		m.conversation.PutTurn(t)
	}
	m.compare.PutTurn(t)
}

// startExamples are the examples of the start page, with their keys.
func startExamples(m keys.Map) (examples []browse.Example) {
	for _, e := range compose.Examples() {
		examples = append(examples, browse.Example{Key: m.Key(keys.Prompt, e.Command), Title: e.Title, Shows: e.Shows,
			Models: e.Compose.Models, IsPicture: e.Compose.Aspect != nil})
	}
	return examples
}

// startTexts is what the start page says that is not in the history.
func (m *Model) startTexts() browse.StartTexts {
	t := browse.StartTexts{Unfinished: m.composer.OfferText()}
	switch e := m.engines.Endpoint(); {
	case m.engines.Offer() != "":
		t.Service = m.engines.Offer()
	case e.IsSimulated:
		t.Service = m.o.NextSteps
	case !e.IsEmbedded:
		t.Service = "Answers come from " + e.Host + "."
	}
	return t
}
