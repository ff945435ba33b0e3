package conversation

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/flow"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/markdown"
)

// canvas is what is needed to draw parts. It is a value: commands draw with a copy of it while the pane goes on.
type canvas struct {
	styles     *themes.Styles
	profile    colorprofile.Profile
	w, h       int     // cells of the pane
	textWidth  int     // cells that texts are set in
	cellAspect float64 // height of a cell over its width, 0 for the usual one
	unfold     string  // the key that shows the whole of a long prompt
	copyCode   string  // the key that copies a block of code
	alone      bool    // one answer fills the pane
	blind      bool    // what tells a picture's maker is left out
}

func (c *Pane) canvas() canvas {
	return canvas{styles: c.styles, profile: c.profile, w: c.w, h: c.h, textWidth: c.textWidth(),
		cellAspect: c.cellAspect, unfold: c.keys.Key(keys.Conversation, keys.Unformatted),
		copyCode: c.keys.Key(keys.Conversation, keys.CopyCode), alone: c.only != 0, blind: c.blind}
}

// piece is a part to be drawn, with what it is drawn from.
type piece struct {
	drawing
	turn    history.Turn
	answer  history.Answer
	block   *markdown.Block     // of a text that is cut
	picture *history.Picture    // that is shown; nil for none
	preview graphics.PreviewMsg // of the picture, scaled down
}

// pieceOf returns what a part is drawn from, and how it is to be drawn now.
func (c *Pane) pieceOf(key flow.Key) piece {
	t, a := c.answerOf(key)
	p := piece{drawing: drawing{key: key, version: uint64(a.Version)}, turn: t, answer: a}
	if key.Role != roleBody {
		return p
	}
	if hasPicture(a) {
		p.picture = c.shownPicture(t, a)
		p.version, p.box, p.imageID = 0, c.canvas().pictureBox(p.picture), c.imageIDOf(p.picture)
		p.preview = c.previews[p.picture.Path]
	} else if blocks := c.view(a.ID).blocks; key.Index >= 0 && key.Index < len(blocks) {
		p.version, p.block = blocks[key.Index].version, &blocks[key.Index].Block
	}
	return p
}

// maxPlainBytes bounds what is wrapped while drawing the screen.
const maxPlainBytes = 8 << 10

func clip(s string) string { return s[:min(len(s), maxPlainBytes)] }

// plainLines draws a part that is not rendered yet: Markdown and its beginning only.
func (c canvas) plainLines(p piece) []string {
	p.turn.Prompt, p.answer.Text, p.preview = clip(p.turn.Prompt), clip(p.answer.Text), graphics.PreviewMsg{}
	if p.block != nil {
		p.answer.Text = clip(p.block.Source)
	}
	return c.lines(p, nil)
}

// lines draws a part. Without a renderer, Markdown is drawn as plain text.
func (c canvas) lines(p piece, r *markdown.Renderer) []string {
	s, a := c.styles, p.answer
	var lines []string
	switch {
	case p.key.Role == rolePrompt:
		return c.promptLines(p.turn.Prompt, p.key.Index == indexUnformatted)
	case p.key.Role == roleServiceNote:
		lines = c.textLines("service says: "+a.ServiceNote, s.Faint)[1:]
		if c.alone {
			lines = append(lines, "")
		}
		return lines
	case p.key.Role == roleNote:
		return c.textLines("note  "+a.Note, s.Info)
	case hasPicture(a):
		return c.pictureLines(p)
	case p.key.Index == indexFailure:
		lines = c.textLines(a.Failure.Message, s.Text)
	case strings.TrimSpace(a.Text) == "":
		lines = []string{"", " " + s.Faint.Render("empty answer: the service sent no text")}
	case p.key.Index == indexUnformatted:
		lines = pad(paint(termtext.Wrap(termtext.Reveal(a.Text), c.textWidth), s.Text))
	case r != nil && p.block != nil:
		lines = pad(r.Block(*p.block))
	default:
		lines = pad(markdown.Plain(a.Text, c.textWidth))
	}
	// No empty line stands above the beginning of an answer that is read alone.
	if c.alone && p.key.Index <= 0 && len(lines) > 1 && lines[0] == "" {
		return lines[1:]
	}
	return lines
}

// textLines sets a plain text of one style, with the margin and the line above it.
func (c canvas) textLines(text string, style themes.Style) []string {
	return pad(paint(termtext.Wrap(termtext.Clean(text), c.textWidth), style))
}

// paint draws the lines, which it changes, in a style.
func paint(lines []string, style themes.Style) []string {
	for i, l := range lines {
		lines[i] = style.Render(l)
	}
	return lines
}

// pad adds the margin left of the lines and the empty line above them.
func pad(lines []string) []string {
	out := make([]string, 1, len(lines)+1)
	for _, l := range lines {
		out = append(out, " "+l)
	}
	return out
}

// promptLines sets a prompt as plain text, a long one folded unless all of it is asked for.
func (c canvas) promptLines(text string, whole bool) []string {
	lines := c.textLines(text, c.styles.Text)[1:]
	if !whole && len(lines) > maxPrompt {
		rest := fmt.Sprintf(" … %d more lines", len(lines)-foldedPrompt)
		if c.unfold != "" {
			rest += "   " + c.unfold + " shows them"
		}
		lines = append(lines[:foldedPrompt], c.styles.Faint.Render(rest))
	}
	for i, line := range lines {
		lines[i] = c.personLine(line)
	}
	return lines
}

// personLine draws a line of what the person wrote on a background of its own.
func (c canvas) personLine(line string) string {
	if c.styles.Surface.Prefix == "" {
		return line
	}
	return c.styles.Surface.Behind(termtext.Fit(line, c.w))
}
