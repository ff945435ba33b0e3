package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/internal/format"
	"confab/service"
	"confab/ui/action"
)

// manyCalls is the number of calls beyond which a person is asked before they are made.
const manyCalls = 20

// beforePublishing is the title of the question before a picture leaves the machine.
const beforePublishing = "Before anything leaves this machine"

// confirmed returns the action itself where it needs no question, otherwise the question that carries it out on yes:
// it makes many calls, or publishes pictures (a sentence each). Whoever calls it does nothing else.
func confirmed(calls int, publish []string, then action.Action) action.Action {
	title, question := "Many calls", strings.Join(publish, " ")
	if len(publish) > 0 {
		title = beforePublishing
	}
	if calls > manyCalls {
		question = strings.TrimSpace(question + " This makes " + format.Count(calls, "call") + ". Send it?")
	}
	if question == "" {
		return then
	}
	return action.Confirm{Title: title, Question: question, Yes: then}
}

// sendPlanMsg tells what sending prompts publishes.
type sendPlanMsg struct {
	send    action.SendPrompts
	publish string
	err     error
}

// confirmSend sends prompts, or first asks what has to be asked. Until the answer is yes nothing is sent and the
// prompt pane keeps its text.
func (q *promptSender) confirmSend(prompts []service.Prompt) tea.Cmd {
	send := action.SendPrompts{Prompts: prompts, Draft: q.root.prompt.Text()}
	source := prompts[0].Source
	if source == nil || source.URL != "" || q.root.endpoint.Embedded {
		return q.root.handleAction(confirmed(callsOf(prompts), nil, send))
	}
	q.isPlanning = true
	ctx, svc, src := q.root.ctx, q.root.o.Service, *source
	return func() tea.Msg {
		publish, err := svc.Files().PublishPlan(ctx, src)
		return sendPlanMsg{send: send, publish: publish, err: err}
	}
}

// afterSendPlan asks before a picture is published. The question is about what was in the prompt pane when it was
// sent: where that is another text now, nothing is asked and nothing is sent.
func (q *promptSender) afterSendPlan(msg sendPlanMsg) tea.Cmd {
	q.isPlanning = false
	switch {
	case msg.err != nil:
		return q.root.fail(msg.err)
	case q.root.prompt.Text() != msg.send.Draft:
		return q.root.notify(action.Info, "Nothing was sent: the prompt has changed meanwhile.")
	}
	var publish []string
	if msg.publish != "" {
		publish = []string{msg.publish}
	}
	return q.root.handleAction(confirmed(callsOf(msg.send.Prompts), publish, msg.send))
}

// callsOf counts the calls that prompts to the same models make.
func callsOf(prompts []service.Prompt) int {
	return len(prompts) * len(prompts[0].Models) * max(prompts[0].Samples, 1)
}
