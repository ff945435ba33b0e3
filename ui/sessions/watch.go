package sessions

import (
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/part"
)

type (
	// changedMsg tells that others changed the history, or that it was lost or is back, and brings the channel that the
	// next change comes from.
	changedMsg struct {
		change history.Change
		next   <-chan history.Change
	}
	// changedSessionMsg brings the open session and its newest turns as they are now, and which turns were shown when
	// they were read. Without an open session, and where that cannot be read, it is empty.
	changedSessionMsg struct {
		session history.Session
		turns   []history.Turn
		shown   []int64
		// isUnshared tells that the open session was another user's, who does not share it any more.
		isUnshared bool
	}
)

// watch returns the command that begins to wait for changes, where the history tells of any.
func (p *Part) watch() tea.Msg {
	if changes := p.env.Service.Changes(p.env.Ctx); changes != nil {
		return p.waitForChange(changes)()
	}
	return nil
}

func (p *Part) waitForChange(changes <-chan history.Change) tea.Cmd {
	return func() tea.Msg {
		change, ok := <-changes // closed with the screen
		if !ok {
			return nil
		}
		return part.Result{To: p, Msg: changedMsg{change, changes}}
	}
}

func (p *Part) afterChange(msg changedMsg) (action.Action, tea.Cmd) {
	wait := p.waitForChange(msg.next)
	wasLost := p.isLost
	p.isLost = msg.change.IsUnreachable
	switch {
	case p.isLost:
		return action.Notify{Severity: action.Bad, Text: "The history is not reachable, trying again."}, wait
	case wasLost:
		return action.Notify{Severity: action.Good, Text: "The history is reachable again."},
			tea.Batch(wait, p.readChanges())
	}
	return nil, tea.Batch(wait, p.readChanges())
}

// readChanges reads the newest turns of the open session again. Changes that come meanwhile are read afterwards.
func (p *Part) readChanges() tea.Cmd {
	p.hasMoreChanges = p.isReadingChanges
	if p.isReadingChanges {
		return nil
	}
	p.isReadingChanges = true
	id, isShared := p.open.ID, p.open.Owner != ""
	var shown []int64
	for _, t := range p.turns.Window() {
		shown = append(shown, t.ID)
	}
	return func() tea.Msg {
		msg := changedSessionMsg{shown: shown}
		if id == 0 {
			return part.Result{To: p, Msg: msg}
		}
		s, err := p.env.Service.Session(p.env.Ctx, id)
		if err == nil {
			msg.turns, err = p.env.Service.Turns(p.env.Ctx, id, history.Page{Limit: conversation.PageSize})
		}
		msg.isUnshared = isShared && errors.Is(err, history.ErrNotFound)
		if err == nil { // otherwise the next change, or what is done next, tells
			msg.session = s
		}
		return part.Result{To: p, Msg: msg}
	}
}

// afterReadingChanges shows what others changed, in lists too.
func (p *Part) afterReadingChanges(msg changedSessionMsg) (action.Action, tea.Cmd) {
	p.isReadingChanges = false
	var more tea.Cmd
	if p.hasMoreChanges {
		more = p.readChanges()
	}
	if msg.isUnshared && p.open.Owner != "" {
		return action.Sequence{action.NewSession{}, action.Reread{}, action.Notify{Severity: action.Warn,
			Text: p.open.Owner + " does not share this session any more."}}, more
	}
	return append(p.showChanges(msg), action.Reread{}), more
}

// showChanges shows the open session. What this screen asked for is newer here than in the history, and stays.
func (p *Part) showChanges(msg changedSessionMsg) action.Sequence {
	if msg.session.ID == 0 || msg.session.ID != p.open.ID {
		return nil
	}
	p.open = msg.session
	var events []history.Event
	var then action.Sequence
	for _, t := range msg.turns {
		old, _ := p.turns.Turn(t.ID)
		isShown := p.turns.IndexOf(t.ID) >= 0
		hasLost := slices.ContainsFunc(old.Answers, func(a history.Answer) bool {
			_, stays := t.Answer(a.ID)
			return a.State.HasEnded() && !stays
		})
		switch {
		case !isShown && !slices.Contains(msg.shown, t.ID) && !p.turns.HasNewer():
			p.conversation.AddNewer([]history.Turn{t}, false)
		case hasLost:
			then = append(then, action.ShowTurn{Turn: t})
		case isShown:
			for _, a := range t.Answers {
				events = append(events, history.Event{Turn: t.ID, Answer: a})
			}
		}
	}
	for _, id := range msg.shown {
		isRead := slices.ContainsFunc(msg.turns, func(t history.Turn) bool { return t.ID == id })
		if !isRead && (len(msg.turns) == 0 || id > msg.turns[0].ID) {
			p.turns.Remove(id)
		}
	}
	p.turns.Apply(events...)
	return then
}
