package overlay

import (
	tea "charm.land/bubbletea/v2"

	"confab/themes"
	"confab/ui/action"
)

// Stack holds the open dialogs, the newest on top. The zero value is an empty stack; it needs a size and styles before
// the first dialog.
type Stack struct {
	dialogs []action.Dialog
	w, h    int
	styles  *themes.Styles
}

// Push shows a dialog.
func (s *Stack) Push(d action.Dialog) {
	if s.styles != nil {
		d.SetStyles(s.styles)
	}
	d.SetSize(s.w, s.h)
	s.dialogs = append(s.dialogs, d)
}

// Close removes the top dialog, or all of them.
func (s *Stack) Close(a action.CloseDialog) {
	s.Pop()
	for a.All && s.Len() > 0 {
		s.Pop()
	}
}

// Pop removes the top dialog; nothing happens when there is none.
func (s *Stack) Pop() {
	if n := len(s.dialogs); n > 0 {
		s.dialogs[n-1] = nil
		s.dialogs = s.dialogs[:n-1]
	}
}

// Top returns the top dialog, nil when there is none.
func (s *Stack) Top() action.Dialog {
	if n := len(s.dialogs); n > 0 {
		return s.dialogs[n-1]
	}
	return nil
}

// Len returns how many dialogs are open.
func (s *Stack) Len() int { return len(s.dialogs) }

// Update gives what a person does to the top dialog. All other messages go to all dialogs, as each takes only the
// results of its own work.
func (s *Stack) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg.(type) {
	case tea.KeyMsg, tea.PasteMsg, tea.MouseMsg:
		if top := s.Top(); top != nil {
			return top.Update(msg)
		}
		return nil, nil
	}
	var actions action.Sequence
	var cmds []tea.Cmd
	for _, d := range s.dialogs {
		a, cmd := d.Update(msg)
		actions, cmds = append(actions, a), append(cmds, cmd)
	}
	return action.Join(actions...), tea.Batch(cmds...)
}

// Work returns the command that gets what the top dialog needs to be drawn and does not have yet, nil for nothing. The
// root asks after every update.
func (s *Stack) Work() tea.Cmd {
	if top := s.Top(); top != nil {
		return top.Work()
	}
	return nil
}

// SetSize gives all dialogs the size of the screen in cells.
func (s *Stack) SetSize(w, h int) {
	s.w, s.h = w, h
	for _, d := range s.dialogs {
		d.SetSize(w, h)
	}
}

// SetStyles restyles all dialogs.
func (s *Stack) SetStyles(styles *themes.Styles) {
	s.styles = styles
	for _, d := range s.dialogs {
		d.SetStyles(styles)
	}
}
