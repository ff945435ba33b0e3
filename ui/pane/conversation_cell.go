package pane

import (
	"confab/service"
	"confab/ui/flow"
)

// ReadOnly shows one answer alone, without the prompt and its head: a cell of a
// comparison. The place is kept while the answer stays the same.
func (c *Conversation) ReadOnly(t service.Turn, answer int64) {
	fresh := c.only != answer
	c.turns, c.only, c.at = []service.Turn{t}, answer, ref{t.ID, answer}
	if fresh {
		c.reset()
		c.flow = flow.Flow{}
		c.flow.SetHeight(c.room())
		c.flow.SetFollow(false)
	}
	c.rebuild()
}

// Scroll moves the window by n lines.
func (c *Conversation) Scroll(n int) { c.flow.ScrollBy(n) }

// Share says how far down the window is, from 0 to 1.
func (c *Conversation) Share() float64 {
	total, above := c.flow.Lines()
	if total <= c.room() {
		return 0
	}
	return float64(above) / float64(total-c.room())
}

// SetShare moves the window to a share of the way down.
func (c *Conversation) SetShare(share float64) {
	total, above := c.flow.Lines()
	c.flow.ScrollBy(int(share*float64(max(total-c.room(), 0))+0.5) - above)
}

// Lines says which lines of how many are shown.
func (c *Conversation) Lines() (from, to, total int) {
	total, above := c.flow.Lines()
	return min(above+1, total), min(above+c.room(), total), total
}
