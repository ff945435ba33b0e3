package sessions

import (
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/part"
)

// ActiveTurns are the turns of this screen that have answers in flight.
type ActiveTurns struct {
	env   part.Env
	turns map[int64]*turn
}

// turn holds the answers of a turn that were asked for and have not all ended.
type turn struct {
	session int64
	began   time.Time
	answers map[int64]history.Answer
}

// NewActiveTurns returns no turns.
func NewActiveTurns(env part.Env) *ActiveTurns {
	return &ActiveTurns{env: env, turns: map[int64]*turn{}}
}

// AddHandlers registers the actions that stop answers and save them again.
func (f *ActiveTurns) AddHandlers(h part.Handlers) {
	part.Handle(h, f.stop)
	part.Handle(h, f.saveAgain)
}

type (
	// eventMsg brings one event of a turn, and the channel that the next comes from.
	eventMsg struct {
		event  history.Event
		events <-chan history.Event
	}
	// endedMsg tells that a channel of events of a turn is closed.
	endedMsg struct{ turn int64 }
)

// Follow begins to follow a turn, or further samples of it.
func (f *ActiveTurns) Follow(t history.Turn, events <-chan history.Event) tea.Cmd {
	followed := &turn{session: t.Session, began: f.env.Now(), answers: map[int64]history.Answer{}}
	for _, a := range t.Answers {
		if !a.State.Ended() {
			followed.answers[a.ID] = a
		}
	}
	if before := f.turns[t.ID]; before != nil {
		for id, a := range before.answers {
			if _, ok := followed.answers[id]; !ok {
				followed.answers[id] = a
			}
		}
		followed.began = before.began
	}
	f.turns[t.ID] = followed
	return f.wait(t.ID, events)
}

// wait returns the command that waits for the next event of a turn.
func (f *ActiveTurns) wait(turn int64, events <-chan history.Event) tea.Cmd {
	if events == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case e, ok := <-events:
			if !ok {
				return part.Result{To: f, Msg: endedMsg{turn}}
			}
			return part.Result{To: f, Msg: eventMsg{e, events}}
		case <-f.env.Ctx.Done():
			return nil
		}
	}
}

// Update implements [part.Receiver].
func (f *ActiveTurns) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case eventMsg:
		if t := f.turns[msg.event.Turn]; t != nil {
			t.answers[msg.event.Answer.ID] = msg.event.Answer
		}
		return action.ApplyEvents{Events: []history.Event{msg.event}}, f.wait(msg.event.Turn, msg.events)
	case endedMsg:
		return f.end(msg.turn), nil
	}
	return nil, nil
}

// end forgets a turn whose answers have all ended. Another channel of the same turn may go on.
func (f *ActiveTurns) end(id int64) action.Action {
	t := f.turns[id]
	if t == nil {
		return nil
	}
	for _, a := range t.answers {
		if !a.State.Ended() {
			return nil
		}
	}
	delete(f.turns, id)
	return action.Several{action.TurnEnded{},
		action.Alert{Text: format.Count(len(t.answers), "answer") + " arrived", Took: f.env.Now().Sub(t.began)}}
}

// AnswersIn iterates over the answers in flight of a session, and those that ended since in the same turns.
func (f *ActiveTurns) AnswersIn(session int64) iter.Seq[history.Answer] {
	return func(yield func(history.Answer) bool) {
		for _, t := range f.turns {
			for _, a := range t.answers {
				if t.session == session && !yield(a) {
					return
				}
			}
		}
	}
}

// Progress counts answers of all sessions: those that have ended, and all.
func (f *ActiveTurns) Progress() (ended, all int) {
	for _, t := range f.turns {
		for _, a := range t.answers {
			all++
			if a.State.Ended() {
				ended++
			}
		}
	}
	return ended, all
}

// Running counts the answers that have not ended.
func (f *ActiveTurns) Running() int {
	ended, all := f.Progress()
	return all - ended
}

// stop stops some answers, or all of this screen.
func (f *ActiveTurns) stop(a action.Stop) (action.Action, tea.Cmd) {
	answers := a.Answers
	if len(answers) == 0 {
		for _, t := range f.turns {
			for id, a := range t.answers {
				if !a.State.Ended() {
					answers = append(answers, id)
				}
			}
		}
	}
	if len(answers) == 0 {
		return action.Notify{Severity: action.Info, Text: "Nothing is running."}, nil
	}
	return nil, func() tea.Msg {
		f.env.Service.Stop(answers...)
		return nil
	}
}

// saveAgain saves the answers that the store or the disk refused.
func (f *ActiveTurns) saveAgain(action.SaveAgain) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		events, err := f.env.Service.SaveAgain(f.env.Ctx)
		saved := action.ApplyEvents{Events: events}
		switch {
		case err != nil:
			return part.Do(saved, action.Fail{Err: err})
		case len(events) == 0:
			return part.Do(action.Notify{Severity: action.Info, Text: "Everything is saved already."})
		}
		return part.Do(saved,
			action.Notify{Severity: action.Good, Text: format.Count(len(events), "answer") + " saved."})
	}
}
