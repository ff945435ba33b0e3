package compose

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// System is where the system prompt is written.
type System struct {
	part.Commands // none
	keys          keys.Map
	editor
}

func newSystem(o Options) *System {
	p := &System{keys: o.Keys, editor: newEditor(o.Keys, "None. Instructions that all models get before the prompt")}
	p.Commands = (&part.Table[*System]{Scope: keys.System}).For(p, o.Keys)
	p.SetStyles(o.Styles())
	return p
}

// Hints implements [part.Pane].
func (p *System) Hints() []keys.Hint {
	return append(p.keys.Hints(keys.Everywhere, keys.Personas), keys.Hint{Key: "enter", Text: "new line"})
}

// Update implements [part.Pane]. Enter starts a new line here: a system prompt is never sent by itself.
func (p *System) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return nil, nil
	case tea.MouseMsg:
		return p.mouse(msg), nil
	case keys.Press:
		switch {
		case msg.String() == "enter":
			return p.update(tea.PasteMsg{Content: "\n"})
		case !p.edits(msg):
			return action.Unused{Key: msg.String()}, nil
		}
	}
	return p.update(msg)
}

// ReadPersonas reads the saved system prompts, by whose names the one that is written is called.
func (c *Composer) ReadPersonas() tea.Cmd {
	return func() tea.Msg {
		personas, err := c.Service.Personas(c.Ctx, "")
		if err != nil {
			return nil // a notice has said the store's problem
		}
		return part.Result{To: c, Msg: personasMsg(personas)}
	}
}

// persona returns the name under which the text of the system prompt is saved, "" for none.
func (c *Composer) persona() string {
	text := c.System.Text()
	i := slices.IndexFunc(c.personas, func(p history.Persona) bool { return p.Text == text && text != "" })
	if i < 0 {
		return ""
	}
	return c.personas[i].Name
}
