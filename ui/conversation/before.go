package conversation

import (
	"confab/history"
	"confab/ui/action"
	"confab/ui/flow"
)

// sourceBody is the index of the body of an edit that shows what it was made
// from in the place of its picture.
const sourceBody = wholeText - 2

// Before tells whether the focused answer shows what it was made from.
func (c *Pane) Before() bool { return c.before[c.at.answer] }

// SetBefore shows what the focused answer was made from in the place of its
// picture, or the picture again.
func (c *Pane) SetBefore(on bool) {
	if on != c.before[c.at.answer] {
		c.before[c.at.answer] = on
		c.rebuild()
	}
}

// flip changes between the picture of an edit and what it was made from.
func (c *Pane) flip(t history.Turn, a history.Answer) action.Action {
	if why := NoBefore(t, a); why != "" {
		return action.Notify{Severity: action.Warn, Text: why}
	}
	c.before[a.ID] = !c.before[a.ID]
	c.rebuild()
	return nil
}

// NoBefore says why there is nothing to see before a picture, "" when there is.
func NoBefore(t history.Turn, a history.Answer) string {
	switch {
	case a.Picture == nil:
		return "This answer holds no picture."
	case t.SourceOf(a) == nil:
		return "This picture was made from words alone: there is none before it."
	}
	return ""
}

// seen returns the picture that an answer shows now, with the index its body
// has for it.
func (c *Pane) seen(t history.Turn, a history.Answer) (p *history.Picture, index int) {
	source := t.SourceOf(a)
	if source == nil || !c.before[a.ID] {
		return a.Picture, 0
	}
	return sourcePicture(source, a, c.previews[source.Path]), sourceBody
}

// sourcePicture is what is known of the picture an answer was made from. Until
// it is read it is taken to have the shape of the answer's.
func sourcePicture(source *history.Source, a history.Answer, read preview) *history.Picture {
	p := &history.Picture{Path: source.Path, Width: a.Picture.Width, Height: a.Picture.Height}
	switch {
	case source.URL != "":
		p.Path, p.Width, p.Height = "", 0, 0 // never fetched: a look at it could be counted
	case read.img != nil:
		p.Width, p.Height = read.img.Bounds().Dx(), read.img.Bounds().Dy()
	}
	return p
}

// resizePictures forgets the drawn pictures: how large they are depends on the
// height of the pane, which texts do not.
func (c *Pane) resizePictures() {
	of := func(key flow.Key) bool {
		t, _ := c.Turn(key.Turn)
		a, _ := answerOf(t, key.Answer)
		return key.Role == roleBody && a.Picture != nil
	}
	for key := range c.lines {
		if of(key) {
			delete(c.lines, key)
		}
	}
	for work := range c.pending {
		if key, ok := work.(flow.Key); ok && of(key) {
			delete(c.pending, key)
		}
	}
	c.rebuild()
}

// misfits tells whether a picture was drawn for another height of the pane, or
// by another id than it has by now.
func (c *Pane) misfits(key flow.Key, lines []string, id int) bool {
	t, _ := c.Turn(key.Turn)
	a, _ := answerOf(t, key.Answer)
	if key.Role != roleBody || a.State != history.Done || a.Picture == nil {
		return false
	}
	p := a.Picture
	if source := t.SourceOf(a); source != nil && key.Index == sourceBody {
		p = sourcePicture(source, a, c.previews[source.Path])
	}
	return len(lines) != c.canvas().pictureHeight(p) || c.seenID(p) != id
}

// sourceFacts is the line under what a picture was made from.
func sourceFacts(source *history.Source) (facts, name string) {
	switch {
	case source.URL != "":
		return "before: a URL, not fetched  ", source.URL
	case source.Answer != 0:
		return "before  ", source.Path
	}
	return "before: a file  ", source.Path
}
