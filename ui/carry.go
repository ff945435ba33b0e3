package ui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
)

// carryOut does what a pane or dialog asks for. It is the only place that
// does; the switch has one case for every kind of action.
func (m *Model) carryOut(wish action.Action) tea.Cmd {
	switch a := wish.(type) {
	case nil:
		return nil
	case action.Several:
		var cmds []tea.Cmd
		for _, one := range a {
			cmds = append(cmds, m.carryOut(one))
		}
		return tea.Batch(cmds...)
	case action.Perform:
		return m.carryPerform(a)
	case action.Focus:
		return m.setFocus(a.Pane)
	case action.Notify:
		return m.notify(a.Severity, a.Text)
	case action.Unused:
		return m.notify(action.Info, m.unusedText(a))
	case action.Compose:
		return m.compose(a)
	case action.Mark:
		m.mark(a.Models)
		m.relayout()
		return tea.Batch(m.written(), m.keepSetting("models", joinSlugs(a.Models)))
	case action.Theme:
		return m.setTheme(a)
	case action.Editor:
		return m.openEditor()
	case action.Copy:
		return m.copy(a)
	case action.Open:
		return m.openOutside(a.Target)
	}
	if cmd, ok := m.carryDialog(wish); ok {
		return cmd
	}
	if cmd, ok := m.carryTurn(wish); ok {
		return cmd
	}
	if cmd, ok := m.carryPicture(wish); ok {
		return cmd
	}
	if cmd, ok := m.carryRun(wish); ok {
		return cmd
	}
	return m.carrySession(wish)
}

// carryTurn does what concerns turns and answers.
func (m *Model) carryTurn(wish action.Action) (tea.Cmd, bool) {
	switch a := wish.(type) {
	case action.Send:
		return m.send(a), true
	case action.SendPrompts:
		return m.sendPrompts(a), true
	case action.Fill:
		m.values = a.Values
		return m.send(action.Send{Filled: true}), true
	case action.Run:
		m.compose(a.Compose)
		return m.send(action.Send{}), true
	case action.Cancel:
		return m.interrupt(), true
	case action.Stop:
		if len(a.Answers) == 0 {
			return m.stopAll(), true
		}
		return m.stop(a.Answers), true
	case action.Again:
		return m.again(a), true
	case action.Resume:
		return m.resume(a), true
	case action.Judge:
		return m.judge(a), true
	case action.Delete:
		return m.remove(a), true
	case action.Undo:
		return m.undo(), true
	case action.Vote:
		return m.vote(a.Vote), true
	case action.UndoVote:
		return m.undoVote(), true
	case action.ShowWins:
		return m.showWins(), true
	case action.LoadWins:
		return m.loadWins(), true
	case action.Compare:
		return m.openComparison(a), true
	case action.Stack:
		return m.leaveStage(), true
	case action.Inspect:
		return m.inspect(a.Answer), true
	case action.Curl:
		return m.curl(a.Answer), true
	case action.ShowSent:
		return m.showSent(), true
	case action.Write:
		return m.write(a.What), true
	case action.LoadTurns:
		return m.loadTurns(a.Page), true
	case action.FindTurns:
		return m.findTurns(a), true
	case action.RecallPrompt:
		return m.recall(a.Back), true
	}
	return nil, false
}

// carryRun does what concerns suites and their runs.
func (m *Model) carryRun(wish action.Action) (tea.Cmd, bool) {
	switch a := wish.(type) {
	case action.OpenSuite:
		return m.openSuite(a.Path), true
	case action.RunSuite:
		return m.runSuite(a), true
	case action.StopRun:
		return m.stopRun(), true
	case action.ResumeRun:
		return m.resumeRun(a.Run), true
	case action.ShowRun:
		return m.showRun(a.Run), true
	case action.OpenRow:
		return m.readRow(a.Row, true, a.Column), true
	case action.StepCase:
		return m.stepCase(a.By), true
	case action.CompareRuns:
		return m.compareRuns(a.A, a.B), true
	case action.ShowDifference:
		return m.showDifference(a), true
	}
	return nil, false
}

// carrySession does what concerns sessions, personas and lists.
func (m *Model) carrySession(wish action.Action) tea.Cmd {
	switch a := wish.(type) {
	case action.OpenSession:
		return m.openSession(a.Session, a.Turn)
	case action.NewSession:
		return m.newSession()
	case action.Rename:
		return m.deed("It is called "+a.Name+" now.", func(s Service) error { return s.RenameSession(m.ctx, a.Session, a.Name) })
	case action.Fork:
		return m.fork(a)
	case action.SavePersona:
		return m.deed("The persona "+a.Persona.Name+" is kept.", func(s Service) error {
			_, err := s.SavePersona(m.ctx, a.Persona)
			return err
		})
	case action.DeletePersona:
		return m.deed("The persona is deleted.", func(s Service) error { return s.DeletePersona(m.ctx, a.ID) })
	case action.Search:
		return m.search(a)
	case action.Preview:
		return m.preview(a)
	}
	return nil
}

