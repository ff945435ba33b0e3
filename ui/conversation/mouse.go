package conversation

import (
	"image"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/markdown"
	"confab/ui/widget"
)

// doubleClick shows a picture as large as the screen, or an answer on the whole screen, and back.
func (c *Pane) doubleClick(_, y int) (action.Action, tea.Cmd) {
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
				return c.Run(command)
			}
		}
	}
	return c.copyClicked(line, at)
}

// copyClicked copies the block of code whose key was clicked on: "c copy" for the only one, "c 2" for the second.
func (c *Pane) copyClicked(line string, at image.Point) action.Action {
	_, a, _ := c.Focused()
	if i, before := c.codeHeader(line, a.Text); i >= 0 && at.X > ansi.StringWidth(before) {
		c.marking = marking{}
		return action.Copy{Text: markdown.CodeBlocks(a.Text)[i].Text, What: "the code block"}
	}
	return nil
}

// codeHeader returns the number of the block of code of a text that a line is the header of, and what stands before the
// key that copies it; -1 for any other line.
func (c *Pane) codeHeader(line, text string) (number int, before string) {
	copyKey := c.keys.Key(keys.Conversation, keys.CopyCode)
	line = strings.TrimRight(line, " ")
	if at := strings.LastIndex(line, " "+copyKey+" "); copyKey == "" || at < 0 {
		return -1, ""
	}
	blocks := markdown.CodeBlocks(text)
	for i := range blocks {
		key := copyKey + " " + strconv.Itoa(i+1)
		if len(blocks) == 1 {
			key = copyKey + " copy"
		}
		before, isHeader := strings.CutSuffix(line, " "+key)
		if isHeader && (strings.HasSuffix(before, "─") || strings.HasSuffix(before, "  ")) {
			return i, before
		}
	}
	return -1, ""
}
