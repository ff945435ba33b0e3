package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/widget"
)

// questionWidth is the width of questions and forms, in cells.
const questionWidth = 66

// Confirm asks a question whose answer is yes or no. No is chosen first, so that a key pressed too much does nothing.
type Confirm struct {
	overlay.Base
	ask   action.Confirm
	w, h  int
	lines []string
	yes   bool
}

// NewConfirm returns the dialog for a question.
func NewConfirm(ask action.Confirm, m keys.Map, s *themes.Styles) *Confirm {
	return &Confirm{Base: overlay.NewBase("confirm", keys.Form, m, s), ask: ask}
}

// SetSize implements [action.Dialog].
func (c *Confirm) SetSize(w, h int) {
	c.w, c.h = overlay.Size(w, h, questionWidth, h)
	c.lines = termtext.Wrap(termtext.Clean(c.ask.Question), max(c.w-4, 2))
	c.h = min(c.h, len(c.lines)+4)
	if height := c.h - 4; len(c.lines) > height && height > 0 {
		c.lines = c.lines[:height]
	}
}

// Update implements [action.Dialog].
func (c *Confirm) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft && msg.Y == c.h-2 {
			if i, ok := choiceAt(yesNo(), msg.X-2); ok {
				return c.answer(i == 0), nil
			}
		}
	case keys.Press:
		switch msg.Command {
		case keys.Yes:
			return c.answer(true), nil
		case keys.No, keys.Close:
			return c.answer(false), nil
		case keys.Accept:
			return c.answer(c.yes), nil
		case keys.NextField, keys.PreviousField, keys.NextChoice, keys.PreviousChoice:
			c.yes = !c.yes
			return nil, nil
		}
		return c.CommonOrUnused(msg), nil
	}
	return nil, nil
}

func yesNo() []string { return []string{"Yes", "No"} }

func (c *Confirm) answer(yes bool) action.Action {
	if yes {
		return overlay.CloseThen(c.ask.Yes)
	}
	return action.CloseDialog{}
}

// View implements [action.Dialog].
func (c *Confirm) View() string {
	lines := make([]string, 0, len(c.lines)+2)
	for _, line := range c.lines {
		lines = append(lines, c.Styles.Text.On(line))
	}
	chosen := 1
	if c.yes {
		chosen = 0
	}
	lines = append(lines, "", choices(c.Styles, yesNo(), chosen, true, c.w-4))
	borders, _ := c.Hints()
	return widget.DrawBox(c.Box(termtext.Line(c.ask.Title), "", borders[0], c.w, c.h), lines)
}

// Hints implements [action.Dialog].
func (c *Confirm) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	return c.BorderHints(c.Keys.Hints(keys.Form, keys.Yes, keys.No, keys.Close), c.w)
}

// choices draws alternatives on one line, the chosen one in brackets, or that one alone where there is no room for all.
func choices(s *themes.Styles, names []string, chosen int, focused bool, w int) string {
	style := s.Accent
	if focused {
		style = s.Selected
	}
	if choicesWidth(names) > w {
		return style.On("‹ " + names[chosen] + " ›")
	}
	var b strings.Builder
	for i, name := range names {
		if i == chosen {
			b.WriteString(style.On("[" + name + "]"))
		} else {
			b.WriteString(s.Muted.On(" " + name + " "))
		}
	}
	return b.String()
}

func choicesWidth(names []string) int {
	w := 0
	for _, name := range names {
		w += termtext.Width(name) + 2
	}
	return w
}

// choiceAt returns which alternative is drawn at column x.
func choiceAt(names []string, x int) (int, bool) {
	from := 0
	for i, name := range names {
		to := from + termtext.Width(name) + 2
		if x >= from && x < to {
			return i, true
		}
		from = to
	}
	return 0, false
}
