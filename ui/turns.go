package ui

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

type (
	// startedMsg tells that the store is open.
	startedMsg struct {
		started service.Started
		err     error
	}
	modelsMsg struct{ models []service.ModelInfo }
	// sentMsg tells that a turn is recorded and on its way.
	sentMsg struct {
		prompt queuedPrompt
		turn   history.Turn
		events <-chan history.Event
		err    error
	}
	// eventMsg brings one event of a turn, and the channel the next comes from.
	eventMsg struct {
		event  history.Event
		events <-chan history.Event
	}
	// ranMsg tells that every answer of a turn has ended.
	ranMsg struct{ turn int64 }
	// tickMsg comes once a second while something runs.
	tickMsg struct{ now time.Time }
	// doneMsg tells how a call of the service ended.
	doneMsg struct {
		text string
		err  error
		then action.Action
	}
	// showMsg brings something to be shown that had to be read first.
	showMsg struct{ wish action.Action }
)

// start opens the store and reads what the screen begins with.
func (m *Model) start() tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		started, err := svc.Start(ctx)
		return startedMsg{started: started, err: err}
	}
}

func (m *Model) afterStart(msg startedMsg) tea.Cmd {
	m.started = true
	m.saving = msg.err == nil && msg.started.Saving
	cmds := []tea.Cmd{m.readModels(), m.localEngines.find(), m.localEngines.ask(), m.localEngines.schedule()}
	switch {
	case msg.err != nil:
		cmds = append(cmds, m.fail(msg.err))
	case msg.started.Problem != nil:
		cmds = append(cmds, m.notify(action.Bad, msg.started.Problem.Message))
	case msg.started.Recovered > 0:
		cmds = append(cmds, m.notify(action.Warn, wasOrWere(msg.started.Recovered)+" interrupted last time"+
			m.keys.Phrase(keys.Conversation, keys.Again, "; %s runs one again")+"."))
	}
	cmds = append(cmds, m.readSettings())
	if m.o.Session != 0 {
		return tea.Batch(append(cmds, m.openSession(m.o.Session, 0))...)
	}
	return tea.Batch(append(cmds, m.drafts.load(0), m.resumeOffer.find())...)
}

func (m *Model) readModels() tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		models, err := svc.Models(ctx)
		if err != nil {
			return doneMsg{err: err}
		}
		return modelsMsg{models: models}
	}
}

func (m *Model) afterSent(msg sentMsg) tea.Cmd {
	if len(m.sender.queue) > 0 {
		m.sender.queue = m.sender.queue[1:]
	}
	var cmds []tea.Cmd
	if msg.err != nil {
		cmds = append(cmds, m.afterUnsent(cmp.Or(msg.prompt.Template, msg.prompt.Text), msg.err))
		m.sender.forgetAbandoned(msg.prompt)
		for len(m.sender.queue) > 0 && m.sender.queue[0].Follows { // prompts of the same template fail alike
			m.sender.forgetAbandoned(m.sender.queue[0])
			m.sender.queue = m.sender.queue[1:]
		}
	} else {
		m.prompt.DropUnsent(cmp.Or(msg.prompt.Template, msg.prompt.Text))
		joined := m.joined(msg.turn)
		took := m.took(msg.turn, msg.events)
		m.openSent(msg.turn, msg.prompt.ofMatrix)
		cmds = append(cmds, tea.Sequence(joined, took))
	}
	if len(m.sender.queue) > 0 {
		if m.sender.queue[0].Session == 0 {
			m.sender.queue[0].Session = m.session.ID
		}
		cmds = append(cmds, m.sender.sendNext())
	}
	return tea.Batch(cmds...)
}

// afterUnsent says why a prompt was not recorded, and puts its text back into the prompt pane. When another one is
// being
// written there, the text becomes the newest of the earlier prompts.
func (m *Model) afterUnsent(text string, err error) tea.Cmd {
	if !m.prompt.Empty() && m.prompt.Text() != text {
		m.prompt.KeepUnsent(text)
		return m.notifyWhile(func() bool { return m.prompt.HoldsUnsent(text) }, action.Bad,
			part.Sentence(err)+m.keys.Phrase(keys.Prompt, keys.EarlierPrompt, " %s in the prompt brings the text back."))
	}
	m.prompt.SetText(text)
	m.relayout()
	return tea.Batch(m.fail(err), m.drafts.noteChange())
}

