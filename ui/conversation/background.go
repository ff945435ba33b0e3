package conversation

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/flow"
	"confab/ui/graphics"
	"confab/ui/markdown"
	"confab/ui/part"
)

// What commands bring back to the pane that started them.
type (
	// cutMsg brings texts cut into blocks, each by a part of its answer.
	cutMsg map[flow.Key]cutText
	// renderedMsg brings rendered parts, and how long they took; those of another generation are stale.
	renderedMsg struct {
		generation int
		parts      []rendering
		took       time.Duration
	}
)

// cutKey is the cutting of a text, as work under way.
type cutKey flow.Key

// textToCut is a text that is to be cut; one that is whole does not grow.
type textToCut struct {
	text    string
	isWhole bool
}

const maxPreviews = 48 // scaled pictures that are kept

// maxDrawnAtOnce is how many texts may grow on the screen whose short ends are drawn with the event that brought them.
const maxDrawnAtOnce = 4

// Work asks for what the screen and the next screenful need and do not have yet: pictures and turns as actions, cutting
// and rendering as a command. The root calls it after every update; with nothing to do it returns nothing.
func (c *Pane) Work() (action.Action, tea.Cmd) {
	c.takeChanges()
	if c.w == 0 || c.isEmpty() {
		return nil, nil
	}
	c.chosen = c.selected() // what is on screen now stays selected
	var actions action.Sequence
	pieces := map[pieceWork][]piece{}
	texts := map[flow.Key]textToCut{}
	growingTexts := map[flow.Key]bool{}
	for _, span := range c.flow.Around(c.h) {
		p := c.pieceOf(span.Part.Key)
		c.addUncut(texts, p)
		if p.grows {
			growingTexts[textKey(p.key)] = true
		}
		switch work := c.workOn(p); {
		case work == noWork:
		case work == readPicture && c.begin(p.file):
			actions = append(actions, action.LoadPicture{File: p.file})
		case work != readPicture && c.begin(p.key):
			pieces[work] = append(pieces[work], p)
		}
	}
	if page := c.loadNear(); page != nil {
		actions = append(actions, page)
	}
	c.growing = len(growingTexts)
	grows := part.DrawsAny
	if max(c.growing, c.Beside) > 1 {
		grows = part.DrawsGrowth
	}
	cmd := tea.Batch(c.cut(texts), c.render(pieces[renderText], part.DrawsAny), c.render(pieces[renderGrowing], grows))
	if ends := pieces[drawNow]; len(ends) > 0 {
		cmd = tea.Batch(cmd, c.receiveRendered(c.draw(ends)))
		next, more := c.Work() // what moved onto the screen by that
		actions, cmd = append(actions, next), tea.Batch(cmd, more)
	}
	return action.Join(actions...), cmd
}

// pieceWork is what has to be done before a piece can be shown as it is now.
type pieceWork int

const (
	noWork pieceWork = iota
	readPicture
	renderText
	renderGrowing // of a text that is being written
	drawNow       // the short end of such a text
)

// workOn returns what has to be done for a piece. It changes nothing.
func (c *Pane) workOn(p piece) pieceWork {
	isBody, isWhole := p.key.Role == roleBody, p.key.Index == indexWhole
	switch {
	case isDrawnAtOnce(p.key), isWhole && p.key.Role == roleReasoning, isWhole && isBody && hasText(p.answer):
		return noWork
	case isBody && c.isMissing(p):
		return readPicture
	case c.isDrawn(p), c.isDelayed(p):
		return noWork
	case p.grows && len(p.block.Source) <= maxUndelayed && max(c.growing, c.Beside) <= maxDrawnAtOnce:
		return drawNow
	case p.grows:
		return renderGrowing
	}
	return renderText
}

// addUncut adds the text of a part that is shown and was not cut as it is now.
func (c *Pane) addUncut(texts map[flow.Key]textToCut, p piece) {
	a := p.answer
	key := flow.Key{Turn: p.key.Turn, Answer: a.ID, Role: roleBody}
	if p.key.Role == roleReasoning {
		key.Role = roleReasoning
		if !c.view(a.ID).showsReasoning {
			return
		}
	} else if a.ID == 0 || !hasText(a) {
		return
	}
	text := textOf(a, key.Role)
	if !c.cutOf(key).isOf(text, a.State.HasEnded()) && c.begin(cutKey(key)) {
		texts[key] = textToCut{text, a.State.HasEnded()}
	}
}

// isDrawn tells whether a piece was rendered as it is now.
func (c *Pane) isDrawn(p piece) bool {
	r, ok := c.rendered.parts[p.key]
	return ok && r.drawing == p.drawing
}

// begin notes work as under way; it tells whether it was not.
func (c *Pane) begin(work any) bool {
	if c.pending[work] {
		return false
	}
	c.pending[work] = true
	return true
}

// isMissing tells whether the picture of a part can be drawn and was not read. There may be none.
func (c *Pane) isMissing(p piece) bool {
	if p.picture == nil || c.profile < colorprofile.ANSI256 || p.picture.IsTooLarge || p.file.Path == "" {
		return false
	}
	_, isRead := c.previews[p.file]
	return !isRead
}

