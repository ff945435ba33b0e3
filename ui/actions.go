package ui

import (
	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/part"
)

// handle adds the root's handler of one type of action.
func handle[A action.Action](h part.Handlers, handler func(A) tea.Cmd) {
	part.Handle(h, func(a A) (action.Action, tea.Cmd) { return nil, handler(a) })
}

// newActionHandlers returns the handlers of all actions, which act on a screen.
func newActionHandlers(m *Model) part.Handlers {
	h := part.NewHandlers()
	addScreenHandlers(h, m)
	addDialogHandlers(h, m)
	addPromptHandlers(h, m)
	addAnswerHandlers(h, m)
	addPictureHandlers(h, m)
	addRunHandlers(h, m)
	addSessionHandlers(h, m)
	m.browser.AddHandlers(h)
	return h
}

// handleAction does what a pane or dialog asks for; it is the only place that does.
func (m *Model) handleAction(a action.Action) tea.Cmd {
	return m.handlers.Do(a)
}

// addScreenHandlers handles what concerns the screen as a whole, and the desktop around it.
func addScreenHandlers(h part.Handlers, m *Model) {
	handle(h, m.handleRunCommand)
	handle(h, func(a action.Focus) tea.Cmd { return m.setFocus(a.Pane) })
	handle(h, func(a action.Notify) tea.Cmd { return m.notifyWhile(a.While, a.Severity, a.Text) })
	handle(h, func(a action.Fail) tea.Cmd { return m.afterDone(doneMsg{err: a.Err}) })
	handle(h, func(action.Reread) tea.Cmd { return tea.Batch(m.refreshList(), m.readSession()) })
	handle(h, func(action.Relayout) tea.Cmd {
		m.relayout()
		return nil
	})
	handle(h, func(a action.KeepSetting) tea.Cmd { return m.keepSetting(a.Name, a.Value) })
	handle(h, func(a action.Unused) tea.Cmd { return m.notify(action.Info, m.unusedText(a)) })
	handle(h, m.setTheme)
	handle(h, m.setText)
	m.desktop.AddHandlers(h)
}

// addDialogHandlers handles what opens and closes dialogs.
func addDialogHandlers(h part.Handlers, m *Model) {
	handle(h, func(a action.CloseDialog) tea.Cmd {
		m.closeDialog(a.All)
		return nil
	})
	handle(h, func(a action.ShowDialog) tea.Cmd { return m.push(a.Dialog) })
	handle(h, func(a action.ShowHelp) tea.Cmd {
		return m.push(dialog.NewHelp(m.keys, a.Scope, m.styles))
	})
	handle(h, func(a action.ShowText) tea.Cmd {
		return m.push(dialog.NewText(a.Title, a.Text, a.Answer, m.keys, m.styles))
	})
	handle(h, func(a action.AskText) tea.Cmd { return m.push(dialog.NewAskText(a, m.keys, m.styles)) })
	handle(h, func(a action.Confirm) tea.Cmd { return m.push(dialog.NewConfirm(a, m.keys, m.styles)) })
	handle(h, func(action.PictureOptions) tea.Cmd {
		s := m.prompt.Settings()
		return m.push(dialog.NewPictureOptions(s.Aspect, s.Nonce, s.Samples, m.keys, m.styles))
	})
	handle(h, func(a action.ShowWrite) tea.Cmd {
		return m.push(dialog.NewWrite(m.writeSubject(a), m.keys, m.styles))
	})
}

