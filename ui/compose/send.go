package compose

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/service/variable"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/part"
)

// Sender sends prompts, one after the other, after the questions that have to be answered before.
type Sender struct {
	Env
	isEmbedded bool                // the service runs in this process: nothing leaves the machine
	values     map[string][]string // of the prompt's variables, as given last
	queue      []queuedPrompt      // recorded one after the other; the first is under way
	newSession int                 // counts the new sessions that were left
	isPlanning bool                // a command finds out what the prompt publishes
}

// queuedPrompt is a prompt that is to be recorded and sent.
type queuedPrompt struct {
	service.Prompt
	ofMatrix   bool // sent together with others, of other values of its variables
	newSession int  // without a session: which of the new ones it belongs to
}

type (
	// planMsg tells what sending prompts publishes.
	planMsg struct {
		send    action.SendPrompts
		publish string
		err     error
	}
	// sentMsg tells that a turn is recorded and on its way, or why it is not.
	sentMsg struct {
		turn   history.Turn
		events <-chan history.Event
		err    error
	}
)

// NewSender returns a sender of what the panes of the environment hold, to an embedded service or another one.
func NewSender(e Env, isEmbedded bool) *Sender { return &Sender{Env: e, isEmbedded: isEmbedded} }

// AddHandlers adds the handlers of sending to the table.
func (s *Sender) AddHandlers(h part.Handlers) {
	part.Handle(h, s.send)
	part.Handle(h, s.sendPrompts)
	part.Handle(h, func(a action.Fill) (action.Action, tea.Cmd) {
		s.values = a.Values
		return s.send(action.Send{Filled: true})
	})
}

// Update implements [part.Receiver].
func (s *Sender) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case planMsg:
		return s.afterPlan(msg), nil
	case sentMsg:
		return s.afterSent(msg)
	}
	return nil, nil
}

// send sends what the prompt pane holds.
func (s *Sender) send(a action.Send) (action.Action, tea.Cmd) {
	if s.isPlanning {
		return nil, nil // the key was pressed twice
	}
	p, ok := s.Composed()
	if a.Fresh {
		p.Nonce = history.Nonce{Mode: history.NonceFresh}
	}
	switch {
	case !ok && a.Fresh:
		return s.sendNewestAgain()
	case !ok:
		return action.Notify{Severity: action.Warn, Text: "Write a prompt first.", While: s.Prompt.Empty}, nil
	case len(p.Models) == 0:
		return action.Several{action.Focus{Pane: action.PaneModels}, action.Notify{Severity: action.Warn,
			Text:  "Mark a model first" + s.Keys.Phrase(keys.Models, keys.MarkModel, ": %s marks one") + ".",
			While: func() bool { return len(s.Models.Marked()) == 0 }}}, nil
	case s.needsSource():
		return action.Several{action.PickSource{}, action.Notify{Severity: action.Warn,
			Text: "An edit needs a source picture.", While: s.needsSource}}, nil
	}
	if names := variable.Parse(p.Text, p.System); len(names) > 0 && !a.Filled {
		return action.ShowDialog{Dialog: dialog.NewVariables(names, s.values, s.Keys, s.Styles())}, nil
	}
	prompts, err := service.Fill(p, s.values)
	if err != nil {
		return action.Fail{Err: err}, nil
	}
	return s.confirm(prompts)
}

// needsSource tells whether an edit model is marked and no picture is chosen for it.
func (s *Sender) needsSource() bool {
	return s.Models.Kinds()[history.KindEdit] > 0 && s.Prompt.Settings().Source == nil
}

// sendNewestAgain sends the newest turn once more with a fresh nonce.
func (s *Sender) sendNewestAgain() (action.Action, tea.Cmd) {
	turns := s.Turns()
	if len(turns) == 0 {
		return action.Notify{Severity: action.Warn, Text: "Nothing was sent yet."}, nil
	}
	p := service.PromptOf(turns[len(turns)-1])
	p.Nonce = history.Nonce{Mode: history.NonceFresh}
	return s.confirm([]service.Prompt{p})
}

