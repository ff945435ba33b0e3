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
func (c *Controller) watch() tea.Msg {
	if changes := c.env.Service.Changes(c.env.Ctx); changes != nil {
		return c.waitForChange(changes)()
	}
	return nil
}

func (c *Controller) waitForChange(changes <-chan history.Change) tea.Cmd {
	return func() tea.Msg {
		change, ok := <-changes // closed with the screen
		if !ok {
			return nil
		}
		return part.Result{To: c, Msg: changedMsg{change, changes}}
	}
}

func (c *Controller) afterChange(msg changedMsg) (action.Action, tea.Cmd) {
	wait := c.waitForChange(msg.next)
	wasLost := c.isLost
	c.isLost = msg.change.IsUnreachable
	switch {
	case c.isLost:
		return action.Notify{Severity: action.Bad, Text: "The history cannot be reached, trying again."}, wait
	case wasLost:
		return action.Notify{Severity: action.Good, Text: "The history can be reached again."},
			tea.Batch(wait, c.readChanges())
	}
	return nil, tea.Batch(wait, c.readChanges())
}

// readChanges reads the newest turns of the open session again. Changes that come meanwhile are read afterwards.
func (c *Controller) readChanges() tea.Cmd {
	c.hasMoreChanges = c.isReadingChanges
	if c.isReadingChanges {
		return nil
	}
	c.isReadingChanges = true
	id, isShared := c.open.ID, c.open.Owner != ""
	var shown []int64
	for _, t := range c.turns.Window() {
		shown = append(shown, t.ID)
	}
	return func() tea.Msg {
		msg := changedSessionMsg{shown: shown}
		if id == 0 {
			return part.Result{To: c, Msg: msg}
		}
		s, err := c.env.Service.Session(c.env.Ctx, id)
		if err == nil {
			msg.turns, err = c.env.Service.Turns(c.env.Ctx, id, history.Page{Limit: conversation.PageSize})
		}
		msg.isUnshared = isShared && errors.Is(err, history.ErrNotFound)
		if err == nil { // otherwise the next change, or what is done next, tells
			msg.session = s
		}
		return part.Result{To: c, Msg: msg}
	}
}

// afterReadingChanges shows what others changed, in lists too.
func (c *Controller) afterReadingChanges(msg changedSessionMsg) (action.Action, tea.Cmd) {
	c.isReadingChanges = false
	var more tea.Cmd
	if c.hasMoreChanges {
		more = c.readChanges()
	}
	if msg.isUnshared && c.open.Owner != "" {
		return action.Sequence{action.NewSession{}, action.Reread{}, action.Notify{Severity: action.Warn,
			Text: c.open.Owner + " no longer shares this session."}}, more
	}
	return append(c.showChanges(msg), action.Reread{}), more
}

// showChanges shows the open session. What this screen asked for is newer here than in the history, and stays.
func (c *Controller) showChanges(msg changedSessionMsg) action.Sequence {
	if msg.session.ID == 0 || msg.session.ID != c.open.ID {
		return nil
	}
	c.open = msg.session
	var events []history.Event
	var then action.Sequence
	for _, t := range msg.turns {
		old, _ := c.turns.Turn(t.ID)
		isShown := c.turns.IndexOf(t.ID) >= 0
		hasLost := slices.ContainsFunc(old.Answers, func(a history.Answer) bool {
			_, stays := t.Answer(a.ID)
			return a.State.HasEnded() && !stays
		})
		switch {
		case !isShown && !slices.Contains(msg.shown, t.ID) && !c.turns.HasNewer():
			c.conversation.AddNewer([]history.Turn{t}, false)
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
			c.turns.Remove(id)
		}
	}
	c.turns.Apply(events...)
	return then
}
