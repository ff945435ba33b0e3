package sessions

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/part"
)

// deletedMsg tells what was deleted.
type deletedMsg struct {
	trash   []history.Trash
	what    string // "The answer is"
	deleted action.Deleted
	err     error
}

// deletion is what one command deleted, for undoing it.
type deletion struct {
	trash  []history.Trash
	closed int64 // the session that was open and went; 0 for none
}

// stillDeleting is said to who deletes while what was deleted before is still shown.
const stillDeleting = "The previous deletion is still running."

// Delete hides what is to be deleted; undo brings it back. It asks before a session goes with its only turn, since the
// same key has deleted the turns before it.
func (c *Controller) Delete(a action.Delete) (action.Action, tea.Cmd) {
	if a.Turn != 0 && c.isOnlyTurn(a.Turn) {
		return action.Confirm{Title: "Delete the session", Question: "This is its only turn. Delete the session?",
			Yes: action.Delete{Session: c.open.ID}}, nil
	}
	session, model := c.env.Session().ID, c.modelOf(a.Answer)
	return c.deleteBy(func() deletedMsg {
		ctx, svc := c.env.Ctx, c.env.Service
		msg := deletedMsg{deleted: action.Deleted{Session: a.Session, Turn: a.Turn}}
		var trash history.Trash
		switch {
		case a.Session != 0:
			msg.what = "The session is"
			trash, msg.err = svc.DeleteSession(ctx, a.Session)
		case a.Turn != 0:
			msg.what = "The turn is"
			if trash, msg.err = svc.DeleteTurn(ctx, a.Turn); msg.err == nil && session != 0 {
				if _, err := svc.Session(ctx, session); errors.Is(err, history.ErrNotFound) {
					msg.what, msg.deleted.Session = "The session with this turn is", session
				}
			}
		default:
			msg.what, msg.deleted.Answers = "The answer is", []int64{a.Answer}
			if model != "" {
				msg.what = "The answer of " + model + " is"
			}
			trash, msg.err = svc.DeleteAnswer(ctx, a.Answer)
		}
		if msg.err == nil {
			msg.trash = []history.Trash{trash}
		}
		return msg
	})
}

// isOnlyTurn reports whether a turn is the only one of a session of one's own.
func (c *Controller) isOnlyTurn(id int64) bool {
	window := c.turns.Window()
	return c.open.Owner == "" && len(window) == 1 && window[0].ID == id && len(window[0].Siblings) == 0 &&
		!c.turns.HasOlder() && !c.turns.HasNewer()
}

// modelOf names the model of an answer of the open session; "" for others.
func (c *Controller) modelOf(answer int64) string {
	for _, t := range c.turns.Window() {
		for _, a := range t.Answers {
			if a.ID == answer {
				return termtext.Line(a.Model)
			}
		}
	}
	return ""
}

// DeletePictures hides answers with their pictures. Where some cannot be deleted the others are, and the first reason
// is shown.
func (c *Controller) DeletePictures(a action.DeletePictures) (action.Action, tea.Cmd) {
	return c.deleteBy(func() (msg deletedMsg) {
		for _, id := range a.Answers {
			t, err := c.env.Service.DeleteAnswer(c.env.Ctx, id)
			if err != nil {
				if msg.err == nil {
					msg.err = err
				}
				continue
			}
			msg.trash, msg.deleted.Answers = append(msg.trash, t), append(msg.deleted.Answers, id)
		}
		if msg.what = "The picture is"; len(msg.trash) > 1 {
			msg.what = format.Count(len(msg.trash), "picture") + " are"
		}
		return msg
	})
}

// deleteBy deletes in a command, one deletion at a time.
func (c *Controller) deleteBy(do func() deletedMsg) (action.Action, tea.Cmd) {
	if c.isDeleting {
		return action.Notify{Severity: action.Info, Text: stillDeleting}, nil
	}
	c.isDeleting = true
	return nil, func() tea.Msg { return part.Result{To: c, Msg: do()} }
}

func (c *Controller) afterDelete(msg deletedMsg) action.Action {
	c.isDeleting = false
	if len(msg.trash) == 0 {
		return action.Fail{Err: msg.err}
	}
	d := deletion{trash: msg.trash}
	if msg.deleted.Session == c.open.ID {
		d.closed = c.open.ID
	}
	c.trash = append(c.trash, d)
	undo := c.env.Keys.Phrase(keys.Everywhere, keys.Undo,
		" %s restores "+format.Plural(len(msg.trash), "it", "them")+" until you quit.")
	deletions := len(c.trash)
	actions := action.Sequence{action.Notify{Severity: action.Info,
		Text: msg.what + " deleted." + undo, While: func() bool { return len(c.trash) >= deletions }}}
	if msg.err != nil {
		actions = append(actions, action.Fail{Err: msg.err})
	}
	return append(actions, msg.deleted, action.Reread{})
}

// Undo takes the last deletion back.
func (c *Controller) Undo(action.Undo) (action.Action, tea.Cmd) {
	if len(c.trash) == 0 {
		return action.Notify{Severity: action.Info, Text: "Nothing to undo.",
			While: func() bool { return len(c.trash) == 0 }}, nil
	}
	last := c.trash[len(c.trash)-1]
	c.trash = c.trash[:len(c.trash)-1]
	session := c.env.Session().ID
	return nil, func() tea.Msg {
		for _, t := range last.trash {
			if err := c.env.Service.Undelete(c.env.Ctx, t); err != nil {
				return part.Fail(err)
			}
		}
		switch {
		case session == 0 && last.closed != 0:
			return part.ChangeResult(nil, "Restored.", action.OpenSession{Session: last.closed})
		case session == 0:
			return part.ChangeResult(nil, "Restored.")
		}
		return part.ChangeResult(nil, "Restored.", action.LoadTurns{Page: history.Page{Limit: conversation.PageSize}})
	}
}
