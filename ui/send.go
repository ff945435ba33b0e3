package ui

import (
	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
)

// send sends what the prompt pane holds.
func (m *Model) send(a action.Send) tea.Cmd {
	if m.planning {
		return nil // the key was pressed twice
	}
	p, ok := m.composed()
	fresh := a.Fresh
	if fresh {
		p.Nonce = service.Nonce{Mode: service.NonceFresh}
	}
	switch {
	case !ok && fresh:
		return m.sendNewestAgain()
	case !ok:
		return m.notifyWhile(m.prompt.Empty, action.Warn, "Write a prompt first.")
	case len(p.Models) == 0:
		return tea.Batch(m.setFocus(action.PaneModels), m.notifyWhile(func() bool { return len(m.models.Marked()) == 0 },
			action.Warn, "Mark a model first"+m.keys.Phrase(keys.Models, keys.MarkModel, ": %s marks one")+"."))
	case m.needsSource():
		return tea.Batch(m.handleAction(action.PickSource{}), m.notifyWhile(m.needsSource, action.Warn, "An edit needs a source picture."))
	}
	if names := service.Variables(p.Text, p.System); len(names) > 0 && !a.Filled {
		return m.push(dialog.NewVariables(names, m.values, m.keys, m.styles))
	}
	prompts, err := service.Fill(p, m.values)
	if err != nil {
		return m.fail(err)
	}
	return m.confirmSend(prompts)
}

// needsSource tells whether an edit model is marked and no picture is chosen for it.
func (m *Model) needsSource() bool {
	return m.models.Kinds()[service.KindEdit] > 0 && m.prompt.Settings().Source == nil
}

// sendPrompts sends prompts and empties the prompt pane, unless something else was written there meanwhile.
func (m *Model) sendPrompts(a action.SendPrompts) tea.Cmd {
	if m.prompt.Text() == a.Draft {
		m.prompt.SetText("")
		m.drafts.shown = 0
		m.relayout()
	}
	cmds := make([]tea.Cmd, len(a.Prompts))
	for i, p := range a.Prompts {
		p.Session = m.session.ID // an earlier prompt may have made it while this one was asked about
		cmds[i] = m.queueSend(queuedPrompt{Prompt: p, ofMatrix: len(a.Prompts) > 1})
	}
	return tea.Batch(cmds...)
}

// composed returns the prompt as it would be sent; ok is false without a text.
func (m *Model) composed() (service.Prompt, bool) {
	s := m.prompt.Settings()
	p := service.Prompt{Session: m.session.ID, Text: m.prompt.Text(), System: m.system.Text(), Models: m.models.Marked(),
		Aspect: s.Aspect, Nonce: s.Nonce, Source: s.Source, Samples: s.Samples, Context: s.Context}
	kinds := m.models.Kinds()
	if kinds[service.KindImage] == 0 {
		p.Aspect, p.Nonce = "", service.Nonce{}
	}
	if kinds[service.KindEdit] == 0 {
		p.Source = nil
	}
	return p, !m.prompt.Empty()
}

// sendNewestAgain sends the newest turn once more with a fresh nonce.
func (m *Model) sendNewestAgain() tea.Cmd {
	turns := m.conversation.Turns()
	if len(turns) == 0 {
		return m.notify(action.Warn, "Nothing was sent yet.")
	}
	t := turns[len(turns)-1]
	p := service.Prompt{Session: t.Session, Text: t.Prompt, System: t.System, Aspect: t.Aspect,
		Nonce: service.Nonce{Mode: service.NonceFresh}, Source: t.Source, Samples: t.Samples, Context: t.Context,
		Vars: t.Vars, Template: t.Template, SystemTemplate: t.SystemTemplate}
	seen := map[string]bool{}
	for _, ans := range t.Answers {
		if !seen[ans.Model] {
			p.Models = append(p.Models, ans.Model)
		}
		seen[ans.Model] = true
	}
	return m.confirmSend([]service.Prompt{p})
}

// queuedPrompt is a prompt that is to be recorded and sent.
type queuedPrompt struct {
	service.Prompt
	ofMatrix bool // sent together with others, of other values of its variables
}

// queueSend records turns one after the other: the second of two quick prompts
// in a new session belongs to the session the first one makes.
func (m *Model) queueSend(p queuedPrompt) tea.Cmd {
	m.sends = append(m.sends, p)
	if len(m.sends) > 1 {
		return nil
	}
	return m.sendNext()
}

func (m *Model) sendNext() tea.Cmd {
	ctx, svc, p := m.ctx, m.o.Service, m.sends[0]
	return func() tea.Msg {
		turn, events, err := svc.Send(ctx, p.Prompt)
		return sentMsg{prompt: p, turn: turn, events: events, err: err}
	}
}