// addPromptHandlers handles what concerns the prompt, its settings, and sending it.
func addPromptHandlers(h part.Handlers, m *Model) {
	handle(h, m.compose)
	handle(h, func(a action.Mark) tea.Cmd {
		m.mark(a.Models)
		m.relayout()
		return tea.Batch(m.noteChange(), m.keepSetting("models", joinSlugs(a.Models)))
	})
	m.sender.AddHandlers(h)
	handle(h, m.showSentTurn)
	handle(h, func(action.DraftChanged) tea.Cmd { return m.noteChange() })
	handle(h, func(a action.RouteKey) tea.Cmd {
		then, cmd := m.routeKey(a.Key)
		return tea.Batch(cmd, m.handleAction(then))
	})
	part.Handle(h, func(a action.Run) (action.Action, tea.Cmd) { return action.Send{}, m.compose(a.Compose) })
	handle(h, func(action.Cancel) tea.Cmd { return m.interrupt() })
	handle(h, func(action.ShowSent) tea.Cmd { return m.showSent() })
	handle(h, func(a action.RecallPrompt) tea.Cmd { return m.recall(a.Back) })
}

// addAnswerHandlers handles what concerns turns and answers.
func addAnswerHandlers(h part.Handlers, m *Model) {
	m.turns.AddHandlers(h)
	m.engines.AddHandlers(h)
	handle(h, m.afterTurn)
	handle(h, func(a action.SetAnswering) tea.Cmd {
		m.models.SetAnswering(a.By)
		return nil
	})
	m.rerunner.AddHandlers(h)
	handle(h, func(a action.ShowTurn) tea.Cmd {
		m.show(a.Turn)
		return nil
	})
	handle(h, m.followTurn)
	handle(h, m.applyEvents)
	m.comparePart.AddHandlers(h)
	handle(h, m.openComparison)
	handle(h, func(action.Stack) tea.Cmd { return m.leaveStage() })
	handle(h, func(a action.LoadTurns) tea.Cmd { return m.loadTurns(a.Page) })
	handle(h, m.findTurns)
}

// addPictureHandlers handles what concerns pictures.
func addPictureHandlers(h part.Handlers, m *Model) {
	handle(h, func(a action.LoadPicture) tea.Cmd { return m.loadPicture(a.Path) })
	handle(h, m.readChain)
}

// addRunHandlers handles what concerns suites, their runs, and the views that take the place of the panes.
func addRunHandlers(h part.Handlers, m *Model) {
	m.suiteRuns.AddHandlers(h)
	handle(h, func(a action.AskSuite) tea.Cmd { return m.push(dialog.NewSuite(a, m.keys, m.styles)) })
	handle(h, func(action.ShowTable) tea.Cmd { return m.setMode(table) })
	handle(h, func(action.ShowComparison) tea.Cmd { return m.setMode(comparison) })
	handle(h, func(a action.NoteConnection) tea.Cmd {
		m.noteConnection(a.Answer)
		return nil
	})
}

// addSessionHandlers handles what concerns sessions, personas and lists.
func addSessionHandlers(h part.Handlers, m *Model) {
	handle(h, func(a action.OpenSession) tea.Cmd { return m.openSession(a.Session, a.Turn) })
	handle(h, func(action.NewSession) tea.Cmd { return m.newSession() })
	m.changes.AddHandlers(h)
	handle(h, m.afterDelete)
}

// closeDialog closes the top dialog, or all of them.
func (m *Model) closeDialog(all bool) {
	m.dialogs.Pop()
	for all && m.dialogs.Len() > 0 {
		m.dialogs.Pop()
	}
}

// push opens a dialog and does what it wants at once.
func (m *Model) push(d action.Dialog) tea.Cmd {
	m.dialogs.Push(d)
	return nil
}

// handleRunCommand carries out a command chosen in the command list: the pane it
// belongs to gets the focus first.
func (m *Model) handleRunCommand(a action.RunCommand) tea.Cmd {
	if a.Scope == keys.Everywhere {
		wish, cmd := m.handleCommand(a.Command)
		return tea.Batch(cmd, m.handleAction(wish))
	}
	switch scope := a.Scope; scope {
	case keys.Compare, keys.Runs:
		return m.handleStageCommand(scope, a.Command)
	}
	for p, pane := range m.panes() {
		if pane.Scope() == a.Scope {
			focus := m.setFocus(action.Pane(p))
			wish, cmd := pane.HandleCommand(a.Command)
			return tea.Batch(focus, cmd, m.handleAction(wish))
		}
	}
	return nil
}
