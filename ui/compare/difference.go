package compare

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/diffview"
	"confab/ui/keys"
	"confab/ui/terminal"
)

// difference is the layer that shows how two answers differ.
type difference struct {
	a, b    *cell
	result  *service.Diff // nil while it is being found
	view    diffview.View
	columns bool
	top     int
	hunk    int
}

type (
	// likenessMsg brings how alike the answers are to the pinned one.
	likenessMsg struct {
		view  *Compare
		pin   int64
		likes map[int64]float64
	}
	// differenceMsg brings how two answers differ.
	differenceMsg struct {
		view   *Compare
		a, b   int64
		result service.Diff
	}
)

// likeness compares what is done with the pinned answer, in a command.
func (c *Compare) likeness() tea.Cmd {
	p := c.pinned()
	if p == nil || !p.done() {
		return nil
	}
	texts := map[int64]string{}
	for _, x := range c.cells {
		a := x.answer()
		if _, known := c.likes[a.ID]; x != p && !known && x.done() && a.Picture == nil {
			texts[a.ID] = a.Text
			c.likes[a.ID] = 0 // asked for; corrected when it comes
		}
	}
	if len(texts) == 0 {
		return nil
	}
	pin, text := p.answer().ID, p.answer().Text
	return func() tea.Msg {
		msg := likenessMsg{view: c, pin: pin, likes: map[int64]float64{}}
		for id, other := range texts {
			msg.likes[id] = service.Likeness(text, other)
		}
		return msg
	}
}

func (c *Compare) liked(msg likenessMsg) {
	if p := c.pinned(); msg.view != c || p == nil || p.answer().ID != msg.pin {
		return
	}
	for id, l := range msg.likes {
		c.likes[id] = l
	}
	if c.by == byLikeness {
		c.relist()
		c.layout()
	}
}

// openDifference compares the focused answer with the pinned one, or with its
// neighbour when none is pinned.
func (c *Compare) openDifference() (action.Action, tea.Cmd) {
	b := c.current()
	a := c.pinned()
	if a == nil || a == b {
		for _, x := range c.listed {
			if x != b && x.done() && x.answer().Picture == nil {
				a = x
				break
			}
		}
	}
	if a == nil || a == b || !a.done() || !b.done() || a.answer().Picture != nil || b.answer().Picture != nil {
		return action.Notify{Severity: action.Warn, Text: "Two finished texts are needed: P pins one, d compares another with it."}, nil
	}
	c.diff = &difference{a: a, b: b}
	return nil, c.compareTexts()
}

func (c *Compare) compareTexts() tea.Cmd {
	a, b := c.diff.a.answer(), c.diff.b.answer()
	return func() tea.Msg {
		return differenceMsg{view: c, a: a.ID, b: b.ID, result: service.Compare(a.Text, b.Text)}
	}
}

func (c *Compare) differs(msg differenceMsg) {
	d := c.diff
	if d == nil || msg.view != c || d.a.answer().ID != msg.a || d.b.answer().ID != msg.b {
		return
	}
	d.result = &msg.result
	d.draw(c)
}

func (c *Compare) closeDifference() { c.diff = nil }

// performDifference carries out the effects of the layer.
func (c *Compare) performDifference(effect keys.Effect) bool {
	d := c.diff
	if d == nil {
		return false
	}
	switch effect {
	case keys.DiffColumns:
		d.columns = !d.columns
		d.draw(c)
	case keys.SwapSides:
		d.a, d.b, d.result = d.b, d.a, nil
	case keys.FindNext:
		d.toHunk(d.hunk+1, c.h-2)
	case keys.FindPrevious:
		d.toHunk(d.hunk-1, c.h-2)
	}
	return true
}

// draw makes the lines of the layer.
func (d *difference) draw(c *Compare) {
	if d.result == nil {
		return
	}
	w := c.w - 2
	if d.columns && w >= 60 {
		left := (w - 1) / 2
		d.view = diffview.Columns(*d.result, left, w-left, c.styles)
	} else {
		d.view = diffview.Inline(*d.result, w, c.styles)
	}
	d.toHunk(d.hunk, c.h-2)
}

// toHunk shows a hunk, the first or last one past the ends.
func (d *difference) toHunk(n, h int) {
	hunks := d.view.Hunks
	if len(hunks) == 0 {
		d.hunk = 0
		return
	}
	d.hunk = (n%len(hunks) + len(hunks)) % len(hunks)
	if at := hunks[d.hunk]; at < d.top || at >= d.top+h {
		d.top = max(at-h/3, 0)
	}
}

func (d *difference) scroll(n int) {
	d.top = max(min(d.top+n, len(d.view.Lines)-1), 0)
}

// lines draws the layer: what is compared, and where it differs.
func (d *difference) lines(c *Compare) []string {
	s := c.styles
	name := func(x *cell) string { return fmt.Sprintf("%d %s", x.place, terminal.Line(x.name)) }
	head := " " + s.Muted.Render("diff  ") + s.Strong.Render(name(d.a)) + s.Muted.Render("  →  ") + s.Strong.Render(name(d.b))
	if d.result == nil {
		return []string{head, "", s.Faint.Render("  comparing…")}
	}
	facts := fmt.Sprintf("   likeness %.2f (text, not merit)", d.result.Likeness)
	switch {
	case d.result.Equal():
		facts = "   the same text"
	case d.result.Coarse:
		facts += "   by lines where words would take too long"
	}
	if n := len(d.view.Hunks); n > 0 {
		facts += fmt.Sprintf("   %d of %d", d.hunk+1, n)
	}
	out := []string{head + s.Muted.Render(facts), ""}
	for i := d.top; i < len(d.view.Lines) && len(out) < c.h; i++ {
		out = append(out, " "+d.view.Line(i, d.hunk))
	}
	return out
}
