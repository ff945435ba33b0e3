// Package action holds what a pane or a dialog can ask of the root: an [Action] is a value, returned beside the command
// of an update, and the root alone handles it. Panes and dialogs never reach each other, the service or the terminal by
// any other way.
package action

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Action is what is to be done: a value of one of the struct types of this package, or a [Sequence] of them. The root
// handles each in one switch; a test checks that none is missing there.
type Action any

// Sequence are actions that are handled one after the other.
type Sequence []Action

// Join returns all actions that are not nil as one.
func Join(actions ...Action) Action {
	all := slices.DeleteFunc(actions, func(a Action) bool { return a == nil })
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return Sequence(all)
}

// TeaCmd runs a command of Bubble Tea. It is how a handler that returns an action alone asks for one.
type TeaCmd struct{ Cmd tea.Cmd }

// WithCmd returns an action, which may be nil, and a command of Bubble Tea as one action.
func WithCmd(a Action, cmd tea.Cmd) Action {
	if cmd == nil {
		return a
	}
	return Join(a, TeaCmd{cmd})
}
