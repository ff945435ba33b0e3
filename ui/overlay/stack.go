package overlay

import (
	tea "charm.land/bubbletea/v2"

	"confab/themes"
	"confab/ui/action"
)

// GenStep is how many searches one dialog can make before its generations reach those of the next one: more than
// anybody types.
const GenStep = 1 << 20

// Stack holds the open dialogs, the newest on top. The zero value is an empty stack; it needs a size and styles before
// the first dialog.
type Stack struct {
	dialogs []action.Dialog
	opened  int
	w, h    int
	styles  *themes.Styles
}

// Push shows a dialog. It returns what the dialog asks for at once, such as the first search of a list.
func (s *Stack) Push(d action.Dialog) (action.Action, tea.Cmd) {
	if s.styles != nil {
		d.SetStyles(s.styles)
	}
	d.SetSize(s.w, s.h)
	s.dialogs = append(s.dialogs, d)
	s.opened++
	if o, ok := d.(Opener); ok {
		return o.Open(s.opened * GenStep)
	}
	return nil, nil
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

// Update gives what a person does to the top dialog. All other messages go to all dialogs, as each takes only the results
// of its own work.
func (s *Stack) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg.(type) {
	case tea.KeyMsg, tea.PasteMsg, tea.MouseMsg:
		if top := s.Top(); top != nil {
			return top.Update(msg)
		}
		return nil, nil
	}
	var actions action.Several
	var cmds []tea.Cmd
	for _, d := range s.dialogs {
		a, cmd := d.Update(msg)
		actions, cmds = append(actions, a), append(cmds, cmd)
	}
	return Join(actions...), tea.Batch(cmds...)
}

// Work returns what the top dialog needs to be drawn and does not have yet. The root asks after every update.
func (s *Stack) Work() action.Action {
	if w, ok := s.Top().(Worker); ok {
		return w.Work()
	}
	return nil
}

// SetSize gives all dialogs the size of the screen in cells. It returns the requests for previews of that size.
func (s *Stack) SetSize(w, h int) action.Action {
	s.w, s.h = w, h
	for _, d := range s.dialogs {
		d.SetSize(w, h)
	}
	return s.repreview()
}

// SetStyles restyles all dialogs. It returns the requests for previews in these styles.
func (s *Stack) SetStyles(styles *themes.Styles) action.Action {
	s.styles = styles
	for _, d := range s.dialogs {
		d.SetStyles(styles)
	}
	return s.repreview()
}

func (s *Stack) repreview() action.Action {
	var actions action.Several
	for _, d := range s.dialogs {
		if p, ok := d.(Previewer); ok {
			actions = append(actions, p.Repreview())
		}
	}
	return Join(actions...)
}
