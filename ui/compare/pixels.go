package compare

import (
	"image"

	"confab/ui/conversation"
	"confab/ui/graphics"
)

// SetPixels tells how the terminal draws pictures; see
// [conversation.Pane.SetPixels].
func (c *Compare) SetPixels(names *graphics.ImageIDs, aspect float64) {
	c.names, c.aspect = names, aspect
	for _, r := range c.readers() {
		r.SetPixels(names, aspect)
	}
}

// Pictures returns the pictures that are seen, where they are drawn.
func (c *Compare) Pictures() []graphics.Placement {
	var all []graphics.Placement
	add := func(r *conversation.Pane, box image.Rectangle) {
		for _, p := range r.Pictures() {
			all = append(all, p.Moved(box.Min.Add(image.Pt(1, 1))))
		}
	}
	switch {
	case c.diff != nil || c.blind != nil && c.blind.ended:
		return nil
	case c.blind != nil:
		for i, box := range c.pairBoxes() {
			add(c.blind.readers[i], box.Add(image.Pt(0, 1)))
		}
		return all
	}
	body := c.body().Min
	for i, box := range c.plan.cells {
		if x := c.boxed(i); x != nil && x.answer().State.Ended() {
			add(c.reading(x), box.Add(body))
		}
	}
	if p := c.pinned(); p != nil && !c.plan.pinned.Empty() {
		add(c.reading(p), c.plan.pinned.Add(body))
	}
	if !c.annex.source.Empty() {
		add(c.annex.reader, c.annex.source.Add(body))
	}
	return all
}
