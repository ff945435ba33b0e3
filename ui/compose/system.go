package compose

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/part"
)

// System is the pane of the system prompt.
type System struct {
	part.Commands
	own  part.Commands // without those of its text
	keys keys.Map
	*editor
}

func newSystem(o Options) *System {
	p := &System{keys: o.Keys}
	p.own = (&part.Table[*System]{Scope: keys.System}).For(p, o.Keys)
	return p
}

// Hints implements [part.Pane].
func (p *System) Hints() []keys.Hint {
	return append(p.keys.Hints(keys.Everywhere, keys.Personas), keys.Hint{Key: "enter", Text: "new line"})
}

// State implements [part.Pane].
func (p *System) State() action.LayerState {
	return action.LayerState{Lookups: keys.LookupsIn(p.Scope()), CopySelection: p.copySelection,
		TakesKey: p.area.Takes}
}

// Update implements [part.Pane]. Enter starts a new line.
func (p *System) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return nil, nil
	case tea.MouseMsg:
		return p.mouse(msg), nil
	case keys.Press:
		switch {
		case msg.String() == "enter" && msg.Scope != keys.Vi:
			if !p.area.IsTyping() {
				return action.Unused{Key: msg.String()}, nil
			}
			return p.update(tea.PasteMsg{Content: "\n"})
		case !p.edits(msg):
			return action.Unused{Key: msg.String()}, nil
		}
	}
	return p.update(msg)
}

// SystemText returns what was typed for the system prompt, else the one in use.
func (c *Composer) SystemText() string { return cmp.Or(c.settings.NewSystem, c.System.Text()) }

// EditSystem opens the editor of the system prompt.
func (c *Composer) EditSystem() action.Action {
	p := dialog.SystemPrompt{InUse: c.System.Text(), Draft: c.settings.NewSystem, Session: c.Session().Name,
		Personas: c.personas}
	return action.ShowDialog{Dialog: dialog.NewSystem(p, c.Keys, c.Styles())}
}

// DraftSystem keeps what is typed for the system prompt in the draft of the session.
func (c *Composer) DraftSystem(a action.DraftSystem) (action.Action, tea.Cmd) {
	if a.Text == c.System.Text() {
		a.Text = ""
	}
	if a.Text == c.settings.NewSystem {
		return nil, nil
	}
	c.settings.NewSystem = a.Text
	return nil, c.NoteChange()
}

// KeepPersona asks for the name of a persona, and offers the marked models and the parameters to go with it.
func (c *Composer) KeepPersona(a action.KeepPersona) (action.Action, tea.Cmd) {
	p := dialog.Persona{Text: a.Text, Models: c.Models.Marked(), Params: c.settings.Params, All: c.personas}
	return action.ShowDialog{Dialog: dialog.NewPersona(p, c.Keys, c.Styles())}, nil
}

// ReadPersonas reads the saved system prompts, to name the one in the pane.
func (c *Composer) ReadPersonas() tea.Cmd {
	return func() tea.Msg {
		personas, err := c.Service.Personas(c.Ctx, "")
		if err != nil {
			return nil // another notice reports the problem
		}
		return part.Result{To: c, Msg: personasMsg(personas)}
	}
}

// persona returns the name of the system prompt, "" if it is not saved.
func (c *Composer) persona() string {
	text := c.System.Text()
	i := slices.IndexFunc(c.personas, func(p history.Persona) bool { return p.Text == text && text != "" })
	if i < 0 {
		return ""
	}
	return c.personas[i].Name
}

// EditText opens the external editor on the text of the pane.
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
		c.editor.SetText(a.Text)
	}
	return action.Relayout{}, c.NoteChange()
}

// TakeEdited replaces the text that an editor got by the one it has saved, unless the user has changed it.
func (c *Composer) TakeEdited(a action.TakeEdited) (action.Action, tea.Cmd) {
	if c.textOf(a.Pane) != c.edited {
		return action.Notify{Severity: action.Warn,
			Text: "You changed the text here meanwhile. The editor's version is in " + a.File}, nil
	}
	then, cmd := c.SetText(action.SetText{Pane: a.Pane, Text: a.Text})
	c.edited = c.textOf(a.Pane)
	return action.Sequence{then, action.Notify{Severity: action.Info, Text: "Text from the editor inserted."}}, cmd
}

// textOf returns the text of the system prompt for its pane, else of the prompt.
func (c *Composer) textOf(pane action.Pane) string {
	if pane == action.PaneSystem {
		return c.System.Text()
	}
	return c.Text()
}
