package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// toggleZoom fills the screen with the focused pane, or goes back.
func (m *Model) toggleZoom() action.Action {
	m.isZoomed = !m.isZoomed
	m.relayout()
	return nil
}

// share shares the run on the screen or else the open session with the team, or ends that.
func (m *Model) share() action.Action {
	run, session := m.table.ShownRun(), m.Session()
	isTable := m.mode == modeTable && !m.table.ShowsComparison()
	isRun := run.ID != 0 && (isTable || m.showsComparison() && m.compare.Case().Run == run.ID)
	switch {
	case isRun && run.Owner != "":
		return action.Notify{Severity: action.Info, Text: "This run is shared by " + run.Owner + "."}
	case isRun:
		return action.ShareRun{Run: run.ID, Stop: run.IsShared}
	case session.ID == 0:
		return action.Notify{Severity: action.Info, Text: "Nothing to share yet: the session is empty."}
	case session.Owner != "":
		return action.Notify{Severity: action.Info, Text: "This session is shared by " + session.Owner + "."}
	}
	return action.ShareSession{Session: session.ID, Stop: session.IsShared}
}

// runCommand does a command that was chosen in the list of commands: the pane it belongs to gets the focus first, or
// the view it belongs to is opened.
func (m *Model) runCommand(a action.RunCommand) (action.Action, tea.Cmd) {
	switch pane, does := m.paneOf(a.Scope, a.Command); {
	case a.Scope == keys.Everywhere:
		return m.commands.Run(a.Command), nil
	case does != nil:
		was, dialogs := m.focus, m.dialogs.Len()
		cmds := []tea.Cmd{m.setFocus(pane), m.do(does.Run(a.Command))}
		if m.dialogs.Len() > dialogs { // nothing more is to be done in the pane
			cmds = append(cmds, m.setFocus(was))
		}
		return nil, tea.Batch(cmds...)
	case a.Scope == keys.Compare:
		open := m.do(action.RunCommand{Scope: keys.Conversation, Command: keys.CompareAnswers})
		if !m.showsComparison() {
			return nil, open
		}
		return m.compare.Run(a.Command), open
	}
	return nil, nil
}

// paneOf returns the pane on the screen that does a command of a scope; nil where there is none. A view in the place of
// the conversation does what it shares with it.
func (m *Model) paneOf(scope keys.Scope, command keys.Command) (action.Pane, part.Pane) {
	if scope == keys.Text && m.focus == action.PaneSystem {
		scope = keys.System
	} else if scope == keys.Text {
		scope = keys.Prompt
	}
	if v := m.view(); v != nil {
		_, isOwn := m.o.Keys.Entry(v.Scope(), command)
		if v.Scope() == scope || scope == keys.Conversation && isOwn {
			return action.PaneConversation, v
		}
	}
	for p, pane := range m.mainPanes() {
		if pane.Scope() == scope {
			return action.Pane(p), pane
		}
	}
	return 0, nil
}

// offers tells whether the list of commands has a command now.
func (m *Model) offers(scope keys.Scope, command keys.Command) bool {
	if scope == keys.Everywhere {
		return m.commands.Offers(command)
	}
	_, does := m.paneOf(scope, command)
	if does == nil { // the comparison, which opens first
		_, canCompare := m.turnToDock()
		return canCompare
	}
	return does.Offers(command)
}

// goBack closes the top layer; with none it stops what runs, then goes to the prompt.
func (m *Model) goBack() action.Action {
	if m.focus == action.PaneConversation {
		switch {
		case m.mode == modePanes && m.conversation.ClearFind(),
			m.showsComparison() && m.compare.Back():
			return nil
		case m.mode == modeTable && m.table.Back():
			m.relayout()
			return nil
		case m.mode == modeTable && m.Session().Owner == "": // branches of others stay as they are
			return m.table.Leave()
		case m.mode == modeDocked:
			return action.Focus{Pane: action.PanePrompt}
		case m.mode != modePanes:
			return action.LeaveComparison{}
		}
	}
	switch {
	case m.isZoomed:
		return m.toggleZoom()
	case m.focus == action.PaneModels || m.focus == action.PaneSystem: // no answer is stopped from there
		return action.Focus{Pane: action.PanePrompt}
	case len(m.turns.Waiting()) > 0:
		return m.composer.TakeBack()
	case m.turns.Running() > 0:
		return action.Stop{}
	}
	if m.composer.FollowLast() {
		return action.Notify{Severity: action.Info, Text: "The next prompt continues from the last turn."}
	}
	m.engines.Dismiss()
	m.composer.DismissOffer()
	m.o.Start.NextSteps = "" // read and dismissed
	return action.Focus{Pane: action.PanePrompt}
}

// quitTwice is how soon the second ctrl+c must come.
const quitTwice = 3 * time.Second

// interrupt stops what runs, else clears the draft, else leaves when pressed twice.
func (m *Model) interrupt() action.Action {
	isSecond := func() bool { return m.o.Now().Sub(m.quitAt) < quitTwice }
	switch {
	case m.turns.Running() > 0:
		return action.Stop{}
	case !m.composer.IsEmpty():
		m.composer.Clear()
		text := "Draft cleared" + m.o.Keys.Phrase(keys.Prompt, keys.EarlierPrompt, "; %s restores it") + "."
		return action.Sequence{action.DraftChanged{},
			action.Notify{Severity: action.Info, Text: text, While: m.composer.IsEmpty}}
	case isSecond():
		return m.leave()
	}
	m.quitAt = m.o.Now()
	return action.Notify{Severity: action.Info, For: quitTwice, While: isSecond,
		Text: m.o.Keys.Phrase(keys.Everywhere, keys.Interrupt, "Press %s again to quit.")}
}

// leave ends the screen, or asks before that where it would break something off. Every way out leads here.
func (m *Model) leave() action.Action {
	if top := m.dialogs.Top(); top != nil && top.Name() == "confirm" {
		return action.Unused{Why: "Answer the question first."}
	}
	var losses []string
	if m.turns.Running() > 0 { // without their number, which changes while the question is open
		losses = append(losses, "Running answers will be cut off.")
	}
	if m.table.LiveRun() != 0 {
		losses = append(losses, "The run of the suite stops; you can continue it later.")
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
	losses = append(losses, "Quit anyway?")
	return action.Confirm{Title: "Quit confab", Question: strings.Join(losses, " "), Yes: action.Quit{}}
}
