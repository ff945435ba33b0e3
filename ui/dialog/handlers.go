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
		return NewText(a.Title, a.Text, a.Answer, env.Keys, env.Styles())
	})
	handle(h, func(a action.AskText) action.Dialog { return NewAskText(a, env.Keys, env.Styles()) })
	handle(h, func(a action.Confirm) action.Dialog { return NewConfirm(a, env.Keys, env.Styles()) })
	handle(h, func(a action.AskSuite) action.Dialog { return NewSuite(a, env.Keys, env.Styles()) })
}

func handle[A action.Action](h part.Handlers, open func(A) action.Dialog) {
	part.Handle(h, func(a A) (action.Action, tea.Cmd) { return action.ShowDialog{Dialog: open(a)}, nil })
}