// carryDialog opens and closes dialogs.
func (m *Model) carryDialog(wish action.Action) (tea.Cmd, bool) {
	switch a := wish.(type) {
	case action.CloseDialog:
		m.dialogs.Pop()
		for a.All && m.dialogs.Len() > 0 {
			m.dialogs.Pop()
		}
		if m.dialogs.Len() == 0 {
			m.lists.open = ""
		}
	case action.ShowList:
		return m.showList(a.List), true
	case action.ShowHelp:
		return m.push(dialog.NewHelp(m.keys, keys.Scope(a.Scope), m.styles)), true
	case action.ShowText:
		return m.push(dialog.NewText(a.Title, a.Text, a.Answer, m.keys, m.styles)), true
	case action.AskText:
		return m.push(dialog.NewAskText(a, m.keys, m.styles)), true
	case action.Confirm:
		return m.push(dialog.NewConfirm(a, m.keys, m.styles)), true
	case action.PictureOptions:
		s := m.prompt.Settings()
		return m.push(dialog.NewPictureOptions(s.Aspect, s.Nonce, s.Samples, m.keys, m.styles)), true
	case action.PickSource:
		return m.pickSource(), true
	case action.ShowWrite:
		return m.push(dialog.NewWrite(m.writeSubject(a), m.keys, m.styles)), true
	default:
		return nil, false
	}
	return nil, true
}

// push opens a dialog and does what it wants at once.
func (m *Model) push(d dialog.Dialog) tea.Cmd {
	wish, cmd := m.dialogs.Push(d)
	return tea.Batch(cmd, m.carryOut(wish))
}

// carryPerform carries out an effect chosen in the command list: the pane it
// belongs to gets the focus first.
func (m *Model) carryPerform(a action.Perform) tea.Cmd {
	if keys.Scope(a.Scope) == keys.Everywhere {
		wish, cmd := m.perform(keys.Effect(a.Effect))
		return tea.Batch(cmd, m.carryOut(wish))
	}
	switch scope := keys.Scope(a.Scope); scope {
	case keys.Compare, keys.Runs:
		return m.performStaged(scope, keys.Effect(a.Effect))
	}
	for p, pane := range m.panes() {
		if pane.Scope() == keys.Scope(a.Scope) {
			focus := m.setFocus(action.Pane(p))
			wish, cmd := pane.Perform(keys.Effect(a.Effect))
			return tea.Batch(focus, cmd, m.carryOut(wish))
		}
	}
	return nil
}

// compose puts texts and settings into the panes.
func (m *Model) compose(a action.Compose) tea.Cmd {
	if a.Text != nil {
		m.prompt.Replace(*a.Text)
	}
	if a.System != nil {
		m.system.SetText(*a.System)
		m.persona = named{a.Persona, m.system.Text()}
	}
	if a.Models != nil {
		m.mark(a.Models)
	}
	s := m.prompt.Settings()
	if a.Aspect != nil {
		s.Aspect = *a.Aspect
	}
	if a.Nonce != nil {
		s.Nonce = *a.Nonce
	}
	if a.Source != nil {
		s.Source = a.Source
		if m.models.Kinds()[service.KindEdit] == 0 {
			if edit := m.models.Of(service.KindEdit); len(edit) > 0 {
				m.mark(edit[:1])
			}
		}
	}
	if a.Samples != nil {
		s.Samples = *a.Samples
	}
	m.prompt.SetSettings(s)
	m.drafts.shown = m.prompt.Characters()
	m.relayout()
	return m.written()
}

// deed does something small in the service and says how it ended.
func (m *Model) deed(text string, do func(Service) error) tea.Cmd {
	svc := m.o.Service
	return func() tea.Msg { return doneMsg{text: text, err: do(svc)} }
}

// afterDone tells how a small deed ended.
func (m *Model) afterDone(msg doneMsg) tea.Cmd {
	if errors.Is(msg.err, m.ctx.Err()) && msg.err != nil {
		return nil
	}
	var cmds []tea.Cmd
	switch {
	case msg.err != nil:
		cmds = append(cmds, m.fail(msg.err))
	case msg.text != "":
		cmds = append(cmds, m.notify(action.Good, msg.text))
	}
	return tea.Batch(append(cmds, m.carryOut(msg.then), m.refreshList(), m.readSession())...)
}

func (m *Model) judge(a action.Judge) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		answer, err := svc.Judge(ctx, a.Answer, a.Rating, a.Winner, a.Note)
		if err != nil {
			return doneMsg{err: err}
		}
		turn, err := svc.Turn(ctx, answer.Turn)
		if err != nil {
			return doneMsg{err: err}
		}
		return turnMsg{turn: turn}
	}
}

func (m *Model) fork(a action.Fork) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		s, err := svc.ForkSession(ctx, a.Session, a.Turn, "")
		if err != nil {
			return doneMsg{err: err}
		}
		return doneMsg{text: "This is a copy to go on from.", then: action.Several{action.CloseDialog{}, action.OpenSession{Session: s.ID}}}
	}
}

// writeSubject says what can be written from where the reader is.
func (m *Model) writeSubject(a action.ShowWrite) dialog.WriteSubject {
	if a.Run != 0 {
		return dialog.WriteSubject{Run: a.Run}
	}
	if len(a.Answers) > 0 {
		return dialog.WriteSubject{Answers: a.Answers}
	}
	w := dialog.WriteSubject{Answer: a.Answer, Turn: a.Turn, Session: m.session.ID}
	if m.stage == comparison {
		w.Picture = m.compare.Picture()
		if m.suites.row >= 0 {
			w.Run, w.Session = m.suites.shown.Facts.ID, m.suites.shown.Facts.Session
			for _, t := range m.compare.Case().Turns {
				w.Row = append(w.Row, t.ID)
			}
		}
		return w
	}
	_, answer, _ := m.conversation.Focused()
	w.Picture = answer.ID == a.Answer && answer.Picture != nil
	return w
}
