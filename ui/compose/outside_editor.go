package compose

import (
	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
)

// EditText opens the external editor on the text of the system prompt where that is the pane, otherwise of the prompt.
func (c *Composer) EditText(pane action.Pane) action.Action {
	if pane != action.PaneSystem {
		pane = action.PanePrompt
	}
	c.edited = c.textOf(pane)
	return action.Edit{Pane: pane, Text: c.edited}
}

// SetText puts a text into the prompt or the system prompt.
func (c *Composer) SetText(a action.SetText) (action.Action, tea.Cmd) {
	if a.Pane == action.PaneSystem {
		c.System.SetText(a.Text)
	} else {
		c.setPrompt(a.Text)
	}
	return action.Relayout{}, c.NoteChange()
}

// TakeEdited puts a text that an editor has saved into the prompt or the system prompt, in place of the one it got.
func (c *Composer) TakeEdited(a action.TakeEdited) (action.Action, tea.Cmd) {
	if c.textOf(a.Pane) != c.edited {
		return action.Notify{Severity: action.Warn,
			Text: "The editor has saved a text, and the one here was changed since: both stay. It is in " + a.File}, nil
	}
	then, cmd := c.SetText(action.SetText{Pane: a.Pane, Text: a.Text})
	c.edited = c.textOf(a.Pane)
	return action.Sequence{then, action.Notify{Severity: action.Info, Text: "Here is what the editor has saved."}}, cmd
}

// textOf returns the text of the system prompt where that is the pane, otherwise of the prompt.
func (c *Composer) textOf(pane action.Pane) string {
	if pane == action.PaneSystem {
		return c.System.Text()
	}
	return c.Text()
}
