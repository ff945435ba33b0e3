package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/keys"
)

// actionOf returns the action that a command of scope Everywhere stands for, nil for one that the root does itself.
func actionOf(command keys.Command) action.Action {
	return map[keys.Command]action.Action{
		keys.Pane1:        action.Focus{Pane: action.PaneModels},
		keys.Pane2:        action.Focus{Pane: action.PaneConversation},
		keys.Pane3:        action.Focus{Pane: action.PaneSystem},
		keys.Pane4:        action.Focus{Pane: action.PanePrompt},
		keys.ChooseModels: action.Focus{Pane: action.PaneModels},
		keys.Commands:     action.ShowList{List: action.ListCommands},
		keys.Personas:     action.ShowList{List: action.ListPersonas},
		keys.Sessions:     action.ShowList{List: action.ListSessions},
		keys.OldPrompts:   action.ShowList{List: action.ListPrompts},
		keys.Pictures:     action.ShowList{List: action.ListPictures},
		keys.RunSuite:     action.ShowList{List: action.ListSuites},
		keys.Themes:       action.ShowList{List: action.ListThemes},
		keys.NewSession:   action.NewSession{},
		keys.SendFresh:    action.Send{Fresh: true},
		keys.SaveAgain:    action.SaveAgain{},
		keys.TakeEngines:  action.TakeEngines{},
		keys.Undo:         action.Undo{},
	}[command]
}

// handleCommand handles a command of scope Everywhere.
func (m *Model) handleCommand(command keys.Command) (action.Action, tea.Cmd) {
	switch command {
	case keys.Interrupt:
		return m.interrupt()
	case keys.Back:
		return m.goBack()
	case keys.NextPane:
		return nil, m.nextPane(1)
	case keys.PreviousPane:
		return nil, m.nextPane(-1)
	case keys.Help:
		return action.ShowHelp{Scope: m.pane(m.focus).Scope()}, nil
	case keys.LastSession:
		return m.composer.OpenLast()
	case keys.ShowRuns:
		m.table.EndComparing()
		return action.ShowList{List: action.ListRuns}, nil
	case keys.Share:
		return m.share(), nil
	case keys.ExternalEditor:
		return m.composer.EditText(m.focus), nil
	case keys.CopyNewest:
		return m.conversation.CopyNewest(), nil
	case keys.ToggleContext:
		return m.composer.ToggleContext()
	case keys.ToggleMouse:
		return m.mouse.Toggle(), nil
	case keys.SideBySide:
		return nil, m.toggleSideBySide()
	case keys.ZoomPane:
		m.isZoomed = !m.isZoomed
		m.relayout()
	case keys.Suspend:
		return nil, tea.Suspend
	case keys.Redraw:
		return nil, tea.Sequence(m.graphics.Forget(), tea.ClearScreen)
	case keys.Quit:
		return m.leave(), nil
	}
	return actionOf(command), nil
}

// share shares the run on the screen or else the open session with the team, or ends that.
func (m *Model) share() action.Action {
	run, session := m.table.ShownRun(), m.Session()
	isTable := m.mode == modeTable && !m.table.ShowsComparison()
	isRun := run.ID != 0 && (isTable || m.comparedRun() == run.ID)
	switch {
	case isRun && run.Owner != "":
		return action.Notify{Severity: action.Info, Text: "This run is shared by " + run.Owner + "."}
	case isRun:
		return action.ShareRun{Run: run.ID, Stop: run.IsShared}
	case session.ID == 0:
		return action.Notify{Severity: action.Info, Text: "There is nothing to share yet: the session is empty."}
	case session.Owner != "":
		return action.Notify{Severity: action.Info, Text: "This session is shared by " + session.Owner + "."}
	}
	return action.ShareSession{Session: session.ID, Stop: session.IsShared}
}

// runCommand does a command that was chosen in the list of commands: the pane it belongs to gets the focus first, or
// the view it belongs to is opened.
func (m *Model) runCommand(a action.RunCommand) (action.Action, tea.Cmd) {
	if a.Scope == keys.Everywhere {
		return m.handleCommand(a.Command)
	}
	if v := m.view(); v != nil {
		_, isOwn := m.o.Keys.Entry(v.Scope(), a.Command)
		if v.Scope() == a.Scope || a.Scope == keys.Conversation && isOwn {
			focus := m.setFocus(action.PaneConversation)
			then, cmd := v.HandleCommand(a.Command)
			return then, tea.Batch(focus, cmd)
		}
	}
	switch a.Scope {
	case keys.Runs:
		return action.ShowList{List: action.ListRuns}, nil
	case keys.Compare:
		open := m.do(action.RunCommand{Scope: keys.Conversation, Command: keys.CompareAnswers})
		if !m.showsComparison() {
			return nil, open
		}
		then, cmd := m.compare.HandleCommand(a.Command)
		return then, tea.Batch(open, cmd)
	}
	for p, pane := range m.mainPanes() {
		if pane.Scope() == a.Scope {
			focus := m.setFocus(action.Pane(p))
			then, cmd := pane.HandleCommand(a.Command)
			return then, tea.Batch(focus, cmd)
		}
	}
	return nil, nil
}

