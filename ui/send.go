package ui

import (
	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/service/variable"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
)

// promptSender sends prompts, one after the other, after the questions that have to be answered before.
type promptSender struct {
	root       *Model
	values     map[string][]string // of the prompt's variables, as given last
	queue      []queuedPrompt      // recorded one after the other; the first is under way
	isPlanning bool                // a command finds out what the prompt publishes
	abandoned  int                 // sends under way whose session was left before it was made
}

// send sends what the prompt pane holds.
func (q *promptSender) send(a action.Send) tea.Cmd {
	if q.isPlanning {
		return nil // the key was pressed twice
	}
	p, ok := q.composed()
	fresh := a.Fresh
	if fresh {
		p.Nonce = history.Nonce{Mode: history.NonceFresh}
	}
	switch {
	case !ok && fresh:
		return q.sendNewestAgain()
	case !ok:
		return q.root.notifyWhile(q.root.prompt.Empty, action.Warn, "Write a prompt first.")
	case len(p.Models) == 0:
		return tea.Batch(q.root.setFocus(action.PaneModels),
			q.root.notifyWhile(func() bool { return len(q.root.models.Marked()) == 0 },
				action.Warn, "Mark a model first"+q.root.keys.Phrase(keys.Models, keys.MarkModel, ": %s marks one")+"."))
	case q.needsSource():
		return tea.Batch(q.root.handleAction(action.PickSource{}),
			q.root.notifyWhile(q.needsSource, action.Warn, "An edit needs a source picture."))
	}
	if names := variable.Parse(p.Text, p.System); len(names) > 0 && !a.Filled {
		return q.root.push(dialog.NewVariables(names, q.values, q.root.keys, q.root.styles))
	}
	prompts, err := service.Fill(p, q.values)
	if err != nil {
		return q.root.fail(err)
	}
	return q.confirmSend(prompts)
}

// needsSource tells whether an edit model is marked and no picture is chosen for it.
func (q *promptSender) needsSource() bool {
	return q.root.models.Kinds()[history.KindEdit] > 0 && q.root.prompt.Settings().Source == nil
}

// sendPrompts sends prompts and empties the prompt pane, unless something else was written there meanwhile.
func (q *promptSender) sendPrompts(a action.SendPrompts) tea.Cmd {
	if q.root.prompt.Text() == a.Draft {
		q.root.prompt.SetText("")
		q.root.drafts.shown = 0
		q.root.relayout()
	}
	cmds := make([]tea.Cmd, len(a.Prompts))
	for i, p := range a.Prompts {
		p.Session = q.root.session.ID // an earlier prompt may have made it while this one was asked about
		cmds[i] = q.queueSend(queuedPrompt{Prompt: p, ofMatrix: len(a.Prompts) > 1})
	}
	return tea.Batch(cmds...)
}

// composed returns the prompt as it would be sent; ok is false without a text.
func (q *promptSender) composed() (service.Prompt, bool) {
	s := q.root.prompt.Settings()
	p := service.Prompt{Session: q.root.session.ID, Text: q.root.prompt.Text(), System: q.root.system.Text(),
		Models: q.root.models.Marked(),
		Aspect: s.Aspect, Nonce: s.Nonce, Source: s.Source, Samples: s.Samples, Context: s.Context}
	kinds := q.root.models.Kinds()
	if kinds[history.KindImage] == 0 {
		p.Aspect, p.Nonce = "", history.Nonce{}
	}
	if kinds[history.KindEdit] == 0 {
		p.Source = nil
	}
	return p, !q.root.prompt.Empty()
}

// sendNewestAgain sends the newest turn once more with a fresh nonce.
func (q *promptSender) sendNewestAgain() tea.Cmd {
	turns := q.root.conversation.Turns()
	if len(turns) == 0 {
		return q.root.notify(action.Warn, "Nothing was sent yet.")
	}
	t := turns[len(turns)-1]
	p := service.Prompt{Session: t.Session, Text: t.Prompt, System: t.System, Aspect: t.Aspect,
		Nonce: history.Nonce{Mode: history.NonceFresh}, Source: t.Source, Samples: t.Samples, Context: t.Context,
		Vars: t.Vars, Template: t.Template, SystemTemplate: t.SystemTemplate}
	seen := map[string]bool{}
	for _, ans := range t.Answers {
		if !seen[ans.Model] {
			p.Models = append(p.Models, ans.Model)
		}
		seen[ans.Model] = true
	}
	return q.confirmSend([]service.Prompt{p})
}

// queuedPrompt is a prompt that is to be recorded and sent.
type queuedPrompt struct {
	service.Prompt
	ofMatrix bool // sent together with others, of other values of its variables
}

// queueSend records turns one after the other: the second of two quick prompts
// in a new session belongs to the session the first one makes.
func (q *promptSender) queueSend(p queuedPrompt) tea.Cmd {
	q.queue = append(q.queue, p)
	if len(q.queue) > 1 {
		return nil
	}
	return q.sendNext()
}

func (q *promptSender) sendNext() tea.Cmd {
	ctx, svc, p := q.root.ctx, q.root.o.Service, q.queue[0]
	return func() tea.Msg {
		turn, events, err := svc.Send(ctx, p.Prompt)
		return sentMsg{prompt: p, turn: turn, events: events, err: err}
	}
}

// forgetAbandoned stops expecting the session that a prompt would have made: it was not recorded.
func (q *promptSender) forgetAbandoned(p queuedPrompt) {
	if p.Session == 0 && q.abandoned > 0 {
		q.abandoned--
	}
}
