package ui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/compose"
	"confab/ui/conversation"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/layout"
	"confab/ui/part"
)

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
		if m.models.Kinds()[history.KindEdit] == 0 {
			if edit := m.models.Of(history.KindEdit); len(edit) > 0 {
				m.mark(edit[:1])
			}
		}
	}
	if a.Samples != nil {
		s.Samples = *a.Samples
	}
	m.prompt.SetSettings(s)
	m.relayout()
	return m.noteChange()
}

// noteChange notes that the texts or settings of the next turn changed: the prompt may need another height.
func (m *Model) noteChange() tea.Cmd {
	rows := m.prompt.Rows(m.w-2, m.h/3)
	if _, h := layout.Inner(m.layout.Panes[action.PanePrompt]); rows != h || m.focus == action.PaneSystem {
		m.relayout()
	}
	return m.drafts.NoteChange()
}

// KeepDraft saves what was written and is not saved yet. It is for whoever runs the screen, once it has ended: by a
// signal or a closed terminal it ends without a message.
func (m *Model) KeepDraft() {
	m.handleAction(m.pastes.PutIn())
	if save := m.drafts.Save(); save != nil {
		save()
	}
}

// welcome is what an empty conversation shows beside its keys.
func (m *Model) welcome() conversation.Welcome {
	w := conversation.Welcome{Unfinished: m.resumeOffer.Text()}
	for _, e := range compose.Examples() {
		w.Examples = append(w.Examples,
			conversation.Example{Key: m.keys.Key(keys.Prompt, e.Command), Title: e.Title, Models: e.Models})
	}
	switch {
	case m.session.ID != 0:
	case m.engines.Offer() != "":
		w.NextSteps = m.engines.Offer()
	case m.endpoint.Simulated:
		w.NextSteps = m.o.NextSteps
	}
	return w
}

// afterDone tells how a call of the service ended.
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
	return tea.Batch(append(cmds, m.handleAction(msg.then), m.refreshList(), m.readSession())...)
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
	if m.mode == comparison {
		w.Picture = m.compare.IsPicture()
		if run, _ := m.comparedRow(); run != 0 {
			w.Run, w.Session = run, m.suiteRuns.ShownRun().Session
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

// setText replaces the text of a pane.
func (m *Model) setText(a action.SetText) tea.Cmd {
	if a.Pane == action.PaneSystem {
		m.system.SetText(a.Text)
	} else {
		m.prompt.SetText(a.Text)
	}
	m.relayout()
	return m.noteChange()
}

// showSent shows the exact text that would be sent to the first marked model.
func (m *Model) showSent() tea.Cmd {
	p, ok := m.sender.Composed()
	if !ok || len(p.Models) == 0 {
		return m.notify(action.Warn, "Write a prompt and mark a model first.")
	}
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		text, err := svc.Sent(ctx, p, p.Models[0])
		if err != nil {
			return part.Fail(err)
		}
		return part.Do(action.ShowText{Title: "Sent to " + p.Models[0], Text: text})
	}
}
