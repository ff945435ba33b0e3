package compare

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
)

// stripLine lists all answers in one line; < > marks what is on screen, and the
// numbers on the right say which of how many that is.
func (c *Compare) stripLine() string {
	n := len(c.listed)
	last := min(c.first+len(c.plan.cells), n)
	right := fmt.Sprintf("%d–%d of %d", c.first+1, last, n)
	if last == c.first+1 {
		right = fmt.Sprintf("%d of %d", last, n)
	}
	rights := []string{right}
	if c.bare { // it stands for the line above, too
		rights[0] = c.onlyText() + right
		if c.show == showAll {
			rights = []string{c.counts(true) + between + right, right}
		}
	}
	var items []string
	room := 0
	for _, most := range []int{32, 20, 14, 10, 7} {
		for _, right = range rights {
			room = max(c.w-ansi.StringWidth(right)-4, 8)
			if items = c.stripItems(most); ansi.StringWidth(strings.Join(items, "")) <= room {
				return c.stripDrawn(items, room, right)
			}
		}
	}
	return c.stripDrawn(items, room, right)
}

// stripDrawn draws the items, those around the focused one where there is no room
// for all.
func (c *Compare) stripDrawn(items []string, room int, right string) string {
	last := c.first + len(c.plan.cells)
	out, at := "", 0
	for i, text := range items {
		style := c.styles.Muted
		if i >= c.first && i < last {
			style = c.styles.Text
		}
		if i == c.at {
			style, at = c.styles.Accent, ansi.StringWidth(out)+ansi.StringWidth(text)
		}
		out += style.Render(text)
	}
	if over := at - room; over > 0 {
		out = ansi.TruncateLeft(out, over+1, "…")
	}
	return " " + termtext.Fit(out, room) + "  " + c.styles.Muted.Render(right)
}

// stripItems says of each answer its number, name and state, with names of at
// most so many cells.
func (c *Compare) stripItems(most int) []string {
	var out []string
	for i, x := range c.listed {
		state := x.state(c.now)
		if x.done() {
			state = x.timeText(false)
			if verdictOf(x.checks()).failed > 0 {
				state += " " + crossed
			}
		}
		text := fmt.Sprintf("%d%s%s %s", x.place, listMark(x), shortName(listName(x), most), state)
		if i >= c.first && i < c.first+len(c.plan.cells) {
			text = "<" + text + ">"
		} else {
			text = " " + text + " "
		}
		out = append(out, text)
	}
	return out
}
