// Package dialog holds the forms, questions, texts and the help that open above the main screen. A dialog is a struct
// with methods, not a program: it gets its size, styles and data from the root, returns an action when something is to
// be done, and draws its box, which the root puts on the screen.
//
// A dialog that has its answer returns [action.Sequence] with [action.CloseDialog] first, then what it was opened for;
// the root need not know which dialogs end by which answer. Everything that came from outside is drawn through package
// termtext.
package dialog

import (
	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/part"
)

// AddHandlers registers the actions that open the dialogs which other packages ask for.
func AddHandlers(h part.Handlers, env part.Env) {
	handle(h, func(a action.ShowHelp) action.Dialog { return NewHelp(env.Keys, a.Scope, env.Styles()) })
	handle(h, func(a action.ShowText) action.Dialog {
		if a.Fit != nil {
			return newFittedText(a.Title, a.Fit, env.Keys, env.Styles())
		}
		return NewText(a.Title, a.Text, a.Answer, env.Keys, env.Styles())
	})
	handle(h, func(a action.AskText) action.Dialog { return NewAskText(a, env.Keys, env.Styles()) })
	handle(h, func(a action.ShowWrite) action.Dialog { return NewWrite(a, env.Keys, env.Styles()) })
	handle(h, func(a action.Confirm) action.Dialog { return NewConfirm(a, env.Keys, env.Styles()) })
	handle(h, func(a action.AskSuite) action.Dialog { return NewSuite(a, env.Keys, env.Styles()) })
}

func handle[A action.Action](h part.Handlers, open func(A) action.Dialog) {
	part.Handle(h, func(a A) (action.Action, tea.Cmd) { return action.ShowDialog{Dialog: open(a)}, nil })
}
