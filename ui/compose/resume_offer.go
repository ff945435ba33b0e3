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

// ResumeOffer offers to continue the session used last, where something in it is unfinished: because the connection was
// lost, the terminal was closed, or the person left.
type ResumeOffer struct {
	Env
	isHidden func() bool // the conversation, where an empty session shows the offer, is not on screen
	last     unfinished
}

// unfinished is what was left unfinished in a session.
type unfinished struct {
	session     history.Session
	hasDraft    bool
	interrupted int // answers of its newest turn
}

// NewResumeOffer returns an offer that is empty until [ResumeOffer.Find]. The function isHidden tells whether the
// conversation is not on screen.
func NewResumeOffer(e Env, isHidden func() bool) *ResumeOffer {
	return &ResumeOffer{Env: e, isHidden: isHidden}
}

// Find looks for what was left unfinished in the session used last.
func (o *ResumeOffer) Find() tea.Cmd {
	return func() tea.Msg {
		last, err := o.Service.LastSession(o.Ctx)
		if err != nil {
			return nil // there is none yet, or a notice has said the store's problem
		}
		found := unfinished{session: last}
		if d, err := o.Service.Draft(o.Ctx, last.ID); err == nil {
			found.hasDraft = d.Text != ""
		}
		if turns, err := o.Service.Turns(o.Ctx, last.ID, history.Page{Limit: 1}); err == nil {
			found.interrupted = interrupted(turns)
		}
		return part.Result{To: o, Msg: found}
	}
}

// Update implements [part.Receiver]. The offer is shown by the empty conversation, or where that is hidden in a notice.
func (o *ResumeOffer) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if found, ok := msg.(unfinished); ok {
		o.last = found
		if text := o.Text(); text != "" && o.isHidden() {
			return action.Notify{Severity: action.Warn, Text: text}, nil
		}
	}
	return nil, nil
}

// Dismiss ends the offer.
func (o *ResumeOffer) Dismiss() { o.last = unfinished{} }

// Text is a sentence on what was left unfinished, and how to continue it.
func (o *ResumeOffer) Text() string {
	with := ""
	switch answers := format.Count(o.last.interrupted, "interrupted answer"); {
	case o.Session().ID != 0:
		return ""
	case o.last.hasDraft && o.last.interrupted > 0:
		with = "a draft and " + answers
	case o.last.hasDraft:
		with = "a draft"
	case o.last.interrupted > 0:
		with = answers
	default:
		return ""
	}
	how := "confab -C continues it."
	if key := o.Keys.Key(keys.Everywhere, keys.LastSession); key != "" {
		how = key + " continues it, and so does confab -C."
	}
	return fmt.Sprintf("Session “%s” was left with %s: %s", termtext.Line(o.last.session.Name), with, how)
}

// OpenLast opens the session used last.
func (o *ResumeOffer) OpenLast() (action.Action, tea.Cmd) {
	open := o.Session().ID
	if id := o.last.session.ID; id != 0 && id != open {
		return action.OpenSession{Session: id}, nil
	}
	return nil, func() tea.Msg {
		last, err := o.Service.LastSession(o.Ctx)
		switch {
		case err != nil:
			return part.Fail(err)
		case last.ID == open:
			return part.Do(action.Notify{Severity: action.Good, Text: "This is the session used last."})
		}
		return part.Do(action.OpenSession{Session: last.ID})
	}
}

// Opened says what of an opened session waits to be finished, nil for nothing. hasDraft tells that a draft was put into
// the panes.
func (o *ResumeOffer) Opened(hasDraft bool) action.Action {
	n, text := interrupted(o.Turns()), ""
	if n > 0 {
		text = WasOrWere(n) + " interrupted last time: "
		for i, h := range append(o.Keys.Hints(keys.Everywhere, keys.Pane2),
			o.Keys.Hints(keys.Conversation, keys.ResumeFailed)...) {
			if i > 0 {
				text += ", then "
			}
			text += h.Key
		}
		text += map[bool]string{true: " runs it again.", false: " runs them again."}[n == 1]
	}
	switch {
	case hasDraft && n > 0:
		text = "Draft back; " + text
	case hasDraft:
		text = "The draft of this session is back."
	case n == 0:
		return nil
	}
	return action.Notify{Severity: action.Warn, Text: text}
}

// interrupted counts the answers of the newest turn that were interrupted.
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

// WasOrWere counts answers, as the beginning of a sentence in the past.
func WasOrWere(answers int) string {
	if answers == 1 {
		return "1 answer was"
	}
	return format.Count(answers, "answer") + " were"
}
