package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/compose"
	"confab/ui/conversation"
	"confab/ui/keys"
)

// unfinished is the session used last, where something in it was left unfinished:
// by a lost line, a closed terminal, or by leaving.
type unfinished struct {
	session     history.Session
	draft       bool // something was written in it and not sent
	interrupted int  // answers of its newest turn
}

// resumeOffer offers to continue the session used last, where something in it is unfinished.
type resumeOffer struct {
	root  *Model
	found unfinished
}

// find looks for what was left unfinished in the session used last.
func (offer *resumeOffer) find() tea.Cmd {
	ctx, svc := offer.root.ctx, offer.root.o.Service
	return func() tea.Msg {
		last, err := svc.LastSession(ctx)
		if err != nil {
			return nil // there is none yet, or the store's problem is told already
		}
		b := unfinished{session: last}
		if d, err := svc.Draft(ctx, last.ID); err == nil {
			b.draft = d.Text != ""
		}
		if turns, err := svc.Turns(ctx, last.ID, history.Page{Limit: 1}); err == nil && len(turns) > 0 {
			b.interrupted = interrupted(turns[len(turns)-1])
		}
		return b
	}
}

// afterBehind tells of it: in the empty conversation, or where that is hidden
// in a notice.
func (offer *resumeOffer) afterFind(b unfinished) tea.Cmd {
	offer.found = b
	if text := offer.text(); text != "" && offer.root.layout.panes[action.PaneConversation].Empty() {
		return offer.root.notify(action.Warn, text)
	}
	return nil
}

// leftBehind is a sentence on what was left unfinished, and how to go on.
func (offer *resumeOffer) text() string {
	b, with := offer.found, ""
	if offer.root.session.ID != 0 {
		return ""
	}
	switch {
	case b.draft && b.interrupted > 0:
		with = "with a draft and " + format.Count(b.interrupted, "interrupted answer")
	case b.draft:
		with = "with a draft"
	case b.interrupted > 0:
		with = "with " + format.Count(b.interrupted, "interrupted answer")
	default:
		return ""
	}
	how := "confab -C goes on with it."
	if h := offer.root.keys.Hints(keys.Everywhere, keys.LastSession); len(h) > 0 {
		how = h[0].Key + " goes on with it, and so does confab -C."
	}
	return fmt.Sprintf("Session “%s” was left %s: %s", termtext.Line(b.session.Name), with, how)
}

// openLast goes on with the session used last.
func (offer *resumeOffer) openLast() tea.Cmd {
	if id := offer.found.session.ID; id != 0 && id != offer.root.session.ID {
		return offer.root.openSession(id, 0)
	}
	ctx, svc, open := offer.root.ctx, offer.root.o.Service, offer.root.session.ID
	return func() tea.Msg {
		last, err := svc.LastSession(ctx)
		switch {
		case err != nil:
			return doneMsg{err: err}
		case last.ID == open:
			return doneMsg{text: "This is the session used last."}
		}
		return showMsg{action.OpenSession{Session: last.ID}}
	}
}

// tellBack says what of an opened session waits to be finished; draft tells
// that one was put into the panes.
func (m *Model) tellBack(draft bool) tea.Cmd {
	n := 0
	if turns := m.conversation.Turns(); len(turns) > 0 {
		n = interrupted(turns[len(turns)-1])
	}
	text := ""
	if n > 0 {
		text = fmt.Sprintf("%s interrupted last time: ", wasOrWere(n))
		for i, h := range append(m.keys.Hints(keys.Everywhere, keys.Pane2),
			m.keys.Hints(keys.Conversation, keys.ResumeFailed)...) {
			if i > 0 {
				text += ", then "
			}
			text += h.Key
		}
		text += map[bool]string{true: " runs it again.", false: " runs them again."}[n == 1]
	}
	switch {
	case draft && n > 0:
		text = "Draft back; " + text
	case draft:
		text = "The draft of this session is back."
	case n == 0:
		return nil
	}
	return m.notify(action.Warn, text)
}

// interrupted counts the answers of a turn that were interrupted.
func interrupted(t history.Turn) int {
	n := 0
	for _, a := range t.Answers {
		if a.State == history.Interrupted {
			n++
		}
	}
	return n
}

// welcome is what an empty conversation tells beside its keys.
func (m *Model) welcome() conversation.Welcome {
	n := conversation.Welcome{Unfinished: m.resumeOffer.text()}
	for _, e := range compose.Examples() {
		n.Examples = append(n.Examples,
			conversation.Example{Key: m.keys.Key(keys.Prompt, e.Command), Title: e.Title, Models: e.Models})
	}
	switch {
	case m.session.ID != 0:
	case m.engines.Offer() != "":
		n.NextSteps = m.engines.Offer()
	case m.endpoint.Simulated:
		n.NextSteps = m.o.NextSteps
	}
	return n
}
