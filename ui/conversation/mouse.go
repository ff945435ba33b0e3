package conversation

import (
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
)

// marking is text marked with the mouse, in cells of the window.
type marking struct {
	active   bool
	moved    bool
	from, to image.Point // where the button was pressed, and where the pointer is
}

// cells returns the cells of line y that are marked; ok is false for none.
func (m marking) cells(y, w int) (from, to int, ok bool) {
	start, end := m.from, m.to
	if end.Y < start.Y || end.Y == start.Y && end.X < start.X {
		start, end = end, start
	}
	if !m.moved || y < start.Y || y > end.Y {
		return 0, 0, false
	}
	to = w
	if y == start.Y {
		from = max(start.X, 0)
	}
	if y == end.Y {
		to = min(end.X+1, w)
	}
	return from, to, from < to
}

// mouse follows the mouse: a click selects an answer, dragging marks text, and releasing the button copies it.
func (c *Pane) mouse(msg tea.MouseMsg) action.Action {
	at := image.Pt(msg.Mouse().X, msg.Mouse().Y)
	switch msg.(type) {
	case tea.MouseClickMsg:
		c.marking = marking{active: msg.Mouse().Button == tea.MouseLeft, from: at, to: at}
		if key := c.keyAt(at.Y); c.marking.active && key.Answer != 0 {
			c.chosen = ref{key.Turn, key.Answer}
		}
	case tea.MouseMotionMsg:
		if c.marking.active {
			c.marking.moved, c.marking.to = true, image.Pt(at.X, max(min(at.Y, c.h-1), 0))
		}
	case tea.MouseReleaseMsg:
		text := c.markedText()
		c.marking = marking{}
		if text != "" {
			return action.Copy{Text: text, What: "the marked text"}
		}
	}
	return nil
}

// markedText returns the marked text without margins, styles and the cells of pictures.
func (c *Pane) markedText() string {
	if !c.marking.moved {
		return ""
	}
	var out []string
	pictures := c.Pictures()
	for y, line := range c.View() {
		for _, p := range pictures {
			if r := p.Visible(); y >= r.Min.Y && y < r.Max.Y {
				line = ansi.Cut(line, 0, r.Min.X) + strings.Repeat(" ", r.Dx()) + ansi.Cut(line, r.Max.X, c.w)
			}
		}
		from, to, ok := c.marking.cells(y, c.w)
		if !ok {
			continue
		}
		text := ansi.Strip(ansi.Cut(line, from, to))
		if from == 0 {
			text = withoutMargin(text)
		}
		out = append(out, strings.TrimRight(text, " "))
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}
