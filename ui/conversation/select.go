package conversation

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
)

// selection is text marked with the mouse, in lines and cells of the window.
type selection struct {
	active         bool
	moved          bool
	x0, y0, x1, y1 int
}

// ordered returns the ends of the selection from above downwards.
func (s selection) ordered() (x0, y0, x1, y1 int) {
	if s.y1 < s.y0 || s.y1 == s.y0 && s.x1 < s.x0 {
		return s.x1, s.y1, s.x0, s.y0
	}
	return s.x0, s.y0, s.x1, s.y1
}

// part returns the cells of line y that are selected; ok is false for none.
func (s selection) part(y, w int) (from, to int, ok bool) {
	if !s.active || !s.moved {
		return 0, 0, false
	}
	x0, y0, x1, y1 := s.ordered()
	if y < y0 || y > y1 {
		return 0, 0, false
	}
	from, to = 0, w
	if y == y0 {
		from = max(x0, 0)
	}
	if y == y1 {
		to = min(x1+1, w)
	}
	return from, to, from < to
}

// mouse follows the mouse: a click focuses an answer, dragging marks text, and
// letting go copies it.
func (c *Pane) mouse(msg tea.Msg) action.Action {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		c.sel = selection{}
		if msg.Button == tea.MouseLeft {
			c.sel = selection{active: true, x0: msg.X, y0: msg.Y, x1: msg.X, y1: msg.Y}
			c.click(msg.Y)
		}
	case tea.MouseMotionMsg:
		if c.sel.active {
			c.sel.moved = true
			c.sel.x1, c.sel.y1 = msg.X, max(min(msg.Y, c.h-1), 0)
		}
	case tea.MouseReleaseMsg:
		if !c.sel.moved {
			c.sel = selection{}
			return nil
		}
		text := c.markedText()
		c.sel = selection{}
		if text != "" {
			return action.Copy{Text: text, What: "the marked text"}
		}
	}
	return nil
}

// markedText returns the marked text without margins and styles.
func (c *Pane) markedText() string {
	var out []string
	for y, line := range c.View() {
		from, to, ok := c.sel.part(y, c.w)
		if !ok {
			continue
		}
		part := ansi.Strip(ansi.Cut(line, from, to))
		if from == 0 {
			part = strings.TrimPrefix(strings.TrimPrefix(part, " "), rail)
		}
		out = append(out, strings.TrimRight(part, " "))
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// shade draws the marked part of a line.
func (c *Pane) shade(y int, line string) string {
	from, to, ok := c.sel.part(y, c.w)
	if !ok {
		return line
	}
	return ansi.Cut(line, 0, from) + c.styles.Selected.Render(ansi.Strip(ansi.Cut(line, from, to))) + ansi.Cut(line, to,
		c.w)
}
