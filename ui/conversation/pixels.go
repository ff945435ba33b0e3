package conversation

import (
	"image"

	"confab/history"
	"confab/ui/flow"
	"confab/ui/graphics"
)

// Pictures returns the pictures in the window, where they are drawn.
func (c *Pane) Pictures() []graphics.Placement {
	var all []graphics.Placement
	y, cv := 0, c.canvas()
	for _, span := range c.flow.Visible() {
		if p, ok := c.placed(cv, span.Part.Key); ok {
			lead := 1
			if cv.alone {
				lead = 0
			}
			p.At = image.Pt(1, y-span.From+lead)
			p.Clip = image.Rect(0, 0, c.w, c.room())
			all = append(all, p)
		}
		y += span.To - span.From
	}
	return all
}

// placed returns the picture of a part that is drawn, with the cells of its box.
func (c *Pane) placed(cv canvas, key flow.Key) (graphics.Placement, bool) {
	if _, drawn := c.lines[key]; !drawn || key.Role != roleBody {
		return graphics.Placement{}, false
	}
	t, _ := c.Turn(key.Turn)
	a, _ := answerOf(t, key.Answer)
	if a.State != history.Done || a.Picture == nil {
		return graphics.Placement{}, false
	}
	p, index := c.seen(t, a)
	w, h := cv.pictureBox(p)
	if key.Index != index || h == 0 || p.Path == "" || c.previews[p.Path].problem != "" {
		return graphics.Placement{}, false
	}
	return graphics.Placement{Path: p.Path, Cells: image.Pt(w, h)}, true
}

// seenID returns the id by which a picture is drawn now, 0 for cells.
func (c *Pane) seenID(p *history.Picture) int {
	if p.TooLarge || p.Path == "" || !draws(c.profile) {
		return 0
	}
	return c.names.ID(p.Path)
}

// SetPixels tells that the terminal draws pictures by the ids of a table, nil
// when they are drawn as cells, and the shape of its cells: their height over
// their width, 0 for the usual one.
func (c *Pane) SetPixels(names *graphics.ImageIDs, aspect float64) {
	if names != c.names || aspect != c.aspect {
		c.names, c.aspect = names, aspect
		c.restyle()
	}
}