// confirm sends prompts to the same models, or first asks what has to be asked. Until the answer is yes nothing is
// sent and the prompt pane keeps its text.
func (s *Sender) confirm(prompts []service.Prompt) (action.Action, tea.Cmd) {
	send := action.SendPrompts{Prompts: prompts, Draft: s.Prompt.Text()}
	source := prompts[0].Source
	if source == nil || source.URL != "" || s.isEmbedded {
		return action.ConfirmFirst(calls(prompts), nil, send), nil
	}
	s.isPlanning = true
	return nil, func() tea.Msg {
		publish, err := s.Service.Files().PublishPlan(s.Ctx, *source)
		return part.Result{To: s, Msg: planMsg{send: send, publish: publish, err: err}}
	}
}

// calls counts the calls that prompts to the same models make.
func calls(prompts []service.Prompt) int {
	return len(prompts) * len(prompts[0].Models) * max(prompts[0].Samples, 1)
}

// afterPlan asks before a picture is published. The question is about what was in the prompt pane when it was sent:
// where that is another text now, nothing is asked and nothing is sent.
func (s *Sender) afterPlan(msg planMsg) action.Action {
	s.isPlanning = false
	switch {
	case msg.err != nil:
		return action.Fail{Err: msg.err}
	case s.Prompt.Text() != msg.send.Draft:
		return action.Notify{Severity: action.Info, Text: "Nothing was sent: the prompt has changed meanwhile."}
	}
	return action.ConfirmFirst(calls(msg.send.Prompts), []string{msg.publish}, msg.send)
}

// sendPrompts sends prompts and empties the prompt pane, unless something else was written there meanwhile. The turns
// are recorded one after the other: the second of two quick prompts in a new session belongs to the session the first
// one makes.
func (s *Sender) sendPrompts(a action.SendPrompts) (action.Action, tea.Cmd) {
	var then action.Action
	if s.Prompt.Text() == a.Draft {
		s.Prompt.SetText("")
		then = action.Relayout{}
	}
	isIdle := len(s.queue) == 0
	for _, p := range a.Prompts {
		p.Session = s.Session().ID // an earlier prompt may have made it while this one was asked about
		s.queue = append(s.queue, queuedPrompt{Prompt: p, ofMatrix: len(a.Prompts) > 1, newSession: s.newSession})
	}
	if !isIdle {
		return then, nil
	}
	return then, s.sendNext()
}

// sendNext records and sends the first prompt of the queue.
func (s *Sender) sendNext() tea.Cmd {
	if len(s.queue) == 0 {
		return nil
	}
	p := s.queue[0].Prompt
	return func() tea.Msg {
		turn, events, err := s.Service.Send(s.Ctx, p)
		return part.Result{To: s, Msg: sentMsg{turn: turn, events: events, err: err}}
	}
}

// afterSent shows the turn that was recorded, or gives the text of the prompt back, and sends the next prompt.
func (s *Sender) afterSent(msg sentMsg) (action.Action, tea.Cmd) {
	sent := s.queue[0]
	s.queue = s.queue[1:]
	text := cmp.Or(sent.Template, sent.Text)
	if msg.err != nil {
		for len(s.queue) > 0 && s.queue[0].IsLaterPrompt { // prompts of the same template fail alike
			s.queue = s.queue[1:]
		}
		return s.giveBack(text, msg.err), s.sendNext()
	}
	s.Prompt.DropUnsent(text)
	if sent.Session == 0 { // the prompts after it belong to the session that it has made
		for i, p := range s.queue {
			if p.Session == 0 && p.newSession == sent.newSession {
				s.queue[i].Session = msg.turn.Session
			}
		}
	}
	return action.TurnSent{Turn: msg.turn, Events: msg.events, OfMatrix: sent.ofMatrix,
		Joins: s.Session().ID == 0 && sent.newSession == s.newSession}, s.sendNext()
}

// giveBack says why a prompt was not recorded, and puts its text back into the prompt pane. When another one is being
// written there, the text becomes the newest of the earlier prompts.
func (s *Sender) giveBack(text string, err error) action.Action {
	if !s.Prompt.Empty() && s.Prompt.Text() != text {
		s.Prompt.KeepUnsent(text)
		return action.Notify{Severity: action.Bad, Text: part.Sentence(err) +
			s.Keys.Phrase(keys.Prompt, keys.EarlierPrompt, " %s in the prompt brings the text back."),
			While: func() bool { return s.Prompt.HoldsUnsent(text) }}
	}
	s.Prompt.SetText(text)
	return action.Several{action.Fail{Err: err}, action.DraftChanged{}}
}

// LeaveSession notes that a new session is left: what is being recorded makes it, but it is not to be opened.
func (s *Sender) LeaveSession() { s.newSession++ }
