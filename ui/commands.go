package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/keys"
)

// handleCommand handles a command of scope Everywhere.
func (m *Model) handleCommand(command keys.Command) (action.Action, tea.Cmd) {
	switch command {
	case keys.Interrupt:
		return nil, m.interrupt()
	case keys.Back:
		return nil, m.back()
	case keys.NextPane:
		return nil, m.stepFocus(1)
	case keys.PreviousPane:
		return nil, m.stepFocus(-1)
	case keys.Pane1, keys.ChooseModels:
		return nil, m.setFocus(action.PaneModels)
	case keys.Pane2:
		return nil, m.setFocus(action.PaneConversation)
	case keys.Pane3:
		return nil, m.setFocus(action.PaneSystem)
	case keys.Pane4:
		return nil, m.setFocus(action.PanePrompt)
	case keys.Commands:
		return action.ShowList{List: action.ListCommands}, nil
	case keys.Help:
		return action.ShowHelp{Scope: m.pane(m.focus).Scope()}, nil
	case keys.Personas:
		return action.ShowList{List: action.ListPersonas}, nil
	case keys.Sessions:
		return action.ShowList{List: action.ListSessions}, nil
	case keys.NewSession:
		return action.NewSession{}, nil
	case keys.LastSession:
		return m.resumeOffer.OpenLast()
	case keys.OldPrompts:
		return action.ShowList{List: action.ListPrompts}, nil
	case keys.Pictures:
		return action.ShowList{List: action.ListPictures}, nil
	case keys.ShowRuns:
		m.suiteRuns.EndComparing()
		return action.ShowList{List: action.ListRuns}, nil
	case keys.RunSuite:
		return action.ShowList{List: action.ListSuites}, nil
	case keys.Themes:
		return action.ShowList{List: action.ListThemes}, nil
	case keys.ExternalEditor:
		return m.editFocused(), nil
	case keys.CopyNewest:
		return m.copyNewest(), nil
	case keys.SendFresh:
		return action.Send{Fresh: true}, nil
	case keys.SaveAgain:
		return action.SaveAgain{}, nil
	case keys.TakeEngines:
		return action.TakeEngines{}, nil
	case keys.Undo:
		return action.Undo{}, nil
	}
	return nil, m.handleScreenCommand(command)
}

// handleScreenCommand handles the commands that concern the screen itself.
func (m *Model) handleScreenCommand(command keys.Command) tea.Cmd {
	switch command {
	case keys.ToggleContext:
		return m.toggleContext()
	case keys.ToggleMouse:
		m.mouse = !m.mouse
		if m.mouse {
			return m.notify(action.Info, "The mouse works in confab: wheel, click. Press the key again to select "+
				"text with "+
				"the terminal.")
		}
		return m.notify(action.Info, "The mouse is the terminal's: select and copy as you are used to.")
	case keys.SideBySide:
		return m.toggleSideBySide()
	case keys.ZoomPane:
		m.zoom = !m.zoom
		m.relayout()
	case keys.Suspend:
		return tea.Suspend
	case keys.Redraw:
		return tea.Sequence(m.graphics.Forget(), tea.ClearScreen)
	case keys.Quit:
		return m.quit()
	}
	return nil
}

// stepFocus moves the focus to the next pane that is shown, or could be.
func (m *Model) stepFocus(n int) tea.Cmd {
	count := len(m.layout.Panes)
	return m.setFocus(action.Pane((int(m.focus) + n + count) % count))
}

// back closes the top layer; with none it cancels what runs, then goes to the
// prompt.
func (m *Model) back() tea.Cmd {
	staged := m.mode != panes && m.focus == action.PaneConversation
	switch {
	case m.mode == panes && m.focus == action.PaneConversation && m.conversation.ClearFind():
	case staged && m.mode == comparison && m.compare.Back():
	case staged && m.mode == table && m.table.Back():
	case staged && m.docked:
		return m.setFocus(action.PanePrompt)
	case staged:
		return m.leaveStage()
	case m.zoom:
		m.zoom = false
		m.relayout()
	case m.turns.Running() > 0:
		return m.handleAction(action.Stop{})
	default:
		m.engines.Dismiss()
		m.resumeOffer.Dismiss()
		m.o.NextSteps = "" // read and dismissed
		return m.setFocus(action.PanePrompt)
	}
	return nil
}

// quitTwice is how soon the second ctrl+c must come.
const quitTwice = 3 * time.Second

// interrupt cancels what runs, else clears the draft, else leaves when pressed
// twice.
func (m *Model) interrupt() tea.Cmd {
	switch {
	case m.turns.Running() > 0:
		return m.handleAction(action.Stop{})
	case !m.prompt.Empty():
		m.prompt.Replace("")
		m.relayout()
		return tea.Batch(m.noteChange(), m.notifyWhile(m.prompt.Empty, action.Info,
			"The draft is cleared"+m.keys.Phrase(keys.Prompt, keys.EarlierPrompt, "; %s brings it back")+"."))
	case m.o.Now().Sub(m.quitAt) < quitTwice:
		return m.quit()
	}
	m.quitAt = m.o.Now()
	return m.notice.ShowFor(quitTwice, action.Notify{Severity: action.Info,
		Text:  m.keys.Phrase(keys.Everywhere, keys.Interrupt, "Press %s once more to leave."),
		While: func() bool { return m.o.Now().Sub(m.quitAt) < quitTwice }})
}

// quit keeps the draft and leaves.
func (m *Model) quit() tea.Cmd {
	m.leaving = true
	return tea.Sequence(m.drafts.Save(), m.graphics.Free(), tea.Quit)
}

func (m *Model) toggleContext() tea.Cmd {
	s := m.prompt.Settings()
	s.Context = !s.Context
	m.prompt.SetSettings(s)
	text := "Context is off: each prompt stands alone."
	if s.Context {
		text = "Context is on: the session's earlier turns go with the prompt."
	}
	return tea.Batch(m.noteChange(), m.notify(action.Info, text))
}

func (m *Model) copyNewest() action.Action {
	a, ok := m.conversation.Newest()
	switch {
	case !ok:
		return action.Notify{Severity: action.Warn, Text: "There is no answer to copy yet."}
	case a.Picture != nil:
		return action.Copy{Text: a.Picture.Path, What: "the newest picture's path"}
	}
	return action.Copy{Text: a.Text, What: "the newest answer, of " + a.Model}
}

// editFocused opens the external editor on the focused text; without one, on the prompt.
func (m *Model) editFocused() action.Action {
	if m.focus == action.PaneSystem {
		return action.Edit{Pane: action.PaneSystem, Text: m.system.Text()}
	}
	return action.Edit{Pane: action.PanePrompt, Text: m.prompt.Text()}
}
