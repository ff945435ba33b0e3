package compare

import tea "charm.land/bubbletea/v2"

func (c *Compare) wheel(msg tea.MouseWheelMsg) {
	n := 3
	if msg.Button == tea.MouseWheelUp {
		n = -3
	}
	if c.diff != nil {
		c.diff.scroll(n, c.h-2)
		return
	}
	if c.blind != nil {
		for _, r := range c.blind.readers {
			r.Scroll(n)
		}
		return
	}
	if r := c.plan.list.Add(c.body().Min); c.inList() && msg.X < r.Max.X && msg.Y >= r.Min.Y {
		c.focus(c.at + n/3)
		return
	}
	if i := c.boxAt(msg.X, msg.Y); i >= 0 && c.boxed(i) != nil {
		c.reading(c.boxed(i)).Scroll(n)
	}
}

// click focuses what was clicked on, in a box or in the list.
func (c *Compare) click(x, y int) {
	if c.diff != nil || c.blind != nil {
		return
	}
	if i := c.boxAt(x, y); i >= 0 && c.first+i < len(c.listed) {
		c.focus(c.first + i)
		return
	}
	if row := y - c.body().Min.Y - c.plan.list.Min.Y - 2; x < c.plan.list.Max.X && row >= 0 && row < c.listRows() {
		if at := c.listTop() + row; at < len(c.listed) {
			c.focus(at)
		}
	}
}

func (c *Compare) boxAt(x, y int) int {
	for i, r := range c.plan.cells {
		r = r.Add(c.body().Min)
		if x >= r.Min.X && x < r.Max.X && y >= r.Min.Y && y < r.Max.Y {
			return i
		}
	}
	return -1
}
