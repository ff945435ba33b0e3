// Package turns holds the turns of a screen, in one place: those of the open session that are in its window, those of
// runs that panes show, and all that have answers in flight. Panes read turns and answers by their ids, and keep
// drawings of them, never their texts.
package turns

import (
	"slices"

	"confab/history"
	"confab/ui/part"
)

// maxWindow bounds the window, so that a long session costs no more than a short one.
const maxWindow = 240

// Turns holds the turns of a screen.
type Turns struct {
	env      part.Env
	window   []history.Turn // of the open session, oldest first
	hasOlder bool           // turns before the window exist
	hasNewer bool           // turns after the window exist
	others   map[int64]history.Turn
	shown    map[any][]int64   // which turns outside the window a pane shows
	active   map[int64]*active // turns with answers in flight
	waiting  []string          // prompts that are not sent yet
	revision int
}

// New returns no turns.
func New(env part.Env) *Turns {
	return &Turns{env: env, others: map[int64]history.Turn{}, shown: map[any][]int64{}, active: map[int64]*active{}}
}

// Revision changes with every change of a turn.
func (h *Turns) Revision() int { return h.revision }

// Window returns the turns of the window, oldest first. They are not to be changed.
func (h *Turns) Window() []history.Turn { return h.window }

// Counted returns the open session with the numbers of turns and answers of the branch that is read, where all of it is
// in the window.
func (h *Turns) Counted(s history.Session) history.Session {
	if h.hasOlder || h.hasNewer {
		return s
	}
	s.Turns, s.Answers = len(h.window), 0
	for _, t := range h.window {
		s.Answers += len(t.Answers)
	}
	return s
}

// HasOlder tells whether the open session has turns before the window.
func (h *Turns) HasOlder() bool { return h.hasOlder }

// HasNewer tells whether the open session has turns after the window.
func (h *Turns) HasNewer() bool { return h.hasNewer }

// Turn returns a turn.
func (h *Turns) Turn(id int64) (history.Turn, bool) {
	if at := h.IndexOf(id); at >= 0 {
		return h.window[at], true
	}
	t, ok := h.others[id]
	return t, ok
}

// IndexOf returns the place of a turn in the window, -1 for none. The newest are looked up most.
func (h *Turns) IndexOf(id int64) int {
	for i := len(h.window) - 1; i >= 0; i-- {
		if h.window[i].ID == id {
			return i
		}
	}
	return -1
}

// SetWindow replaces the window by a page of a session; older and newer tell whether there are turns beside it.
func (h *Turns) SetWindow(page []history.Turn, older, newer bool) {
	h.hasOlder, h.hasNewer = older, newer
	h.arrange(page)
}

// AddOlder puts a page before the window; more tells whether there are even older turns.
func (h *Turns) AddOlder(page []history.Turn, more bool) {
	window := slices.Concat(page, h.window)
	newer := h.hasNewer || len(window) > maxWindow
	h.SetWindow(window[:min(len(window), maxWindow)], more, newer)
}

// AddNewer puts a page after the window; more tells whether there are even newer turns.
func (h *Turns) AddNewer(page []history.Turn, more bool) {
	window := slices.Concat(h.window, page)
	older := h.hasOlder || len(window) > maxWindow
	h.SetWindow(window[max(len(window)-maxWindow, 0):], older, more)
}

// Put replaces a turn that is held.
func (h *Turns) Put(t history.Turn) {
	if _, isHeld := h.Turn(t.ID); isHeld {
		h.replace(h.merged(t))
	}
}

// Append puts a turn that was just sent after the window. A branch hides the turns that it stands beside, and what
// follows them.
func (h *Turns) Append(t history.Turn) {
	window := h.window
	if len(t.Siblings) > 0 {
		window = slices.DeleteFunc(slices.Clone(window), func(o history.Turn) bool { return o.ID > t.Parent })
	}
	h.arrange(window)
	h.AddNewer([]history.Turn{t}, false)
}

// SetWaiting notes the prompts of the open session that are sent once its answers have ended, the next one first.
func (h *Turns) SetWaiting(prompts []string) {
	if !slices.Equal(h.waiting, prompts) {
		h.waiting = prompts
		h.revision++
	}
}

// Waiting returns the prompts that [Turns.SetWaiting] noted.
func (h *Turns) Waiting() []string { return h.waiting }

// Remove takes a turn out of the window.
func (h *Turns) Remove(id int64) {
	h.arrange(slices.DeleteFunc(slices.Clone(h.window), func(t history.Turn) bool { return t.ID == id }))
}

// Show holds the turns that a pane shows besides those of the window, in place of those it showed before.
func (h *Turns) Show(pane any, list []history.Turn) {
	ids := make([]int64, len(list))
	for i, t := range list {
		ids[i] = t.ID
		h.replace(h.merged(t))
	}
	h.shown[pane] = ids
	h.arrange(h.window)
}

// replace holds a turn where it was, else outside the window.
func (h *Turns) replace(t history.Turn) {
	h.revision++
	if at := h.IndexOf(t.ID); at >= 0 {
		h.window[at] = t
		return
	}
	h.others[t.ID] = t
}

// merged returns a turn as it was read, with its answers in flight as they are here, where they are newer.
func (h *Turns) merged(t history.Turn) history.Turn {
	if h.active[t.ID] == nil {
		return t
	}
	known, _ := h.Turn(t.ID)
	for _, a := range known.Answers {
		if _, stays := t.Answer(a.ID); stays {
			t = history.Apply(t, history.Event{Turn: t.ID, Answer: a})
		}
	}
	return t
}

// arrange replaces the window. What leaves it is held while a pane shows it or answers of it are in flight.
func (h *Turns) arrange(window []history.Turn) {
	h.revision++
	held := map[int64]history.Turn{}
	hold := func(id int64) {
		if t, ok := h.Turn(id); ok {
			held[id] = t
		}
	}
	for id := range h.active {
		hold(id)
	}
	for _, ids := range h.shown {
		for _, id := range ids {
			hold(id)
		}
	}
	next := make([]history.Turn, len(window))
	for i, t := range window {
		next[i] = h.merged(t)
		delete(held, t.ID)
	}
	h.window, h.others = next, held
}
