package ui

import (
	"time"

	"confab/ui/action"
	"confab/ui/keys"
)

// noticeTime is how long a change that no key of the person has made must have been on screen before a key acts on it.
const noticeTime = 200 * time.Millisecond

// keyGuard notices when the target of keys, which is what is selected in the top layer, changes by itself.
type keyGuard struct {
	now    func() time.Time
	target any       // compared by ==
	since  time.Time // when the target changed by itself; zero when the person changed it
}

// newKeyGuard returns a guard that tells the time by a clock.
func newKeyGuard(now func() time.Time) *keyGuard { return &keyGuard{now: now} }

// follow notes the target after an update, and whether the person caused that update.
func (g *keyGuard) follow(target any, isFromPerson bool) {
	if target == g.target {
		return
	}
	g.target, g.since = target, g.now()
	if isFromPerson {
		g.since = time.Time{}
	}
}

// refuse returns what to say instead of doing what a key stands for; nil for a key that may act. Top is the dialog that
// gets the key, nil for a pane.
func (g *keyGuard) refuse(msg keys.Press, top action.Dialog) action.Action {
	if g.now().Sub(g.since) >= noticeTime || !actsOnTarget(msg, top) {
		return nil
	}
	return action.Notify{Severity: action.Warn,
		Text: "What is selected has just changed: look, and press " + msg.String() + " again."}
}

// actsOnTarget tells whether a key does something with what is selected, rather than moving, typing or opening a layer.
func actsOnTarget(msg keys.Press, top action.Dialog) bool {
	switch msg.Command {
	case keys.Yes, keys.Accept:
		return top != nil && top.Name() == "confirm"
	case keys.Choose: // of a list that was just filtered, enter takes the first that is found
		list, ok := top.(interface{ Searched() bool })
		return ok && !list.Searched()
	}
	return msg.Command.ActsOnSelection()
}
