package compose

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// unfinished describes an unfinished session, which the composer offers to continue: the user left, the connection was
// lost, or the terminal was closed.
type unfinished struct {
	session     history.Session
	hasDraft    bool
	interrupted int // answers of its newest turn
}

// FindUnfinished reads whether the session used last is unfinished.
func (c *Composer) FindUnfinished() tea.Cmd {
	return func() tea.Msg {
		last, err := c.Service.LastSession(c.Ctx)
		if err != nil {
			return nil // no session yet, or another notice reports the problem
		}
		found := unfinished{session: last}
		if d, err := c.Service.Draft(c.Ctx, last.ID); err == nil {
			found.hasDraft = d.Text != "" || len(d.Waiting)+len(d.Variants) > 0
		}
		if turns, err := c.Service.Turns(c.Ctx, last.ID, history.Page{Limit: 1}); err == nil {
			found.interrupted = interrupted(turns)
		}
		return part.Result{To: c, Msg: found}
	}
}

// offerResume makes the offer: the empty conversation shows it, or a notice while that is hidden.
func (c *Composer) offerResume(found unfinished) action.Action {
	c.last = found
	if text := c.OfferText(); text != "" && c.IsConversationHidden() {
		return action.Notify{Severity: action.Warn, Text: text}
	}
	return nil
}

// DismissOffer ends the offer to continue the session used last.
func (c *Composer) DismissOffer() { c.last = unfinished{} }

// OfferText describes the unfinished session and how to continue it; "" for none.
func (c *Composer) OfferText() string {
	with := ""
	switch answers := format.Count(c.last.interrupted, "interrupted answer"); {
	case c.Session().ID != 0:
		return ""
	case c.last.hasDraft && c.last.interrupted > 0:
		with = "a draft and " + answers
	case c.last.hasDraft:
		with = "a draft"
	case c.last.interrupted > 0:
		with = answers
	default:
		return ""
	}
	how := "confab -C opens it."
	if key := c.Keys.Key(keys.Everywhere, keys.LastSession); key != "" {
		how = key + " opens it, and so does confab -C."
	}
	return fmt.Sprintf("Session “%s” has %s: %s", termtext.Line(c.last.session.Name), with, how)
}

// OpenLast opens the session used last.
func (c *Composer) OpenLast() (action.Action, tea.Cmd) {
	open := c.Session().ID
	if id := c.last.session.ID; id != 0 && id != open {
		return action.OpenSession{Session: id}, nil
	}
	return nil, part.Then(func() (action.Action, error) {
		last, err := c.Service.LastSession(c.Ctx)
		if last.ID == open {
			return action.Notify{Severity: action.Good, Text: "Last session restored."}, err
		}
		return action.OpenSession{Session: last.ID}, err
	})
}

// opened reports interrupted answers of an opened session, and that its draft was restored; nil for neither.
func (c *Composer) opened(hasDraft bool) action.Action {
	n, text := interrupted(c.Turns.Window()), ""
	if n > 0 {
		text = format.Several(n, "answer was", "answers were") + " interrupted last time: "
		for i, h := range append(c.Keys.Hints(keys.Everywhere, keys.Pane2),
			c.Keys.Hints(keys.Conversation, keys.ResumeFailed)...) {
			if i > 0 {
				text += ", then "
			}
			text += h.Key
		}
		text += format.Plural(n, " runs it again.", " runs them again.")
	}
	switch {
	case hasDraft && n > 0:
		text = "Draft back; " + text
	case hasDraft:
		text = "Draft restored."
	case n == 0:
		return nil
	}
	return action.Notify{Severity: action.Warn, Text: text}
}

func interrupted(turns []history.Turn) int {
	n := 0
	if len(turns) > 0 {
		for _, a := range turns[len(turns)-1].Answers {
			if a.State == history.Interrupted {
				n++
			}
		}
	}
	return n
}

// ReadOnlyNotice reports that the open session of another user is read only; nil for an own session.
func (c *Composer) ReadOnlyNotice() action.Action {
	owner := c.Session().Owner
	if owner == "" || c.IsEmpty() {
		return nil
	}
	return action.Notify{Severity: action.Info, While: func() bool { return c.Session().Owner == owner },
		Text: "This session of " + owner + " is read-only" +
			c.Keys.Phrase(keys.Prompt, keys.Send, "; %s copies it into your own") + "."}
}
