package compose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/part"
)

// sendState is the state of sending prompts.
type sendState struct {
	values     map[string][]string // of the prompt's variables, as given last
	queue      []queuedPrompt      // not recorded yet, in their order
	isSending  bool                // the first of the queue is being recorded
	newSession int                 // counts the new sessions that the user has left
	groups     int                 // counts what was sent together
	isPlanning bool                // a command finds out what the prompt publishes

	saidNotSent string // text of the newest notice about omitted parameters or turns
}

// queuedPrompt is a prompt that is to be recorded and sent.
type queuedPrompt struct {
	service.Prompt
	group      int  // of what is sent together: the values of one template
	ofMatrix   bool // sent together with others
	newSession int  // number of the new session, for a prompt without a session
}

type (
	// planMsg describes what sending prompts publishes.
	planMsg struct {
		send    action.SendPrompts
		publish string
		err     error
	}
	// sentMsg brings a recorded turn, or the error.
	sentMsg struct {
		turn   history.Turn
		events <-chan history.Event
		err    error
	}
)

// Send composes the next turn and sends it, or returns a question to be answered before.
func (c *Composer) Send(a action.Send) (action.Action, tea.Cmd) {
	if c.isPlanning {
		return nil, nil // the key was pressed twice
	}
	prompts, question := c.prompts(a)
	if question != nil {
		return question, nil
	}
	send := action.SendPrompts{Prompts: prompts, Draft: c.Text()}
	if source := c.Service.SourceOf(prompts[0]); source != nil && source.URL == "" && !c.IsEmbedded {
		c.isPlanning = true
		return nil, func() tea.Msg {
			publish, err := c.Service.Files().PublishPlan(c.Ctx, *source)
			return part.Result{To: c, Msg: planMsg{send: send, publish: publish, err: err}}
		}
	}
	if ask, ok := action.ConfirmFirst(calls(prompts), nil, send).(action.Confirm); ok {
		return ask, nil
	}
	return c.SendPrompts(send)
}

// Fill sends the prompt with the values of its variables.
func (c *Composer) Fill(a action.Fill) (action.Action, tea.Cmd) {
	c.values = a.Values
	return c.Send(action.Send{Filled: true})
}

// prompts returns the prompts to be sent, all to the same models, or what has to be asked or done before.
func (c *Composer) prompts(a action.Send) (prompts []service.Prompt, question action.Action) {
	if s := c.Session(); s.Owner != "" {
		return nil, action.Confirm{Title: "A shared session", Yes: action.Fork{Session: s.ID},
			Question: termtext.Line(s.Owner) + " shares this session to be read. Copy it into one of yours, with " +
				"what you have written?"}
	}
	p, hasText := c.composed()
	turns := c.Turns.Window()
	switch {
	case !hasText && a.Fresh && len(turns) > 0:
		newest := service.PromptOf(turns[len(turns)-1])
		newest.Nonce = history.Nonce{Mode: history.NonceFresh}
		return []service.Prompt{newest}, nil
	case !hasText && a.Fresh:
		return nil, action.Notify{Severity: action.Warn, Text: "Nothing was sent yet."}
	case !hasText:
		return nil, action.Notify{Severity: action.Warn, Text: "Write a prompt first.", While: c.IsEmpty}
	case len(p.Models) == 0:
		return nil, action.Sequence{action.Focus{Pane: action.PaneModels}, action.Notify{Severity: action.Warn,
			Text:  "Mark a model first" + c.Keys.Phrase(keys.Models, keys.MarkModel, ": %s marks one") + ".",
			While: func() bool { return len(c.Models.Marked()) == 0 }}}
	case c.needsSource():
		return nil, action.Sequence{action.PickSource{}, action.Notify{Severity: action.Warn,
			Text: "An edit needs a source picture.", While: c.needsSource}}
	}
	if a.Fresh {
		p.Nonce = history.Nonce{Mode: history.NonceFresh}
	}
	if a.Alone {
		p.HasContext = false
	}
	if names := suite.Variables(p.Text, p.System); len(names) > 0 && !a.Filled {
		return nil, action.ShowDialog{Dialog: dialog.NewVariables(names, c.values, c.Keys, c.Styles())}
	}
	prompts, err := service.Fill(p, c.values)
	if err != nil {
		return nil, action.Fail{Err: err}
	}
	return prompts, nil
}

// composed returns the prompt of the next turn; ok is false without a text.
func (c *Composer) composed() (p service.Prompt, ok bool) {
	s, kinds := c.settings, c.Models.Kinds()
	p = service.Prompt{Session: c.Session().ID, Text: c.Text(), System: c.System.Text(), Files: c.attached(),
		Models: c.Models.Marked(), Samples: s.Samples, HasContext: s.HasContext, Beside: s.Beside}
	if kinds[history.KindImage] > 0 {
		p.Aspect, p.Nonce = s.Aspect, s.Nonce
	}
	if kinds[history.KindText] > 0 {
		p.Params = s.Params
	}
	if kinds[history.KindEdit] > 0 || c.hasVisionModel() {
		p.Source = s.Source
	}
	return p, !c.IsEmpty()
}

// needsSource reports whether an edit model is marked without a source picture.
func (c *Composer) needsSource() bool {
	isPicture := func(f history.File) bool { return f.Kind == history.PictureFile }
	return c.Models.Kinds()[history.KindEdit] > 0 && c.settings.Source == nil &&
		!slices.ContainsFunc(c.attached(), isPicture)
}

