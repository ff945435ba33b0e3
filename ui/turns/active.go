package turns

import (
	"fmt"
	"iter"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/ui/action"
	"confab/ui/part"
)

// active is a turn with answers that were asked for and have not all ended.
type active struct {
	began time.Time
	asked []int64
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
	// savedMsg brings the answers that were saved after all.
	savedMsg struct {
		events []history.Event
		err    error
	}
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

// FollowAll begins to follow turns that were sent together.
func (h *Turns) FollowAll(sent []service.Sent) tea.Cmd {
	var follow []tea.Cmd
	for _, one := range sent {
		follow = append(follow, h.Follow(one.Turn, one.Events))
	}
	return tea.Batch(follow...)
}

// Follow begins to follow a turn, or further samples of it.
func (h *Turns) Follow(t history.Turn, events <-chan history.Event) tea.Cmd {
	if h.active[t.ID] == nil {
		h.active[t.ID] = &active{began: h.env.Now()}
	}
	followed := h.active[t.ID]
	for _, a := range t.Answers {
		if !a.State.HasEnded() && !slices.Contains(followed.asked, a.ID) {
			followed.asked = append(followed.asked, a.ID)
		}
	}
	h.replace(h.merged(t))
	return h.wait(t.ID, events, 0)
}

// eventInterval is how long the events of a turn are gathered after some were shown, so that keys never wait behind
// many of them. The first after a pause is shown at once.
const eventInterval = time.Second / 30

// wait returns the command that waits for the next events of a turn, no sooner than after a pause.
func (h *Turns) wait(turn int64, events <-chan history.Event, pause time.Duration) tea.Cmd {
	if events == nil {
		return nil
	}
	return func() tea.Msg {
		if pause > 0 {
			timer := time.NewTimer(pause)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-h.env.Ctx.Done():
				return nil
			}
		}
		msg := eventsMsg{turn: turn, next: events}
		select {
		case e, ok := <-events:
			if !ok {
				return part.Result{To: h, Msg: endedMsg{turn}}
			}
			msg.now = append(msg.now, e)
		case <-h.env.Ctx.Done():
			return nil
		}
		for range cap(events) { // the service keeps one event for each answer
			select {
			case e, ok := <-events:
				if !ok {
					return msg.result(h)
				}
				msg.now = append(msg.now, e)
			default:
				return msg.result(h)
			}
		}
		return msg.result(h)
	}
}

// Update implements [part.Receiver].
func (h *Turns) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case eventsMsg:
		return h.Apply(msg.now...), h.wait(msg.turn, msg.next, eventInterval)
	case endedMsg:
		return h.end(msg.turn), nil
	case savedMsg:
		then := action.Sequence{h.Apply(msg.events...)}
		if msg.err != nil {
			return append(then, action.Fail{Err: msg.err}), nil
		}
		text, severity := "Everything is saved.", action.Info
		if n := len(msg.events); n > 0 {
			text, severity = format.Count(n, "answer")+" saved.", action.Good
		}
		return append(then, action.Notify{Severity: severity, Text: text}), nil
	}
	return nil, nil
}

// Apply applies events to their turns, and returns the notices of those that change more than the text of an answer.
func (h *Turns) Apply(events ...history.Event) action.Action {
	var notes action.Sequence
	hasEnd := false
	for _, e := range events {
		t, ok := h.Turn(e.Turn)
		if known, _ := t.Answer(e.Answer.ID); !known.Progress.Streams || !e.Answer.Progress.Streams {
			notes = append(notes, action.NoteConnection{Answer: e.Answer})
		}
		hasEnd = hasEnd || e.Answer.State.HasEnded()
		if ok {
			h.replace(history.Apply(t, e))
		}
	}
	if hasEnd {
		notes = append(notes, action.AnswersEnded{})
	}
	return action.Join(notes...)
}

