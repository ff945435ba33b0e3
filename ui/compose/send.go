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
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/part"
)

// sendState is the state of sending prompts.
type sendState struct {
	values     map[string][]string // of the prompt's variables, as given last
	queue      []queuedBatch       // not recorded yet, in their order
	isSending  bool                // the first of the queue is being recorded
	newSession int                 // counts the new sessions that the user has left
	isPlanning bool                // a command finds out what the prompt publishes

	saidNotSent string // text of the newest notice about omitted parameters or turns
}

type (
	// planMsg describes what sending prompts publishes.
	planMsg struct {
		send    action.SendPrompts
		publish string
		err     error
	}
	// sentMsg brings recorded turns, and the error that ended recording them.
	sentMsg struct {
		sent []service.Sent
		err  error
	}
)

// Send composes the next turn and sends it, or returns a question to be answered before.
func (c *Composer) Send(a action.Send) (action.Action, tea.Cmd) {
	if c.isPlanning {
		return nil, nil // the key was pressed twice
	}
	send, question := c.prompts(a)
	if question != nil {
		return question, nil
	}
	if source := c.Service.SourceOf(send.Prompts[0]); source != nil && source.URL == "" && !c.IsEmbedded {
		c.isPlanning = true
		return nil, func() tea.Msg {
			publish, err := c.Service.Files().PublishPlan(c.Ctx, *source)
			return part.Result{To: c, Msg: planMsg{send: send, publish: publish, err: err}}
		}
	}
	if question, isQuestion := action.ConfirmFirst(send.Count, nil, send).(action.Confirm); isQuestion {
		return question, nil
	}
	return c.SendPrompts(send)
}

// Fill sends the prompt with the values of its variables.
func (c *Composer) Fill(a action.Fill) (action.Action, tea.Cmd) {
	c.values = a.Values
	return c.Send(action.Send{Filled: true})
}

// prompts returns the prompts to be sent, all to the same models, or what has to be asked or done before.
func (c *Composer) prompts(a action.Send) (send action.SendPrompts, question action.Action) {
	if s := c.Session(); s.Owner != "" {
		return send, action.Confirm{Title: "A shared session", Yes: action.Fork{Session: s.ID},
			Question: termtext.Line(s.Owner) + " shared this session, read-only. Copy it into a session of your own " +
				"with what you have written?"}
	}
	p, hasText := c.composed()
	axes, turns := c.axes((*editor).Text), c.Turns.Window()
	switch {
	case !hasText && a.Fresh && len(turns) > 0:
		p = service.PromptOf(turns[len(turns)-1])
		p.Nonce = history.Nonce{Mode: history.NonceFresh}
		axes = service.Axes{IsLiteral: true}
		return action.SendPrompts{Prompts: []service.Prompt{p}, Content: c.content(), Count: axes.Count(p)}, nil
	case !hasText && a.Fresh:
		return send, action.Notify{Severity: action.Warn, Text: "Nothing sent yet."}
	case !hasText:
		return send, action.Notify{Severity: action.Warn, Text: "Write a prompt first.", While: c.IsEmpty}
	case len(p.Models) == 0 && c.Models.hasNone():
		return send, action.Sequence{action.Focus{Pane: action.PaneModels}, action.Notify{Severity: action.Warn,
			Text: "No engine has a model now" +
				c.Keys.Phrase(keys.Models, keys.RefreshModels, "; %s asks again") + ".", While: c.Models.hasNone}}
	case len(p.Models) == 0:
		return send, action.Sequence{action.Focus{Pane: action.PaneModels}, action.Notify{Severity: action.Warn,
			Text:  "Mark a model first" + c.Keys.Phrase(keys.Models, keys.MarkModel, ": %s marks one") + ".",
			While: func() bool { return len(c.Models.Marked()) == 0 }}}
	case slices.ContainsFunc(p.Models, c.Models.isGone):
		slug := p.Models[slices.IndexFunc(p.Models, c.Models.isGone)]
		return send, action.Sequence{action.Focus{Pane: action.PaneModels}, action.Notify{Severity: action.Warn,
			Text:  termtext.Line(slug) + " is gone: unmark it, and mark another model.",
			While: func() bool { return c.Models.isMarked(slug) }}}
	case c.needsSource():
		return send, action.Sequence{action.PickSource{}, action.Notify{Severity: action.Warn,
			Text: "An edit needs a source picture.", While: c.needsSource}}
	}
	if a.Fresh {
		p.Nonce = history.Nonce{Mode: history.NonceFresh}
	}
	if a.Alone {
		p.HasContext = false
	}
	if names := axes.Variables(); len(names) > 0 && !a.Filled {
		count := func(values map[string][]string) service.CallCount {
			axes.Values = values
			return axes.Count(p)
		}
		return send, action.ShowDialog{Dialog: dialog.NewVariables(names, c.values, count, c.Keys, c.Styles())}
	}
	prompts, err := service.Combine(p, axes)
	if err != nil {
		return send, action.Fail{Err: err}
	}
	for i := range prompts {
		prompts[i].Files = c.filesIn(cmp.Or(prompts[i].Template, prompts[i].Text))
	}
	return action.SendPrompts{Prompts: prompts, Content: c.content(), Count: axes.Count(p)}, nil
}

// axes returns what makes several prompts of the next one, with the texts that read returns.
func (c *Composer) axes(read func(*editor) string) service.Axes {
	axes := service.Axes{Variants: c.readVariants(read), Values: c.values}
	if c.Models.Kinds()[history.KindText] > 0 {
		axes.Params = c.settings.ParamValues
	}
	return axes
}