// cut cuts texts into blocks and counts their words.
func (c *Pane) cut(texts map[flow.Key]textToCut) tea.Cmd {
	if len(texts) == 0 {
		return nil
	}
	return func() tea.Msg {
		msg := make(cutMsg, len(texts))
		for key, t := range texts {
			var cut cutText
			if t.isWhole {
				cut = cutText{Document: markdown.NewDocument(t.text), words: format.Words(t.text)}
			} else {
				cut.grow(t.text)
			}
			msg[key] = cut
		}
		return part.Result{To: c, Msg: msg}
	}
}

// draw renders pieces. What it does with the pane's renderers is safe beside commands that use them.
func (c *Pane) draw(pieces []piece) renderedMsg {
	msg, _ := c.render(pieces, part.DrawsAny)().(part.Result)
	rendered, _ := msg.Msg.(renderedMsg)
	return rendered
}

// render returns a command that renders pieces.
func (c *Pane) render(pieces []piece, draws part.Draws) tea.Cmd {
	if len(pieces) == 0 {
		return nil
	}
	generation, cv, renderers := c.generation, c.canvas, c.renderers
	return func() tea.Msg {
		msg, began := renderedMsg{generation: generation}, time.Now()
		r, _ := renderers.Get().(*markdown.Renderer)
		defer renderers.Put(r)
		r.SidewaysKeys = cv.sidewaysKeys()
		for _, p := range pieces {
			r.Sideways, r.CopyKey = p.sideways, p.codeKey
			msg.parts = append(msg.parts, rendering{p.drawing, cv.lines(p, r), p.grows})
		}
		msg.took = time.Since(began)
		return part.Result{To: c, Msg: msg, Draws: draws}
	}
}

// receive takes the results of work. It reports whether the message was one.
func (c *Pane) receive(msg tea.Msg) (cmd tea.Cmd, ok bool) {
	switch msg := msg.(type) {
	case cutMsg:
		for key, cut := range msg {
			delete(c.pending, cutKey(key))
			now := c.cutOf(key)
			if cut.IsWhole() || len(cut.Text()) > len(now.Text()) { // else it has grown meanwhile
				*now = cut
			}
		}
		c.rebuild()
		c.seekMatch()
	case renderedMsg:
		return c.receiveRendered(msg), true
	case redrawMsg:
		if msg.generation == c.generation {
			delete(c.delayed, msg.key)
		}
	case graphics.SentMsg:
		c.rebuild() // a picture has an id by now, or none any more
	case graphics.PreviewMsg:
		delete(c.pending, msg.File)
		if len(c.previews) >= maxPreviews {
			clear(c.previews)
		}
		c.previews[msg.File] = msg
		c.rebuild() // the shape of what an edit was made from is known by now
	default:
		return nil, false
	}
	return nil, true
}

func (c *Pane) receiveRendered(msg renderedMsg) tea.Cmd {
	if msg.generation != c.generation {
		return nil
	}
	if c.rendered.lines > maxLines {
		c.keepRendered(c.flow.Around(2 * c.h))
	}
	place, line := c.flow.Place()
	before := c.rendered.parts[place].lines
	for _, r := range msg.parts {
		delete(c.pending, r.key)
		if r.fits(c.pieceOf(r.key).drawing) {
			c.rendered.put(r)
			c.cutOf(r.key).dropStable(r.key.Index)
		}
	}
	c.rebuild()
	if at := lineOfSame(before, c.rendered.parts[place].lines, line); at != line && !c.flow.IsFollowing() {
		c.flow.ScrollToPart(place, at)
	}
	c.seekMatch()
	return c.delayRedraw(msg.parts, msg.took)
}

// lineOfSame returns the line of a part that shows what a line of the part showed before it was drawn again: the one
// with as many lines of text above it. A list gets empty lines between its items when one of them comes.
func lineOfSame(before, now []string, line int) int {
	if line >= len(before) || slices.Equal(before[:line+1], now[:min(line+1, len(now))]) {
		return line
	}
	isEmpty := func(s string) bool { return strings.TrimSpace(ansi.Strip(s)) == "" }
	above := 0
	for _, s := range before[:line] {
		if !isEmpty(s) {
			above++
		}
	}
	for i, s := range now {
		switch {
		case isEmpty(s):
		case above == 0 && isEmpty(before[line]) && i > 0 && isEmpty(now[i-1]):
			return i - 1
		case above == 0:
			return i
		default:
			above--
		}
	}
	return line
}

// keepRendered forgets all rendered parts but some.
func (c *Pane) keepRendered(keep []flow.Span) {
	kept := renderings{parts: map[flow.Key]rendering{}}
	for _, span := range keep {
		if r, ok := c.rendered.parts[span.Part.Key]; ok {
			kept.put(r)
		}
	}
	c.rendered = kept
	for _, v := range c.views {
		v.body.stableParts, v.reasoning.stableParts = nil, nil
	}
}

// maxLines is how many rendered lines are kept.
const maxLines = 10_000

// renderings holds the parts that were rendered.
type renderings struct {
	parts map[flow.Key]rendering
	lines int
}

func (r *renderings) put(part rendering) {
	r.remove(part.key)
	r.parts[part.key] = part
	r.lines += len(part.lines)
}

func (r *renderings) remove(key flow.Key) {
	r.lines -= len(r.parts[key].lines)
	delete(r.parts, key)
}

// textKey returns the key that all parts of a text share.
func textKey(key flow.Key) flow.Key {
	key.Index = 0
	return key
}
