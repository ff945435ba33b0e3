package conversation

import (
	"hash/maphash"
	"maps"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/flow"
	"confab/ui/graphics"
	"confab/ui/markdown"
	"confab/ui/part"
)

// What commands bring back to the pane that started them.
type (
	// measuredMsg brings texts cut into blocks, with how many words they have, by answer.
	measuredMsg map[int64]measuredText
	// renderedMsg brings rendered parts; those of another generation are stale.
	renderedMsg struct {
		generation int
		parts      []rendering
	}
)

// measuring is the measuring of an answer's text, as work under way.
type measuring int64

const (
	maxLines    = 40_000 // rendered lines that are kept
	maxPreviews = 48     // scaled pictures that are kept
)

// Work asks for what the screen and the next screenful need and do not have yet: pictures and turns as actions, cutting
// and rendering as a command. The root calls it after every update; with nothing to do it returns nothing.
func (c *Pane) Work() (action.Action, tea.Cmd) {
	if c.w == 0 || len(c.turns) == 0 {
		return nil, nil
	}
	c.chosen = c.selected() // what is on screen now stays selected
	var actions action.Several
	var pieces []piece
	texts := map[int64]string{}
	for _, span := range c.flow.Around(c.h) {
		p := c.pieceOf(span.Part.Key)
		a := p.answer
		if hasText(a) && c.view(a.ID).text != a.Text && c.begin(measuring(a.ID)) {
			texts[a.ID] = a.Text
		}
		switch isBody := p.key.Role == roleBody; {
		case p.key.Role == roleYou, p.key.Role == roleHead, isBody && hasText(a) && p.key.Index == indexWhole:
		case isBody && c.isMissing(p.picture):
			if c.begin(p.picture.Path) {
				actions = append(actions, action.LoadPicture{Path: p.picture.Path})
			}
		case c.rendered[p.key].drawing != p.drawing && c.begin(p.drawing):
			pieces = append(pieces, p)
		}
	}
	if page := c.loadNear(); page != nil {
		actions = append(actions, page)
	}
	cmd := tea.Batch(c.measure(texts), c.render(pieces))
	if len(actions) == 0 {
		return nil, cmd
	}
	return actions, cmd
}

// begin notes work as under way; it tells whether it was not.
func (c *Pane) begin(work any) bool {
	if c.pending[work] {
		return false
	}
	c.pending[work] = true
	return true
}

// isMissing tells whether a picture can be drawn and was not read. There may be none.
func (c *Pane) isMissing(p *history.Picture) bool {
	if p == nil || c.profile < colorprofile.ANSI256 || p.TooLarge || p.Path == "" {
		return false
	}
	_, isRead := c.previews[p.Path]
	return !isRead
}

// measure cuts texts into blocks and counts their words.
func (c *Pane) measure(texts map[int64]string) tea.Cmd {
	if len(texts) == 0 {
		return nil
	}
	seed := c.seed
	return func() tea.Msg {
		measured := make(measuredMsg, len(texts))
		for id, text := range texts {
			m := measuredText{text: text, words: format.MeasureText(text).Words}
			for _, b := range markdown.Split(text) {
				m.blocks = append(m.blocks, block{b, maphash.String(seed, b.Source)})
			}
			measured[id] = m
		}
		return part.Result{To: c, Msg: measured}
	}
}

// render returns a command that renders pieces with a renderer of its own: one is not safe to share (glamour v2.0.1).
func (c *Pane) render(pieces []piece) tea.Cmd {
	if len(pieces) == 0 {
		return nil
	}
	generation, cv := c.generation, c.canvas()
	return func() tea.Msg {
		msg := renderedMsg{generation: generation}
		var r *markdown.Renderer
		for _, p := range pieces {
			if p.block != nil && r == nil {
				r = markdown.NewRenderer(cv.styles, cv.textWidth)
				r.CopyKey = cv.copyCode
			}
			msg.parts = append(msg.parts, rendering{p.drawing, cv.lines(p, r)})
		}
		return part.Result{To: c, Msg: msg}
	}
}

// receive takes the results of work. It reports whether the message was one.
func (c *Pane) receive(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case measuredMsg:
		for id, m := range msg {
			c.view(id).measuredText = m
			delete(c.pending, measuring(id))
		}
		c.rebuild()
		c.seekMatch()
	case renderedMsg:
		c.receiveRendered(msg)
	case graphics.SentMsg:
		c.rebuild() // a picture has an id by now, or none any more
	case graphics.PreviewMsg:
		delete(c.pending, msg.Path)
		if len(c.previews) >= maxPreviews {
			clear(c.previews)
		}
		c.previews[msg.Path] = msg
		c.rebuild() // the shape of what an edit was made from is known by now
	default:
		return false
	}
	return true
}

func (c *Pane) receiveRendered(msg renderedMsg) {
	if msg.generation != c.generation {
		return
	}
	c.trim()
	heights := make(map[flow.Key]int, len(msg.parts))
	for _, r := range msg.parts {
		delete(c.pending, r.drawing)
		if r.fits(c.pieceOf(r.key).drawing) {
			c.rendered[r.key] = r
			heights[r.key] = len(r.lines)
		}
	}
	c.flow.SetHeights(heights)
	c.seekMatch()
}

// trim forgets what was rendered once there is too much of it; what is on screen stays.
func (c *Pane) trim() {
	n := 0
	for _, r := range c.rendered {
		n += len(r.lines)
	}
	if n < maxLines {
		return
	}
	near := map[flow.Key]bool{}
	for _, span := range c.flow.Around(2 * c.h) {
		near[span.Part.Key] = true
	}
	maps.DeleteFunc(c.rendered, func(key flow.Key, _ rendering) bool { return !near[key] })
}