// joined takes over the session that was made for the first turn, unless it was
// left before it was made.
func (m *Model) joined(t history.Turn) tea.Cmd {
	if m.session.ID != 0 {
		return nil
	}
	if m.sender.abandoned > 0 {
		m.sender.abandoned--
		return nil
	}
	m.session.ID = t.Session
	return m.drafts.dropNew()
}

// took shows a turn that is on its way and listens to it.
func (m *Model) took(t history.Turn, events <-chan history.Event) tea.Cmd {
	r := &run{session: t.Session, began: m.o.Now(), answers: map[int64]history.Answer{}}
	for _, a := range t.Answers {
		if !a.State.Ended() {
			r.answers[a.ID] = a
		}
	}
	if old := m.runs[t.ID]; old != nil {
		for id, a := range old.answers {
			if _, ok := r.answers[id]; !ok {
				r.answers[id] = a
			}
		}
		r.began = old.began
	}
	m.runs[t.ID] = r
	m.clock(m.o.Now())
	m.show(t)
	if t.Session == m.session.ID {
		m.prompt.SetExamples(false)
	}
	m.drafts.dirty = true
	return tea.Batch(listen(m.ctx.Done(), t.ID, events), m.drafts.save(), m.readSession())
}

// listen waits for the next event of a turn.
func listen(done <-chan struct{}, turn int64, events <-chan history.Event) tea.Cmd {
	if events == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case e, ok := <-events:
			if !ok {
				return ranMsg{turn: turn}
			}
			return eventMsg{event: e, events: events}
		case <-done:
			return nil
		}
	}
}

func (m *Model) afterEvent(msg eventMsg) tea.Cmd {
	if r := m.runs[msg.event.Turn]; r != nil {
		r.answers[msg.event.Answer.ID] = msg.event.Answer
	}
	m.clock(m.o.Now())
	m.apply(msg.event)
	return listen(m.ctx.Done(), msg.event.Turn, msg.events)
}

func (m *Model) afterRun(msg ranMsg) tea.Cmd {
	r := m.runs[msg.turn]
	if r == nil {
		return nil
	}
	for _, a := range r.answers {
		if !a.State.Ended() {
			return nil // another run of the same turn goes on
		}
	}
	delete(m.runs, msg.turn)
	m.clock(m.o.Now())
	alert := action.Alert{Text: format.Count(len(r.answers), "answer") + " arrived", Took: m.o.Now().Sub(r.began)}
	return tea.Batch(m.readModels(), m.readSession(), m.localEngines.ask(), m.handleAction(alert))
}

// running counts the answers that have not ended, of every run of this screen.
func (m *Model) running() int {
	n := 0
	for _, r := range m.runs {
		for _, a := range r.answers {
			if !a.State.Ended() {
				n++
			}
		}
	}
	return n
}

// progress counts what runs: answers ended and all of them.
func (m *Model) progress() (ended, all int) {
	for _, r := range m.runs {
		for _, a := range r.answers {
			all++
			if a.State.Ended() {
				ended++
			}
		}
	}
	return ended, all
}

func (m *Model) stopAll() tea.Cmd {
	if m.running() == 0 {
		return m.notify(action.Info, "Nothing is running.")
	}
	var answers []int64
	for _, r := range m.runs {
		for id, a := range r.answers {
			if !a.State.Ended() {
				answers = append(answers, id)
			}
		}
	}
	return m.stop(answers)
}

func (m *Model) stop(answers []int64) tea.Cmd {
	svc := m.o.Service
	return func() tea.Msg {
		svc.Stop(answers...)
		return nil
	}
}

// savedMsg tells which answers could be saved after all.
type savedMsg struct {
	events []history.Event
	err    error
}

// saveAgain saves the answers that the store or the disk refused.
func (m *Model) saveAgain() tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		events, err := svc.SaveAgain(ctx)
		return savedMsg{events: events, err: err}
	}
}

func (m *Model) afterSaveAgain(msg savedMsg) tea.Cmd {
	for _, e := range msg.events {
		m.apply(e)
	}
	switch {
	case msg.err != nil:
		return m.fail(msg.err)
	case len(msg.events) == 0:
		return m.notify(action.Info, "Everything is saved already.")
	}
	return m.notify(action.Good, format.Count(len(msg.events), "answer")+" saved.")
}

// armTick starts the clock when something runs and it is not ticking.
func (m *Model) armTick() tea.Cmd {
	if m.ticking || m.running() == 0 && m.suites.live == nil {
		return nil
	}
	m.ticking = true
	now := m.o.Now
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg{now: now()} })
}

func (m *Model) tick(msg tickMsg) {
	m.ticking = false
	m.clock(msg.now)
}
