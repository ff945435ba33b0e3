package compose

import (
	tea "charm.land/bubbletea/v2"

	"confab/themes"
	"confab/ui/action"
	"confab/ui/frame"
	"confab/ui/keys"
)

// System is where the system prompt is written.
type System struct {
	keys   keys.Map
	editor editor
	w, h   int
}

// NewSystem returns an empty system prompt.
func NewSystem(m keys.Map, s *themes.Styles) *System {
	p := &System{keys: m, editor: newEditor(m, "None. Instructions that guide behaviour and persona go here")}
	p.SetStyles(s)
	return p
}

// Text returns the whole text.
func (p *System) Text() string { return p.editor.text() }

// SetText replaces the text.
func (p *System) SetText(text string) { p.editor.setText(text) }

// Empty tells whether there is no text.
func (p *System) Empty() bool { return p.editor.empty() }

// SetSize implements [part.Pane].
func (p *System) SetSize(w, h int) { p.w, p.h = w, h; p.editor.setSize(w-2, h) }

// SetStyles implements [part.Pane].
func (p *System) SetStyles(s *themes.Styles) { p.editor.setStyles(s) }

// SetFocused implements [part.Pane].
func (p *System) SetFocused(focused bool) tea.Cmd { return p.editor.focus(focused) }

// Scope implements [part.Pane].
func (p *System) Scope() keys.Scope { return keys.System }

// Hints implements [part.Pane].
func (p *System) Hints() []keys.Hint {
	return append(p.keys.Hints(keys.Everywhere, keys.Personas), keys.Hint{Key: "enter", Text: "new line"})
}

// Update implements [part.Pane]. Enter starts a new line here: a system prompt is
// never sent by itself.
func (p *System) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return nil, nil
	case tea.MouseMsg:
		return p.editor.mouse(msg, 1), nil
	case keys.Press:
		if msg.String() == "enter" {
			return p.editor.update(tea.PasteMsg{Content: "\n"})
		}
		if !p.editor.edits(msg) {
			return action.Unused{Key: msg.String()}, nil
		}
	}
	return p.editor.update(msg)
}

// HandleCommand implements [part.Pane]; the system prompt has no commands of its own.
func (p *System) HandleCommand(keys.Command) (action.Action, tea.Cmd) { return nil, nil }

// Cursor implements [part.Pane].
func (p *System) Cursor() *tea.Cursor {
	c := p.editor.cursor()
	if c != nil {
		c.X++
	}
	return c
}

// View implements [part.Pane].
func (p *System) View() []string {
	lines := make([]string, 0, p.h)
	for _, l := range p.editor.view(p.w - 2) {
		lines = append(lines, " "+l+" ")
	}
	return frame.Fill(lines, p.w, p.h)
}
