package sessions

import (
	"fmt"
	"iter"
	"slices"
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

type (
	// eventsMsg brings the newest events of a turn, one for each answer that changed, and the channel that the next
	// come from.
	eventsMsg struct {
		turn int64
		now  []history.Event
		next <-chan history.Event
	}
	// endedMsg tells that a channel of events of a turn is closed.
	endedMsg struct{ turn int64 }
)

// result returns the message for those who follow the turn. Several texts that grow are drawn less often.
func (m eventsMsg) result(to part.Receiver) part.Result {
	r := part.Result{To: to, Msg: m}
	if cap(m.next) > 1 && !slices.ContainsFunc(m.now,
		func(e history.Event) bool { return e.Answer.State.HasEnded() }) {
		r.Draws = part.DrawsGrowth
	}
	return r
}

// Follow begins to follow a turn, or further samples of it.
func (f *ActiveTurns) Follow(t history.Turn, events <-chan history.Event) tea.Cmd {
	followed := &turn{session: t.Session, began: f.env.Now(), answers: map[int64]history.Answer{}}
	for _, a := range t.Answers {
		if !a.State.HasEnded() {
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
	return f.wait(t.ID, events, 0)
}

// eventInterval is how long the events of a turn are gathered after some were shown, so that keys never wait behind
// many of them. The first after a pause is shown at once.
const eventInterval = time.Second / 30

// wait returns the command that waits for the next events of a turn, no sooner than after a pause.
func (f *ActiveTurns) wait(turn int64, events <-chan history.Event, pause time.Duration) tea.Cmd {
	if events == nil {
		return nil
	}
	return func() tea.Msg {
		if pause > 0 {
			timer := time.NewTimer(pause)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-f.env.Ctx.Done():
				return nil
			}
		}
		msg := eventsMsg{turn: turn, next: events}
		select {
		case e, ok := <-events:
			if !ok {
				return part.Result{To: f, Msg: endedMsg{turn}}
			}
			msg.now = append(msg.now, e)
		case <-f.env.Ctx.Done():
			return nil
		}
		for range cap(events) { // the service keeps one event for each answer
			select {
			case e, ok := <-events:
				if !ok {
					return msg.result(f)
				}
				msg.now = append(msg.now, e)
			default:
				return msg.result(f)
			}
		}
		return msg.result(f)
	}
}

// Update implements [part.Receiver].
func (f *ActiveTurns) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case eventsMsg:
		if t := f.turns[msg.turn]; t != nil {
			for _, e := range msg.now {
				t.answers[e.Answer.ID] = e.Answer
			}
		}
		return action.ApplyEvents{Events: msg.now}, f.wait(msg.turn, msg.next, eventInterval)
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
	failed := 0
	for _, a := range t.answers {
		switch {
		case !a.State.HasEnded():
			return nil
		case a.State == history.Failed:
			failed++
		}
	}
	delete(f.turns, id)
	text := format.Count(len(t.answers)-failed, "answer") + " arrived"
	if failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	return action.Sequence{action.TurnEnded{},
		action.Alert{Text: text, Took: f.env.Now().Sub(t.began), Failed: failed > 0}}
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
			if a.State.HasEnded() {
				ended++
			}
		}
	}
	return ended, all
}

// HasFailed tells whether one of the answers that [ActiveTurns.Progress] counts has failed.
func (f *ActiveTurns) HasFailed() bool {
	for _, t := range f.turns {
		for _, a := range t.answers {
			if a.State == history.Failed {
				return true
			}
		}
	}
	return false
}

// Running counts the answers that have not ended.
func (f *ActiveTurns) Running() int {
	ended, all := f.Progress()
	return all - ended
}

// Stop stops some answers, or all of this screen.
func (f *ActiveTurns) Stop(a action.Stop) (action.Action, tea.Cmd) {
	answers := a.Answers
	if len(answers) == 0 {
		for _, t := range f.turns {
			for id, a := range t.answers {
				if !a.State.HasEnded() {
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

// SaveAgain saves the answers that the store or the disk refused.
func (f *ActiveTurns) SaveAgain(action.SaveAgain) (action.Action, tea.Cmd) {
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
