package conversation

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/flow"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/markdown"
)

// canvas is what is needed to draw the body of a part. It is a value: commands
// draw with a copy of it while the pane goes on.
type canvas struct {
	styles  *themes.Styles
	profile colorprofile.Profile
	w, h    int     // cells of the pane
	aspect  float64 // height of a cell over its width, 0 for the usual one
	alone   bool    // one answer fills the pane
	text    int     // cells that texts are set in
	unfold  string  // the key that shows the whole of a long prompt
	tight   bool    // one answer alone: no empty line stands above it
	blind   bool    // what tells a picture's maker is left out
}

func (c *Pane) canvas() canvas {
	cv := canvas{styles: c.styles, profile: c.profile, w: c.w, h: c.h, aspect: c.aspect, alone: c.only != 0,
		text: c.textWidth(), blind: c.blind, tight: c.only != 0}
	if h := c.keys.Hints(keys.Conversation, keys.Unformatted); len(h) > 0 {
		cv.unfold = h[0].Key
	}
	return cv
}

// draws tells whether a terminal has colours enough for a picture of cells.
func draws(p colorprofile.Profile) bool { return p >= colorprofile.ANSI256 }

// pictureBox returns the cells a picture is drawn in, 0 when it cannot be drawn:
// as wide as the text and at most three fifths of the pane high; alone in the
// pane as large as there is room above the line of facts.
func (c canvas) pictureBox(p *history.Picture) (w, h int) {
	if p.TooLarge || p.Width <= 0 || p.Height <= 0 || !draws(c.profile) {
		return 0, 0
	}
	if c.alone {
		return graphics.FitCells(p.Width, p.Height, c.w-2, max(c.h-1, 1), c.aspect)
	}
	return graphics.FitCells(p.Width, p.Height, min(c.text, 80), max(c.h*3/5, 6), c.aspect)
}

// pictureHeight is how many lines [canvas.pictureLines] draws.
func (c canvas) pictureHeight(p *history.Picture) int {
	_, h := c.pictureBox(p)
	if c.alone {
		return h + 1
	}
	return h + 2
}

// promptLines sets a prompt as plain text, a long one folded unless the key asks
// for all of it.
func (c canvas) promptLines(text string, key flow.Key) []string {
	lines := termtext.Wrap(termtext.Clean(text), c.text)
	more := 0
	if len(lines) > mostPrompt && key.Index >= wholeText {
		more = len(lines) - foldedPrompt
		lines = lines[:foldedPrompt]
	}
	for i, l := range lines {
		lines[i] = " " + c.styles.Text.Render(l)
	}
	if more > 0 {
		rest := fmt.Sprintf(" … %d more lines", more)
		if c.unfold != "" {
			rest += "   " + c.unfold + " shows them"
		}
		lines = append(lines, c.styles.Faint.Render(rest))
	}
	return lines
}

// top takes the empty line away that stands above the beginning of an answer,
// where it is read alone.
func (c canvas) top(key flow.Key, lines []string) []string {
	if c.tight && key.Role == roleBody && key.Index <= 0 && len(lines) > 1 && lines[0] == "" {
		return lines[1:]
	}
	return lines
}

// blockLines sets a block of markdown.
func (c canvas) blockLines(r *markdown.Renderer, b markdown.Block) []string { return pad(r.Block(b)) }

// simpleLines draws the bodies that need no markdown.
func (c canvas) simpleLines(key flow.Key, t history.Turn, a history.Answer, seen preview) []string {
	s, w := c.styles, c.text
	switch {
	case key.Role == roleTold:
		lines := termtext.Wrap(termtext.Clean("service says: "+a.ServiceNote), w)
		lines = paint(lines, s.Faint.Render)[1:]
		if c.tight {
			lines = append(lines, "")
		}
		return lines
	case key.Role == roleNote:
		lines := termtext.Wrap(termtext.Clean("note  "+a.Note), w)
		return paint(lines, s.Info.Render)
	case a.State == history.Failed && a.Failure != nil:
		return paint(termtext.Wrap(termtext.Clean(a.Failure.Message), w), s.Text.Render)
	case a.Picture != nil:
		if source := t.SourceOf(a); source != nil && key.Index == sourceBody {
			facts, name := sourceFacts(source)
			return c.pictureLines(sourcePicture(source, a, seen), seen, facts, name)
		}
		return c.pictureLines(a.Picture, seen, pictureFacts(t, a.Picture), a.Picture.Path)
	case strings.TrimSpace(a.Text) == "":
		return []string{"", " " + s.Faint.Render("empty answer: the service sent no text")}
	}
	return paint(termtext.Wrap(termtext.Reveal(a.Text), w), s.Text.Render)
}

// paint draws plain lines in a style, with the margin and the line above.
func paint(lines []string, render func(string) string) []string {
	for i, l := range lines {
		lines[i] = render(l)
	}
	return pad(lines)
}

// pictureLines draws a picture's cells, or a card that says what it is, and
// the line of facts under it, which ends in a name.
func (c canvas) pictureLines(p *history.Picture, seen preview, facts, name string) []string {
	s := c.styles
	w, h := c.pictureBox(p)
	high := c.pictureHeight(p)
	lines := make([]string, 0, high)
	if !c.alone {
		lines = append(lines, "")
	}
	switch {
	case h == 0:
	case seen.problem != "":
		lines = append(lines, " "+s.Warning.Render(termtext.Line(seen.problem)))
	case seen.id != 0:
		for _, l := range graphics.Placeholders(seen.id, w, h) {
			lines = append(lines, " "+l)
		}
	case seen.img != nil:
		if cells, ok := graphics.RenderCells(seen.img, w, h,
			graphics.CellOptions{Profile: c.profile, CellAspect: c.aspect}); ok {
			for _, l := range cells.Lines {
				lines = append(lines, " "+l)
			}
		}
	default:
		lines = append(lines, " "+s.Faint.Render("reading the picture…"))
	}
	for len(lines) < high-1 {
		lines = append(lines, "")
	}
	if c.blind {
		return append(lines, "")
	}
	// The end of a path says more than its beginning.
	name = termtext.Line(name)
	if over := termtext.Width(facts+name) - (c.w - 2); over > 0 {
		name = ansi.TruncateLeft(name, over+1, "…")
	}
	return append(lines, " "+s.Muted.Render(ansi.Truncate(facts+name, c.w-2, "…")))
}

// pictureFacts says what a picture is, in few words.
func pictureFacts(t history.Turn, p *history.Picture) string {
	facts := fmt.Sprintf("%d×%d  %s  ", p.Width, p.Height, format.Size(p.Bytes))
	if ratio := askedRatio(t.Aspect, p); ratio != "" {
		facts = ratio + "  " + facts
	}
	if p.TooLarge {
		facts = "too large to show: " + facts
	}
	return facts
}

// askedRatio says that a picture has another ratio than the one asked for.
func askedRatio(asked string, p *history.Picture) string {
	var w, h int
	if n, _ := fmt.Sscanf(asked, "%d:%d", &w, &h); n != 2 || w <= 0 || h <= 0 || p.Height == 0 {
		return ""
	}
	want, got := float64(w)/float64(h), float64(p.Width)/float64(p.Height)
	if got/want > 1.05 || want/got > 1.05 { // services round to blocks of pixels
		return "asked " + asked + ", got"
	}
	return ""
}