// composed returns the prompt of the next turn; ok is false without a text.
func (c *Composer) composed() (p service.Prompt, ok bool) {
	s, kinds := c.settings, c.Models.Kinds()
	p = service.Prompt{Session: c.Session().ID, SessionName: c.Session().Name, Text: c.Text(), System: c.System.Text(),
		Files: c.attached(), Models: c.Models.Marked(), Samples: s.Samples, HasContext: s.HasContext, Beside: s.Beside}
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

// afterPlan asks before it publishes a picture. If the text of the prompt has changed, it sends nothing.
func (c *Composer) afterPlan(msg planMsg) action.Action {
	c.isPlanning = false
	switch {
	case msg.err != nil:
		return action.Fail{Err: msg.err}
	case !slices.Equal(c.content(), msg.send.Content):
		return action.Notify{Severity: action.Info, Text: "Not sent: the prompt has changed."}
	}
	return action.ConfirmFirst(msg.send.Count, []string{msg.publish}, msg.send)
}

// SendPrompts queues prompts, if there are any, and empties the prompt unless it has changed. Then it records and
// sends the next batch of the queue. It records batches one after the other, so that the second of two quick prompts
// belongs to the session that the first one creates. Prompts that go with the earlier turns wait until the answers of
// their session have ended.
func (c *Composer) SendPrompts(a action.SendPrompts) (then action.Action, cmd tea.Cmd) {
	defer c.noteWaiting()
	if len(a.Prompts) > 0 && slices.Equal(c.content(), a.Content) {
		c.setPrompt([]service.Variant{{}}, 0)
		c.FollowLast()
		if c.Models.Kinds()[history.KindEdit] == 0 { // text models get a picture once
			s := c.settings
			s.Source = nil
			c.setSettings(s)
		}
		then = action.Sequence{action.Relayout{}, action.DraftChanged{}}
	}
	for i := range a.Prompts {
		a.Prompts[i].Session = c.Session().ID // an earlier prompt may have created it during a question
	}
	if len(a.Prompts) > 0 {
		c.queue = append(c.queue, queuedBatch{prompts: a.Prompts, content: a.Content, newSession: c.newSession})
	}
	at := 0
	for at < len(c.queue) && c.waits(at) {
		at++
	}
	if c.isSending || at == len(c.queue) {
		return then, nil
	}
	next := c.queue[at]
	c.queue, c.isSending = slices.Insert(slices.Delete(c.queue, at, at+1), 0, next), true
	return then, func() tea.Msg {
		sent, err := c.Service.SendAll(c.Ctx, next.prompts)
		return part.Result{To: c, Msg: sentMsg{sent, err}}
	}
}

// afterSent shows the recorded turns, or restores the prompt, and sends the next batch.
func (c *Composer) afterSent(msg sentMsg) (action.Action, tea.Cmd) {
	batch := c.queue[0]
	c.queue, c.isSending = c.queue[1:], false
	var failed action.Action
	if msg.err != nil {
		failed = c.restorePrompt(batch, len(msg.sent), msg.err)
	} else {
		c.dropUnsent(batch.content)
	}
	if len(msg.sent) == 0 {
		return action.Join(failed, action.SendPrompts{}), nil
	}
	newest := msg.sent[len(msg.sent)-1].Turn
	joins := c.Session().ID == 0 && batch.newSession == c.newSession
	if joins || newest.Session == c.Session().ID {
		setup := newest.Setup()
		c.stored = &setup
	}
	for _, b := range c.queue { // those after it belong to the session that it has created
		for i, p := range b.prompts {
			if p.Session == 0 && b.newSession == batch.newSession {
				b.prompts[i].Session = newest.Session
			}
		}
	}
	return action.Sequence{action.TurnsSent{Sent: msg.sent, Joins: joins}, c.noteUnsent(newest), failed,
		action.SendPrompts{}}, nil
}

// noteUnsent reports parameters and earlier turns that were not sent, unless the notice before did.
func (c *Composer) noteUnsent(t history.Turn) action.Action {
	text := ""
	for _, a := range t.Answers {
		if len(a.Ignored) > 0 {
			text = fmt.Sprintf("%s takes no parameters here: %s not sent.", termtext.Line(a.Model),
				termtext.Line(strings.Join(a.Ignored, ", ")))
			break
		}
	}
	if slices.ContainsFunc(t.Answers, func(a history.Answer) bool { return a.OmittedTurns > 0 }) {
		text += " The conversation is too long: the oldest turns were left out."
	}
	if text = strings.TrimSpace(text); text == c.saidNotSent || text == "" {
		return nil
	}
	c.saidNotSent = text
	return action.Notify{Severity: action.Warn, Text: text}
}

// restorePrompt reports why a batch was not recorded after a number of its turns, and puts what it was made from back
// into the prompt or, if the user has written something else, among the earlier prompts.
func (c *Composer) restorePrompt(batch queuedBatch, recorded int, err error) action.Action {
	text := part.Sentence(err)
	if recorded > 0 {
		text += fmt.Sprintf(" %d of %d prompts were sent before.", recorded, len(batch.prompts))
	}
	if content := batch.content; !c.IsEmpty() && !slices.Equal(c.content(), content) {
		c.keepUnsent(content)
		return action.Notify{Severity: action.Bad,
			Text:  text + c.Keys.Phrase(keys.Prompt, keys.EarlierPrompt, " %s in the prompt restores the text."),
			While: func() bool { return c.findUnsent(content) >= 0 }}
	}
	c.setPrompt(batch.content, 0)
	if recorded > 0 {
		return action.Sequence{action.Notify{Severity: action.Bad, Text: text}, action.DraftChanged{}}
	}
	return action.Sequence{action.Fail{Err: err}, action.DraftChanged{}}
}