// end forgets that a turn has answers in flight once all have ended. Another channel of the same turn may go on.
func (h *Turns) end(id int64) action.Action {
	followed := h.active[id]
	if followed == nil {
		return nil
	}
	arrived, failed := 0, 0
	for a := range h.askedIn(id) {
		switch {
		case !a.State.HasEnded():
			return nil
		case a.State == history.Failed:
			failed++
		default:
			arrived++
		}
	}
	delete(h.active, id)
	h.arrange(h.window)
	text := format.Count(arrived, "answer") + " arrived"
	if failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	return action.Sequence{action.TurnEnded{Turn: id},
		action.Alert{Text: text, Took: h.env.Now().Sub(followed.began), Failed: failed > 0}}
}

// askedIn iterates over the answers in flight of a turn, and those that have ended since.
func (h *Turns) askedIn(id int64) iter.Seq[history.Answer] {
	return func(yield func(history.Answer) bool) {
		t, _ := h.Turn(id)
		for _, a := range t.Answers {
			if slices.Contains(h.active[id].asked, a.ID) && !yield(a) {
				return
			}
		}
	}
}

// asked iterates over those of all turns that are followed.
func (h *Turns) asked() iter.Seq[history.Answer] {
	return func(yield func(history.Answer) bool) {
		for id := range h.active {
			for a := range h.askedIn(id) {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// AnswersIn iterates over those of one session.
func (h *Turns) AnswersIn(session int64) iter.Seq[history.Answer] {
	return func(yield func(history.Answer) bool) {
		for id := range h.active {
			t, _ := h.Turn(id)
			for a := range h.askedIn(id) {
				if t.Session == session && !yield(a) {
					return
				}
			}
		}
	}
}

// Pending returns the turns of a session that have answers in flight. It leaves out those on branches that the window
// does not show.
func (h *Turns) Pending(session int64) (pending []history.Turn) {
	for id := range h.active {
		t, _ := h.Turn(id)
		if t.Session != session || h.isOffPath(t) {
			continue
		}
		for a := range h.askedIn(id) {
			if !a.State.HasEnded() {
				pending = append(pending, t)
				break
			}
		}
	}
	return pending
}

// isOffPath reports whether a turn of the session in the window would be in the window if its branch were shown.
func (h *Turns) isOffPath(t history.Turn) bool {
	if len(h.window) == 0 || h.window[0].Session != t.Session || h.IndexOf(t.ID) >= 0 {
		return false
	}
	return (!h.hasOlder || t.ID > h.window[0].ID) && (!h.hasNewer || t.ID < h.window[len(h.window)-1].ID)
}

// Progress counts answers of all sessions: those that have ended, and all.
func (h *Turns) Progress() (ended, all int) {
	for a := range h.asked() {
		all++
		if a.State.HasEnded() {
			ended++
		}
	}
	return ended, all
}

// HasFailed tells whether one of the answers that [Turns.Progress] counts has failed.
func (h *Turns) HasFailed() bool {
	for a := range h.asked() {
		if a.State == history.Failed {
			return true
		}
	}
	return false
}

// Running counts the answers that have not ended.
func (h *Turns) Running() int {
	ended, all := h.Progress()
	return all - ended
}

// Stop stops some answers, or all of this screen.
func (h *Turns) Stop(a action.Stop) (action.Action, tea.Cmd) {
	answers := a.Answers
	if len(answers) == 0 {
		for x := range h.asked() {
			if !x.State.HasEnded() {
				answers = append(answers, x.ID)
			}
		}
	}
	if len(answers) == 0 {
		return action.Notify{Severity: action.Info, Text: "Nothing is running."}, nil
	}
	return nil, func() tea.Msg {
		h.env.Service.Stop(answers...)
		return nil
	}
}

// SaveAgain saves the answers that the store or the disk refused.
func (h *Turns) SaveAgain(action.SaveAgain) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		events, err := h.env.Service.SaveAgain(h.env.Ctx)
		return part.Result{To: h, Msg: savedMsg{events, err}}
	}
}