func calls(prompts []service.Prompt) int {
	return len(prompts) * len(prompts[0].Models) * max(prompts[0].Samples, 1)
}

// afterPlan asks before it publishes a picture. If the text of the prompt has changed, it sends nothing.
func (c *Composer) afterPlan(msg planMsg) action.Action {
	c.isPlanning = false
	switch {
	case msg.err != nil:
		return action.Fail{Err: msg.err}
	case c.Text() != msg.send.Draft:
		return action.Notify{Severity: action.Info, Text: "Nothing was sent: the prompt has changed meanwhile."}
	}
	return action.ConfirmFirst(calls(msg.send.Prompts), []string{msg.publish}, msg.send)
}

// SendPrompts sends prompts and empties the prompt unless its text has changed. It records turns one after the other,
// so that the second of two quick prompts belongs to the session that the first one creates. Prompts that go with the
// earlier turns wait until the answers of their session have ended.
func (c *Composer) SendPrompts(a action.SendPrompts) (action.Action, tea.Cmd) {
	var then action.Action
	if c.Text() == a.Draft {
		c.setPrompt("")
		c.FollowLast()
		if c.Models.Kinds()[history.KindEdit] == 0 { // text models get a picture once
			s := c.settings
			s.Source = nil
			c.setSettings(s)
		}
		then = action.Sequence{action.Relayout{}, action.DraftChanged{}}
	}
	c.groups++
	for _, p := range a.Prompts {
		p.Session = c.Session().ID // an earlier prompt may have created it during a question
		c.queue = append(c.queue, queuedPrompt{Prompt: p, group: c.groups, ofMatrix: len(a.Prompts) > 1,
			newSession: c.newSession})
	}
	return then, c.SendNext()
}

// SendNext records and sends the next prompt of the queue, unless one is being recorded or all have to wait.
func (c *Composer) SendNext() tea.Cmd {
	defer c.noteWaiting()
	at := slices.IndexFunc(c.queue, func(p queuedPrompt) bool { return !c.waits(p) })
	if c.isSending || at < 0 {
		return nil
	}
	next := c.queue[at]
	c.queue, c.isSending = slices.Insert(slices.Delete(c.queue, at, at+1), 0, next), true
	p := next.Prompt
	return func() tea.Msg {
		turn, events, err := c.Service.Send(c.Ctx, p)
		return part.Result{To: c, Msg: sentMsg{turn: turn, events: events, err: err}}
	}
}

// afterSent shows the recorded turn, or restores the prompt, and sends the next prompt.
func (c *Composer) afterSent(msg sentMsg) (action.Action, tea.Cmd) {
	sent := c.queue[0]
	c.queue, c.isSending = c.queue[1:], false
	text := cmp.Or(sent.Template, sent.Text)
	if msg.err != nil {
		c.dropGroup(sent.group) // prompts of the same template fail alike
		return c.restorePrompt(text, msg.err), c.SendNext()
	}
	c.dropUnsent(text)
	joins := c.Session().ID == 0 && sent.newSession == c.newSession
	if joins || msg.turn.Session == c.Session().ID {
		setup := msg.turn.Setup()
		c.stored = &setup
	}
	if sent.Session == 0 { // the prompts after it belong to the session that it has created
		for i, p := range c.queue {
			if p.Session == 0 && p.newSession == sent.newSession {
				c.queue[i].Session = msg.turn.Session
			}
		}
	}
	return action.Sequence{action.TurnSent{Turn: msg.turn, Events: msg.events, OfMatrix: sent.ofMatrix,
		Joins: joins}, c.noteUnsent(msg), action.SendQueued{}}, nil
}

// noteUnsent reports parameters and earlier turns that were not sent, unless the notice before did.
func (c *Composer) noteUnsent(msg sentMsg) action.Action {
	text := ""
	for _, a := range msg.turn.Answers {
		if len(a.Ignored) > 0 {
			text = fmt.Sprintf("%s takes no parameters here: %s not sent.", termtext.Line(a.Model),
				termtext.Line(strings.Join(a.Ignored, ", ")))
			break
		}
	}
	if slices.ContainsFunc(msg.turn.Answers, func(a history.Answer) bool { return a.OmittedTurns > 0 }) {
		text += " The conversation is too long: its oldest turns are left out."
	}
	if text = strings.TrimSpace(text); text == c.saidNotSent || text == "" {
		return nil
	}
	c.saidNotSent = text
	return action.Notify{Severity: action.Warn, Text: text}
}

// restorePrompt reports why a prompt was not recorded, and puts its text back into the prompt or, if the user has
// written another one, among the earlier prompts.
func (c *Composer) restorePrompt(text string, err error) action.Action {
	if !c.IsEmpty() && c.Text() != text {
		c.keepUnsent(text)
		return action.Notify{Severity: action.Bad, Text: part.Sentence(err) +
			c.Keys.Phrase(keys.Prompt, keys.EarlierPrompt, " %s in the prompt brings the text back."),
			While: func() bool { return slices.Contains(c.unsent, text) }}
	}
	c.setPrompt(text)
	return action.Sequence{action.Fail{Err: err}, action.DraftChanged{}}
}
