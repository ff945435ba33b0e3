package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/frame"
	"confab/ui/keys"
)

// questionWidth is the width of questions and forms, in cells.
const questionWidth = 66

// Confirm asks a question whose answer is yes or no. No is chosen first, so
// that a key pressed too much does nothing.
type Confirm struct {
	ask    action.Confirm
	m      keys.Map
	styles *themes.Styles
	w, h   int
	lines  []string
	yes    bool
}

// NewConfirm returns the dialog for a question.
func NewConfirm(ask action.Confirm, m keys.Map, s *themes.Styles) *Confirm {
	return &Confirm{ask: ask, m: m, styles: s}
}

// Name implements [Dialog].
func (c *Confirm) Name() string { return "confirm" }

// Scope implements [Dialog].
func (c *Confirm) Scope() keys.Scope { return keys.Form }

// SetStyles implements [Dialog].
func (c *Confirm) SetStyles(s *themes.Styles) { c.styles = s }

// SetSize implements [Dialog].
func (c *Confirm) SetSize(w, h int) {
	c.w, _ = formSize(w, h, questionWidth, h)
	c.lines = termtext.Wrap(termtext.Clean(c.ask.Question), max(c.w-4, 2))
	_, c.h = formSize(w, h, 0, len(c.lines)+4)
	if room := c.h - 4; len(c.lines) > room && room > 0 {
		c.lines = c.lines[:room]
	}
}

// Update implements [Dialog].
func (c *Confirm) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft && msg.Y == c.h-2 {
			switch {
			case msg.X >= 2 && msg.X < 7:
				return done(c.ask.Yes), nil
			case msg.X >= 7 && msg.X < 11:
				return action.CloseDialog{}, nil
			}
		}
	case tea.KeyPressMsg:
		switch c.m.Effect(keys.Form, msg) {
		case keys.Yes:
			return done(c.ask.Yes), nil
		case keys.No, keys.Close:
			return action.CloseDialog{}, nil
		case keys.Accept:
			if c.yes {
				return done(c.ask.Yes), nil
			}
			return action.CloseDialog{}, nil
		case keys.NextField, keys.PrevField, keys.NextChoice, keys.PrevChoice:
			c.yes = !c.yes
			return nil, nil
		}
		if a := elsewhere(c.m, keys.Form, msg); a != nil {
			return a, nil
		}
		return unused(msg), nil
	}
	return nil, nil
}

// View implements [Dialog].
func (c *Confirm) View() string {
	text := c.styles.Text
	lines := make([]string, 0, len(c.lines)+2)
	for _, line := range c.lines {
		lines = append(lines, text.On(line))
	}
	lines = append(lines, "",
		choices(c.styles, []string{"Yes", "No"}, map[bool]int{true: 0, false: 1}[c.yes], true, c.w-4))
	return frame.Draw(frame.Box{
		Title:   termtext.Line(c.ask.Title),
		Bottom:  hintLine(c.styles, borderHints(c.hints(), c.w-6)),
		Focused: true, W: c.w, H: c.h, Pad: 1, Styles: c.styles,
	}, lines)
}

// Hints implements [Dialog].
func (c *Confirm) Hints() (border, footer []keys.Hint) { return divide(c.hints(), c.w-6) }

func (c *Confirm) hints() []keys.Hint {
	return withHelp(c.m, c.m.Hints(keys.Form, keys.Yes, keys.No, keys.Close))
}

// Cursor implements [Dialog].
func (c *Confirm) Cursor() *tea.Cursor { return nil }

// choices draws alternatives on one line, the chosen one in brackets, or that
// one alone where there is no room for all.
func choices(s *themes.Styles, names []string, at int, focused bool, w int) string {
	all := 0
	for _, name := range names {
		all += len([]rune(name)) + 2
	}
	ink := s.Accent
	if focused {
		ink = s.Selected
	}
	if all > w {
		return ink.On("‹ " + names[at] + " ›")
	}
	muted := s.Muted
	var b strings.Builder
	for i, name := range names {
		if i == at {
			b.WriteString(ink.On("[" + name + "]"))
		} else {
			b.WriteString(muted.On(" " + name + " "))
		}
	}
	return b.String()
}

// choiceAt returns which alternative is drawn at column x.
func choiceAt(names []string, x int) (int, bool) {
	from := 0
	for i, name := range names {
		to := from + len([]rune(name)) + 2
		if x >= from && x < to {
			return i, true
		}
		from = to
	}
	return 0, false
}
