package conversation

import (
	"image"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/markdown"
	"confab/ui/widget"
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
		if key := c.keyAt(at.Y); c.marking.active && key.Answer != 0 && at.Y >= 0 && at.Y < c.turnLines() {
			c.chosen = ref{key.Turn, key.Answer}
			return c.clickCode(at)
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

// DoubleClick shows a picture as large as the screen, or an answer on the whole screen, and back.
func (c *Pane) DoubleClick(_, y int) (action.Action, tea.Cmd) {
	key := c.keyAt(y)
	t, a := c.answerOf(key)
	c.marking = marking{}
	switch {
	case a.ID == 0:
		return nil, nil
	case hasPicture(a):
		return action.ViewTurn{Turn: t, Answer: a.ID}, nil
	}
	c.chosen = ref{key.Turn, key.Answer}
	return action.RunCommand{Scope: keys.Everywhere, Command: keys.ZoomPane}, nil
}

// clickCode does what a key in the line above a block of code does: it copies the block, or moves cut lines.
func (c *Pane) clickCode(at image.Point) action.Action {
	line := ansi.Strip(c.View()[at.Y])
	if ansi.StringWidth(strings.TrimRight(line, " ")) != c.railWidth()+c.textWidth() { // where the keys of a header end
		return nil
	}
	if sideways := c.sidewaysKeys(); sideways != "" && strings.Contains(line, " "+sideways+" sideways") {
		for _, command := range []keys.Command{keys.CodeLeft, keys.CodeRight} {
			if widget.WordAt(line, at.X) == c.keys.Key(keys.Conversation, command) {
				a, _ := c.HandleCommand(command)
				return a
			}
		}
	}
	return c.copyClicked(line, at)
}

// copyClicked copies the block of code whose key was clicked on: "c copy" for the only one, "c 2" for the second.
func (c *Pane) copyClicked(line string, at image.Point) action.Action {
	_, a, _ := c.Focused()
	blocks := markdown.CodeBlocks(a.Text)
	for i, block := range blocks {
		key := c.keys.Key(keys.Conversation, keys.CopyCode) + " " + strconv.Itoa(i+1)
		if len(blocks) == 1 {
			key = c.keys.Key(keys.Conversation, keys.CopyCode) + " copy"
		}
		before, isHeader := strings.CutSuffix(strings.TrimRight(line, " "), " "+key)
		isHeader = isHeader && (strings.HasSuffix(before, "─") || strings.HasSuffix(before, "  "))
		if isHeader && at.X > ansi.StringWidth(before) {
			c.marking = marking{}
			return action.Copy{Text: block.Text, What: "the code block"}
		}
	}
	return nil
}

// markedSpans returns the cells of a line that are marked, without those of pictures.
func (c *Pane) markedSpans(y int, pictures []graphics.Placement) []widget.Span {
	from, to, ok := c.marking.cells(y, c.w)
	if !ok {
		return nil
	}
	for _, p := range pictures {
		if r := p.Visible(); y >= r.Min.Y && y < r.Max.Y {
			return []widget.Span{{From: from, To: min(to, r.Min.X)}, {From: max(from, r.Max.X), To: to}}
		}
	}
	return []widget.Span{{From: from, To: to}}
}

// markedText returns the marked text without margins, styles and the cells of pictures.
func (c *Pane) markedText() string {
	if !c.marking.moved {
		return ""
	}
	var out []string
	pictures := c.Pictures()
	for y, line := range c.View() {
		spans := c.markedSpans(y, pictures)
		text := ""
		for _, s := range spans {
			piece := ""
			if from := max(s.From, c.railWidth()); from < s.To {
				piece = ansi.Strip(ansi.Cut(line, from, s.To))
			}
			if s.From <= c.railWidth() {
				piece = strings.TrimPrefix(piece, " ")
			}
			text += piece
		}
		if spans != nil {
			out = append(out, strings.TrimRight(text, " "))
		}
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}
