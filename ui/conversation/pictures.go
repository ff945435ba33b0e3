package conversation

import (
	"fmt"
	"image"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// ShowsSource tells whether the focused answer shows what it was made from.
func (c *Pane) ShowsSource() bool { return c.view(c.chosen.answer).showsSource }

// SetBefore shows what the focused answer was made from in the place of its picture, or the picture again.
func (c *Pane) SetBefore(on bool) {
	if on != c.ShowsSource() {
		c.view(c.chosen.answer).showsSource = on
		c.rebuild()
	}
}

// flip changes between the picture of an edit and what it was made from.
func (c *Pane) flip() action.Action {
	_, a, _ := c.Focused()
	c.view(a.ID).showsSource = !c.view(a.ID).showsSource
	c.rebuild()
	return nil
}

// NoBefore says why there is nothing to see before a picture, "" when there is.
func NoBefore(t history.Turn, a history.Answer) string {
	switch {
	case a.Picture == nil:
		return "This answer has no picture."
	case t.SourceOf(a) == nil:
		return "This picture was not made from another one."
	}
	return ""
}

// shownPicture returns the picture that an answer shows now: its own, or the one it was made from. Until that is read
// it is taken to have the shape of the answer's.
func (c *Pane) shownPicture(t history.Turn, a history.Answer) (graphics.File, *history.Picture) {
	source := t.SourceOf(a)
	if source == nil || !c.view(a.ID).showsSource {
		return graphics.FileOf(a.Picture), a.Picture
	}
	f := graphics.FileOfSource(*source)
	if f == (graphics.File{}) {
		return f, &history.Picture{} // a URL is never fetched: a look at it could be counted
	}
	p := &history.Picture{Width: a.Picture.Width, Height: a.Picture.Height}
	if img := c.previews[f].Image; img != nil {
		p.Width, p.Height = img.Bounds().Dx(), img.Bounds().Dy()
	}
	return f, p
}

// pictureBox returns the cells a picture is drawn in, zero when it cannot be drawn: as wide as the text and at most
// three fifths of the pane high; alone in the pane as large as there is room above the line of facts.
func (c canvas) pictureBox(p *history.Picture) image.Point {
	if p.IsTooLarge || p.Width <= 0 || p.Height <= 0 || c.profile < colorprofile.ANSI256 {
		return image.Point{}
	}
	w, h := min(c.textWidth(), 80), max(c.h*3/5, 6)
	if c.only != 0 {
		w, h = c.answerWidth()-2, max(c.h-1, 1)
	}
	return image.Pt(graphics.FitCells(p.Width, p.Height, w, h, c.cellAspect))
}

// pictureHeight is how many lines a picture takes: its box, the line of facts, and a line above it unless it is alone.
func (c canvas) pictureHeight(p *history.Picture) int {
	return c.above() + c.pictureBox(p).Y + 1
}

// pictureLines draws a picture's cells, or a line that says why there are none, and the line of facts under it.
func (c canvas) pictureLines(p piece) []string {
	s, box := c.styles, p.box
	lines := make([]string, c.above())
	end := len(lines) + box.Y
	switch {
	case box.Y == 0:
	case p.preview.Problem != "":
		for _, line := range termtext.Wrap(termtext.Line(p.preview.Problem), c.answerWidth()-2) {
			lines = append(lines, " "+s.Warning.Render(line))
		}
		lines = lines[:min(len(lines), end)]
	case p.preview.Image == nil:
		lines = append(lines, " "+s.Faint.Render("loading the picture…"))
	case p.imageID != 0:
		lines = append(lines, pad(graphics.Placeholders(p.imageID, box.X, box.Y))[1:]...)
	default:
		cells, _ := graphics.RenderCells(p.preview.Image, box.X, box.Y,
			graphics.CellOptions{Profile: c.profile, CellAspect: c.cellAspect})
		lines = append(lines, pad(cells.Lines)[1:]...)
	}
	for len(lines) < end {
		lines = append(lines, "")
	}
	if c.blind {
		return append(lines, "")
	}
	facts, name := pictureFacts(p.turn, p.answer, p.key.Index == indexSource)
	open := ""
	if c.profile < colorprofile.ANSI256 && p.key.Index != indexSource { // it cannot be drawn
		facts = fmt.Sprintf("picture, %d×%d, ", p.answer.Picture.Width, p.answer.Picture.Height)
		open = c.keys.Phrase(keys.Conversation, keys.OpenPicture, "; %s opens it")
	}
	name = termtext.Line(c.PathName(name))
	if over := termtext.Width(facts+name+open) - (c.answerWidth() - 2); over > 0 {
		name = ansi.TruncateLeft(name, over+1, "…") // the end of a path says more than its beginning
	}
	return append(lines, " "+s.Muted.Render(ansi.Truncate(facts+name+open, c.answerWidth()-2, "…")))
}

// pictureFacts says what a picture is, in few words that its name ends.
func pictureFacts(t history.Turn, a history.Answer, isSource bool) (facts, name string) {
	if isSource {
		switch source := t.SourceOf(a); {
		case source.URL != "":
			return "before: a URL, not fetched  ", source.URL
		case source.Answer != 0:
			return "before  ", source.Path
		default:
			return "before: a file  ", source.Path
		}
	}
	p := a.Picture
	facts = fmt.Sprintf("%d×%d  %s  ", p.Width, p.Height, format.Size(p.Bytes))
	if _, _, isOther := p.Shape(t.Aspect); isOther {
		facts = "asked " + t.Aspect + ", got  " + facts
	}
	if p.IsTooLarge {
		facts = "too large to show: " + facts
	}
	return facts, p.Path
}

// Pictures returns the pictures in the window, where they are drawn.
func (c *Pane) Pictures() []graphics.Placement {
	var all []graphics.Placement
	y := 0
	for _, span := range c.flow.Visible() {
		if r := c.rendered.parts[span.Part.Key]; r.box.Y > 0 {
			p := c.pieceOf(r.key)
			if r.fits(p.drawing) && p.file.Path != "" && p.preview.Problem == "" {
				all = append(all, graphics.Placement{File: p.file, Cells: r.box,
					At:   image.Pt(1+c.railWidth(), y-span.From+span.Part.Height-1-r.box.Y),
					Clip: image.Rect(0, 0, c.w, c.turnLines())})
			}
		}
		y += span.To - span.From
	}
	return all
}

// imageIDOf returns the id by which a picture is drawn now, 0 for cells.
func (c *Pane) imageIDOf(p piece) int {
	if p.picture.IsTooLarge || p.file.Path == "" || c.profile < colorprofile.ANSI256 {
		return 0
	}
	return c.imageIDs.ID(p.file)
}

// SetImageIDs tells that the terminal draws pictures by the ids of a table, nil when they are drawn as cells, and the
// shape of its cells: their height over their width, 0 for the usual one.
func (c *Pane) SetImageIDs(ids *graphics.ImageIDs, cellAspect float64) {
	if ids != c.imageIDs || cellAspect != c.cellAspect {
		c.imageIDs, c.cellAspect = ids, cellAspect
		c.restyle()
	}
}
