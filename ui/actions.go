package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/dialog"
	"confab/ui/screen"
)

// do handles an action, and the actions that follow from it.
func (m *Model) do(a action.Action) tea.Cmd {
	var cmds []tea.Cmd
	for a != nil {
		next, cmd := m.handle(a)
		a, cmds = next, append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// open returns the action that opens a dialog.
func open(d action.Dialog) (action.Action, tea.Cmd) { return action.ShowDialog{Dialog: d}, nil }

// handle hands an action to what does it, and returns the action that follows from it, nil for none.
func (m *Model) handle(a action.Action) (action.Action, tea.Cmd) {
	switch a := a.(type) {
	case action.Sequence:
		cmds := make([]tea.Cmd, len(a))
		for i, each := range a {
			cmds[i] = m.do(each)
		}
		return nil, tea.Batch(cmds...)
	case action.TeaCmd:
		return nil, a.Cmd

	// notices and dialogs
	case action.Notify:
		return nil, m.footer.Notify(a)
	case action.Fail:
		return m.footer.Fail(a)
	case action.Unused:
		return nil, m.footer.Unused(a)
	case action.ShowDialog:
		m.dialogs.Push(a.Dialog)
	case action.CloseDialog:
		m.dialogs.Close(a)
	case action.ShowHelp:
		return open(dialog.NewHelp(m.o.Keys, a.Scope, m.styles))
	case action.ShowText:
		return open(dialog.NewText(a, m.o.Keys, m.styles))
	case action.AskText:
		return open(dialog.NewAskText(a, m.o.Keys, m.styles))
	case action.ShowWrite:
		a.Folder = m.o.Service.Paths().Name(m.o.Service.ExportFolder())
		return open(dialog.NewWrite(a, m.o.Keys, m.styles))
	case action.Confirm:
		return open(dialog.NewConfirm(a, m.o.Keys, m.styles))
	case action.Choose:
		return open(dialog.NewChoose(a, m.o.Keys, m.styles))
	case action.AskSuite:
		return open(dialog.NewSuite(a, m.o.Keys, m.styles))

	// lists and pictures
	case action.ShowList:
		return m.browser.ShowList(a)
	case action.PickFile:
		return m.browser.PickFile()
	case action.PickSource:
		return m.browser.PickSource(a)
	case action.ViewPictures:
		return m.browser.ViewPictures(a)
	case action.ViewTurn:
		return m.browser.ViewTurn(a)
	case action.ShowChain:
		return m.browser.ShowEdits(a)
	case action.NoteCommand:
		return m.browser.NoteCommand(a)
	case action.LoadPicture:
		load := m.graphics.Load()
		return nil, func() tea.Msg { return load.Preview(a.File) }

	// the next turn
	case action.Send:
		return m.composer.Send(a)
	case action.SendPrompts:
		return m.composer.SendPrompts(a)
	case action.Fill:
		return m.composer.Fill(a)
	case action.Compose:
		return m.composer.Compose(a)
	case action.DraftSystem:
		return m.composer.DraftSystem(a)
	case action.KeepPersona:
		return m.composer.KeepPersona(a)
	case action.Attach:
		return m.composer.Attach(a)
	case action.TypeFileName:
		return m.composer.TypeFileName(a)
	case action.Paste:
		return m.desktop.Paste()
	case action.PasteText:
		return m.composer.Paste(a)
	case action.AttachPicture:
		return m.composer.AttachPicture(a)
	case action.Mark:
		return m.composer.MarkModels(a)
	case action.SetText:
		return m.composer.SetText(a)
	case action.TakeEdited:
		return m.composer.TakeEdited(a)
	case action.DraftChanged:
		return nil, m.noteChange()

	// turns that were sent
	case action.TurnsSent:
		return m.showSent(a)
	case action.FollowTurn:
		return nil, m.followTurn(a)
	case action.ShowTurn:
		if _, isHeld := m.turns.Turn(a.Turn.ID); isHeld && m.turns.IndexOf(a.Turn.ID) < 0 {
			m.turns.Put(a.Turn) // of a branch that the conversation does not show
			return nil, nil
		}
		m.showTurn(a.Turn)
	case action.AnswersEnded:
		then, cmd := m.dialogs.Update(browse.RefreshMsg{OnlyEnded: true})
		return then, tea.Batch(cmd, m.readRecent())
	case action.TurnEnded:
		return action.Sequence{action.AskEngines{}, action.SendPrompts{}},
			tea.Batch(m.composer.FollowEdit(a.Turn), m.composer.ReadModels(), m.sessions.Refresh())
	case action.Stop:
		return m.turns.Stop(a)
	case action.SaveAgain:
		if !m.composer.IsSaving {
			return m.sessions.Reopen()
		}
		return m.turns.SaveAgain(a)
	case action.Again:
		return m.turns.Again(a)
	case action.Resume:
		return m.turns.Resume(a)
	case action.Continue:
		return m.turns.Continue(a)

	// sessions
	case action.OpenSession:
		return m.sessions.OpenSession(a)
	case action.NewSession:
		return m.sessions.NewSession(a)
	case action.LoadTurns:
		return m.sessions.LoadTurns(a)
	case action.ShowBranch:
		return m.sessions.ShowBranch(a)
	case action.FindTurns:
		return m.sessions.FindTurns(a)
	case action.RereadTurns:
		return m.sessions.RereadTurns(a)
	case action.SaveSetting:
		return m.sessions.SaveSetting(a)
	case action.Rename:
		return m.sessions.Rename(a)
	case action.Fork:
		return m.sessions.Fork(a)
	case action.ShareSession:
		return m.sessions.ShareSession(a)
	case action.Judge:
		return m.sessions.Judge(a)
	case action.ToggleBest:
		return m.sessions.ToggleBest(a)
	case action.SavePersona:
		return m.sessions.SavePersona(a)
	case action.DeletePersona:
		return m.sessions.DeletePersona(a)
	case action.Delete:
		return m.sessions.Delete(a)
	case action.DeletePictures:
		return m.sessions.DeletePictures(a)
	case action.Deleted:
		return m.sessions.RemoveDeleted(a)
	case action.Undo:
		return m.sessions.Undo(a)
	case action.ReadRecent:
		return nil, m.start.ReadRecent()

	// comparisons and votes
	case action.Compare:
		return m.compare.Compare(a)
	case action.ShowRow:
		return m.compare.ShowRow(a)
	case action.StepCase:
		return m.compare.StepCase(a)
	case action.ShowDifference:
		return m.compare.ShowDifference(a)
	case action.StartVote:
		return m.compare.StartVote(a)
	case action.Vote:
		return m.compare.StoreVote(a)
	case action.UndoVote:
		return m.compare.UndoVote(a)
	case action.ShowWins:
		return m.compare.ShowWins(a)
	case action.LoadWins:
		return nil, m.compare.LoadWins(a.Scope)

	// suites and their runs
	case action.EditSuite:
		return m.browser.EditSuite(a)
	case action.SetSuitePart:
		return m.browser.SetSuitePart(a)
	case action.OpenSuite:
		return m.table.OpenSuite(a)
	case action.RunSuite:
		return m.table.StartRun(a)
	case action.StopRun:
		return m.table.StopRun(a)
	case action.ResumeRun:
		return m.table.ResumeRun(a)
	case action.ShowTable:
		return m.table.ShowTurns(a)
	case action.ShowRun:
		return m.table.ShowRun(a)
	case action.RenumberRuns:
		return nil, m.table.Renumber(a.IDs)
	case action.ShareRun:
		return m.table.ShareRun(a)
	case action.AdoptRun:
		return m.table.AdoptRun(a)
	case action.OpenRow:
		return m.table.OpenRow(a)
	case action.CompareRuns:
		return m.table.CompareRuns(a)

	// engines, the desktop and its clipboard
	case action.FindEngines:
		return m.engines.ShowFound()
	case action.TakeEngines:
		return m.engines.TakeFound()
	case action.AskEngines:
		return nil, m.engines.Ask()
	case action.NoteConnection:
		m.engines.NoteConnection(a.Answer)
	case action.Copy:
		return m.desktop.Copy(a)
	case action.Open:
		return m.desktop.Open(a)
	case action.Edit:
		return m.desktop.Edit(a)
	case action.Write:
		return m.desktop.Write(a)
	case action.Curl:
		return m.desktop.Curl(a)
	case action.Inspect:
		return m.desktop.Inspect(a)
	case action.FetchPictures:
		return m.desktop.Fetch(a)
	case action.Alert:
		return m.desktop.Alert(a)

	// the screen as a whole
	case action.RunCommand:
		return m.runCommand(a)
	case action.Focus:
		return nil, m.setFocus(a.Pane)
	case action.Route:
		return m.route(a.Msg)
	case action.RouteKey:
		return m.routeKey(a.Key)
	case action.Relayout:
		m.relayout()
	case action.FocusTable:
		return nil, m.setMode(modeTable)
	case action.ShowComparison:
		return nil, m.setMode(modeComparison)
	case action.ShowNewest:
		m.showNewest()
	case action.ShowConversation:
		return nil, m.setMode(modePanes)
	case action.LeaveComparison:
		return nil, m.leaveView()
	case action.SetTheme:
		m.theme.Name = a.Name
		m.restyle()
		if a.Save { // otherwise it is a preview
			return action.SaveSetting{Name: "theme", Value: a.Name}, nil
		}
	case action.ApplySettings:
		return m.applySettings(a)
	case action.Quit:
		m.isLeaving, m.refusal = true, a.Err
		return nil, tea.Sequence(m.composer.SaveDraft(), m.graphics.Free(), tea.Quit)
	case action.Reread:
		then, cmd := m.dialogs.Update(browse.RefreshMsg{})
		return then, tea.Batch(cmd, m.sessions.Refresh(), m.readRecent(), m.table.Refresh(),
			m.composer.ReadPersonas())
	default:
		panic(fmt.Sprintf("ui: an action without a handler: %T", a))
	}
	return nil, nil
}

// showNewest shows the newest turn of a session that was just opened, side by side where turns open so.
func (m *Model) showNewest() {
	turns := m.turns.Window()
	if n := len(turns); n > 0 && opensSideBySide(turns[n-1], m.sideBySide, m.w) {
		m.dock(turns[n-1])
	}
}

// applySettings applies what was chosen in earlier screens. What the configuration says stays stronger.
func (m *Model) applySettings(a action.ApplySettings) (action.Action, tea.Cmd) {
	m.compare.SetChosenLayouts(a.Layouts)
	m.browser.SetRecentCommands(a.Commands)
	if a.Theme != "" && m.theme.IsAuto() {
		m.theme.Name = a.Theme
		m.restyle()
	}
	if a.Models != "" && len(m.o.Start.Marked) == 0 && !m.composer.IsDraftLoaded() && len(m.turns.Window()) == 0 {
		m.composer.Models.SetUsedLast(strings.Fields(a.Models))
		m.relayout()
	}
	return nil, nil
}

// noteChange notes that the texts or settings of the next turn changed: the prompt may need another height.
func (m *Model) noteChange() tea.Cmd {
	_, h := screen.Inner(m.layout.Panes[action.PanePrompt])
	if m.composer.Rows(m.w-2, m.h/3) != h || m.focus == action.PaneSystem {
		m.relayout()
	}
	return m.composer.NoteChange()
}