// applies tells whether a command of the palette can do something now.
func (m *Model) applies(scope keys.Scope, command keys.Command) bool {
	_, answer, hasAnswer := m.conversation.Focused()
	_, canCompare := m.turnToDock()
	isComparing := m.showsComparison()
	switch command {
	case keys.SaveAgain:
		return !m.sessions.IsSaving()
	case keys.Share:
		return m.sessions.CanShare() && (m.Session().ID != 0 || m.mode == modeTable)
	case keys.Undo:
		return m.sessions.CanUndo()
	case keys.StopAll:
		return m.turns.Running() > 0
	case keys.ShowSent:
		return !m.composer.IsEmpty()
	case keys.TakeEngines:
		return m.engines.Offer() != ""
	case keys.LastSession:
		return m.Session().ID != 0 || m.start.Continue() != nil
	case keys.SendFresh:
		return len(m.conversation.Turns()) > 0
	case keys.CompareAnswers:
		return canCompare
	case keys.ViewLarge, keys.EditChain:
		return hasAnswer && !isComparing && answer.Picture != nil
	}
	switch scope {
	case keys.Conversation:
		return hasAnswer || isComparing
	case keys.Compare:
		return canCompare || isComparing
	}
	return true
}

// goBack closes the top layer; with none it stops what runs, then goes to the prompt.
func (m *Model) goBack() (action.Action, tea.Cmd) {
	if m.focus == action.PaneConversation {
		switch {
		case m.mode == modePanes && m.conversation.ClearFind(),
			m.showsComparison() && m.compare.Back():
			return nil, nil
		case m.mode == modeTable && m.table.Back():
			m.relayout()
			return nil, nil
		case m.mode == modeDocked:
			return action.Focus{Pane: action.PanePrompt}, nil
		case m.mode != modePanes:
			return nil, m.leaveView()
		}
	}
	switch {
	case m.isZoomed:
		m.isZoomed = false
		m.relayout()
		return nil, nil
	case m.turns.Running() > 0:
		return action.Stop{}, nil
	}
	m.engines.Dismiss()
	m.composer.DismissOffer()
	m.o.NextSteps = "" // read and dismissed
	return action.Focus{Pane: action.PanePrompt}, nil
}

// quitTwice is how soon the second ctrl+c must come.
const quitTwice = 3 * time.Second

// interrupt stops what runs, else clears the draft, else leaves when pressed twice.
func (m *Model) interrupt() (action.Action, tea.Cmd) {
	isSecond := func() bool { return m.o.Now().Sub(m.quitAt) < quitTwice }
	switch {
	case m.turns.Running() > 0:
		return action.Stop{}, nil
	case !m.composer.IsEmpty():
		m.composer.Replace("")
		text := "The draft is cleared" + m.o.Keys.Phrase(keys.Prompt, keys.EarlierPrompt, "; %s brings it back") + "."
		return action.Sequence{action.DraftChanged{},
			action.Notify{Severity: action.Info, Text: text, While: m.composer.IsEmpty}}, nil
	case isSecond():
		return m.leave(), nil
	}
	m.quitAt = m.o.Now()
	return action.Notify{Severity: action.Info, For: quitTwice, While: isSecond,
		Text: m.o.Keys.Phrase(keys.Everywhere, keys.Interrupt, "Press %s once more to leave.")}, nil
}

// leave ends the screen, or asks before that where it would break something off. Every way out leads here.
func (m *Model) leave() action.Action {
	if top := m.dialogs.Top(); top != nil && top.Name() == "confirm" {
		return action.Unused{Why: "Answer the question first."}
	}
	var losses []string
	if m.turns.Running() > 0 { // without their number, which changes while the question is open
		losses = append(losses, "What is still being written will be cut off.")
	}
	if m.table.LiveRun() != 0 {
		losses = append(losses, "The run of a suite stops; it can be continued later.")
	}
	if n := m.o.Service.UnsavedTurns(); n > 0 {
		losses = append(losses, format.Several(n, "turn is", "turns are")+" not saved and will be lost.")
	}
	if n := m.o.Service.Unsaved(); n > 0 {
		losses = append(losses, format.Several(n, "answer is", "answers are")+" not saved and will be lost.")
	}
	if len(losses) == 0 {
		return action.Quit{}
	}
	return action.Confirm{Title: "Leave confab", Question: strings.Join(losses, " ") + " Leave?", Yes: action.Quit{}}
}

// quit saves the draft and leaves.
func (m *Model) quit() tea.Cmd {
	m.isLeaving = true
	return tea.Sequence(m.composer.SaveDraft(), m.graphics.Free(), tea.Quit)
}
