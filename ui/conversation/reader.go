package conversation

import (
	"maps"

	"confab/history"
	"confab/ui/flow"
	"confab/ui/keys"
)

// noAnswer, as the one answer that is read, stands for one that is not there yet.
const noAnswer = -1

// ReadOnly shows one answer alone, without the prompt and its head: a cell of a comparison. The place is kept while the
// answer stays the same. Answer 0 shows nothing.
func (c *Pane) ReadOnly(turn, answer int64) { c.readAlone(turn, answer, false) }

// SetCodeKey sets the key that copies a block of code of the one answer that is read, "" while none does: then it is
// not named.
func (c *Pane) SetCodeKey(key string) { c.cellCodeKey = key }

// codeKey returns the key that copies a block of code now, "" for none.
func (c *Pane) codeKey() string {
	switch {
	case c.only != 0:
		return c.cellCodeKey
	case !c.focused:
		return ""
	}
	return c.keys.Key(keys.Conversation, keys.CopyCode)
}

// ReadBlind is [Pane.ReadOnly] without notes and a picture's name and figures, which would tell who made it.
func (c *Pane) ReadBlind(turn, answer int64) { c.readAlone(turn, answer, true) }

func (c *Pane) readAlone(turn, answer int64, blind bool) {
	if answer == 0 {
		answer = noAnswer
	}
	isOther := c.only != answer || c.blind != blind
	c.only, c.chosen, c.blind = answer, ref{turn, answer}, blind
	if isOther {
		c.forgetRendered()
		c.flow = flow.Flow{}
		c.flow.SetHeight(c.turnLines())
		c.flow.ToTop()
		c.find.target, c.find.line = target{}, partLine{}
		c.isUnread = true
	}
	t, _ := c.turn(turn)
	if a, ok := t.Answer(answer); ok {
		c.growText(turn, a)
		if c.isUnread && a.State == history.Running && hasText(a) {
			c.flow.ToEnd()
		}
	}
	c.rebuild()
}

// ReadLike shows the answer that another reader shows, at the place at which it is read there. The reader has its size
// already.
func (c *Pane) ReadLike(o *Pane) {
	if o.only == 0 {
		return
	}
	c.find, c.previews, c.views = o.find, maps.Clone(o.previews), map[int64]*answerView{}
	for id, v := range o.views {
		copied := *v
		for _, t := range []*cutText{&copied.body, &copied.reasoning} {
			if t.stableParts = nil; !t.IsWhole() { // both readers would let it grow
				*t = cutText{}
			}
		}
		c.views[id] = &copied
	}
	c.ReadOnly(o.chosen.turn, max(o.only, 0))
	c.flow = o.flow // the parts of this reader take their place
	c.flow.SetHeight(c.turnLines())
	c.rebuild()
	c.spareParts = nil // those of the other reader
}

// GoOn shows the answer that another reader shows at the place at which it is read there, or from its head where nobody
// has scrolled in it.
func (c *Pane) GoOn(o *Pane) {
	c.takeChanges()
	at := o.chosen
	if t, _ := c.turn(at.turn); len(t.Answers) > 0 && t.Answers[0].ID == at.answer {
		at.answer = 0 // the prompt above it
	}
	c.GoTo(at.turn, at.answer)
	if key, line := o.flow.Place(); !o.flow.IsAtTop() && !o.isUnread {
		c.flow.ScrollToPart(key, line)
	}
}

// IsUnread tells whether nobody has scrolled in the one answer that is read: it followed what was written.
func (c *Pane) IsUnread() bool { return c.isUnread }

// ToStart shows the beginning of the one answer that is read.
func (c *Pane) ToStart() { c.flow.ToTop() }

// Scroll moves the window by n lines.
func (c *Pane) Scroll(n int) {
	c.find.target, c.isUnread = target{}, false
	c.flow.ScrollBy(n)
}

// Share says how far down the window is, from 0 to 1.
func (c *Pane) Share() float64 {
	total, above := c.flow.Lines()
	if total <= c.turnLines() {
		return 0
	}
	return float64(above) / float64(total-c.turnLines())
}

// SetShare moves the window to a share of the way down.
func (c *Pane) SetShare(share float64) {
	total, above := c.flow.Lines()
	c.Scroll(int(share*float64(max(total-c.turnLines(), 0))+0.5) - above)
}

// Lines says which lines of how many are shown.
func (c *Pane) Lines() (from, to, total int) {
	total, above := c.flow.Lines()
	return min(above+1, total), min(above+c.turnLines(), total), total
}
