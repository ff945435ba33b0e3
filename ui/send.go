package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/dialog"
)

// send sends what the prompt pane holds.
func (m *Model) send(a action.Send) tea.Cmd {
	p, ok := m.composed()
	fresh := a.Fresh
	if fresh {
		p.Nonce = service.Nonce{Mode: service.NonceFresh}
	}
	switch {
	case !ok && fresh:
		return m.sendNewestAgain(a)
	case !ok:
		return m.notify(action.Warn, "Write a prompt first.")
	case len(p.Models) == 0:
		return tea.Batch(m.setFocus(action.PaneModels), m.notify(action.Warn, "Mark a model first: space marks, enter takes one."))
	case m.models.Kinds()[service.KindEdit] > 0 && p.Source == nil:
		return tea.Batch(m.carryOut(action.PickSource{}), m.notify(action.Warn, "An edit needs a source picture."))
	}
	if names := service.Variables(p.Text, p.System); len(names) > 0 && !a.Filled {
		return m.push(dialog.NewVariables(names, m.values, m.keys, m.styles))
	}
	prompts, err := service.Fill(p, m.values)
	if err != nil {
		return m.fail(err)
	}
	if cmd := m.tell(a, prompts); cmd != nil {
		return cmd
	}
	m.prompt.SetText("")
	m.drafts.shown = 0
	m.relayout()
	var cmds []tea.Cmd
	for _, p := range prompts {
		cmds = append(cmds, m.queueSend(p))
	}
	return tea.Batch(cmds...)
}

// manyCalls is from how many calls on their number is said before they are made.
const manyCalls = 20

// beforePublishing is the title of the question before a picture leaves.
const beforePublishing = "Before anything leaves this machine"

// tell says what a person should know before a prompt is sent: that it makes
// many calls, or that a picture of theirs is published. Nil when there is
// nothing to tell.
func (m *Model) tell(a action.Send, prompts []service.Prompt) tea.Cmd {
	p := prompts[0]
	if a.Told {
		return nil
	}
	a.Told = true
	question := ""
	if n := len(prompts) * len(p.Models) * max(p.Samples, 1); n > manyCalls {
		question = fmt.Sprintf("This makes %d calls. Send it?", n)
	}
	many := action.Confirm{Title: "Many calls", Question: question, Yes: a}
	if p.Source == nil || p.Source.URL != "" || m.endpoint.Embedded {
		if question == "" {
			return nil
		}
		return m.carryOut(many)
	}
	ctx, svc, source := m.ctx, m.o.Service, *p.Source
	return func() tea.Msg {
		plan, err := svc.PublishPlan(ctx, source)
		switch {
		case err != nil:
			return doneMsg{err: err}
		case plan == "" && question == "":
			return showMsg{a}
		case plan == "":
			return showMsg{many}
		}
		return showMsg{action.Confirm{Title: beforePublishing, Question: strings.TrimSpace(plan + " " + question), Yes: a}}
	}
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
func (m *Model) sendNewestAgain(a action.Send) tea.Cmd {
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
	if cmd := m.tell(a, []service.Prompt{p}); cmd != nil {
		return cmd
	}
	return m.queueSend(p)
}

// queueSend records turns one after the other: the second of two quick prompts
// in a new session belongs to the session the first one makes.
func (m *Model) queueSend(p service.Prompt) tea.Cmd {
	m.sends = append(m.sends, p)
	if len(m.sends) > 1 {
		return nil
	}
	return m.sendNext()
}

func (m *Model) sendNext() tea.Cmd {
	ctx, svc, p := m.ctx, m.o.Service, m.sends[0]
	return func() tea.Msg {
		turn, events, err := svc.Send(ctx, p)
		return sentMsg{prompt: p, turn: turn, events: events, err: err}
	}
}
