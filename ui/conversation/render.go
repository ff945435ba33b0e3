package conversation

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/redact"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/flow"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/markdown"
)

// canvas is what is needed to draw parts. It is a value: commands draw with a copy of it while the pane goes on.
type canvas struct {
	keys       keys.Map
	styles     *themes.Styles
	profile    colorprofile.Profile
	w, h       int                      // cells of the pane
	cellAspect float64                  // height of a cell over its width, 0 for the usual one
	only       int64                    // the one answer that is read, without its head; 0 for all
	blind      bool                     // what tells the answer's maker is left out
	PathName   func(path string) string // a path as the person names it
	Mask       *redact.Masker           // masks what is drawn; nil masks nothing
}

// railWidth is the cells left of what is drawn of an answer: none where it is read alone.
func (c canvas) railWidth() int {
	if c.only != 0 {
		return 0
	}
	return termtext.Width(rail)
}

// above is the number of empty lines above the beginning of an answer: none where it is read alone.
func (c canvas) above() int {
	if c.only != 0 {
		return 0
	}
	return 1
}

// answerWidth is the cells of an answer, textWidth those its texts are set in: longer lines are hard to read.
func (c canvas) answerWidth() int { return c.w - c.railWidth() }
func (c canvas) textWidth() int   { return max(min(c.answerWidth()-2, 100), 8) }

// sidewaysKeys are the keys that move lines of code; a screen reader has all of a line.
func (c canvas) sidewaysKeys() string {
	left, right := c.keys.Key(keys.Conversation, keys.CodeLeft), c.keys.Key(keys.Conversation, keys.CodeRight)
	if left == "" || right == "" || c.styles.ScreenReader {
		return ""
	}
	return left + " " + right
}

// piece is a part to be drawn, with what it is drawn from.
type piece struct {
	drawing
	turn    history.Turn
	answer  history.Answer
	block   *markdown.Block     // of a text that is cut
	picture *history.Picture    // that is shown; nil for none
	file    graphics.File       // of the picture
	preview graphics.PreviewMsg // of the picture, scaled down
	grows   bool                // what it shows may become longer
	isEnd   bool                // it is the last block of a whole text
}

// pieceOf returns what a part is drawn from, and how it is to be drawn now.
func (c *Pane) pieceOf(key flow.Key) piece {
	t, a := c.answerOf(key)
	p := piece{drawing: drawing{key: key, version: uint64(a.Version)}, turn: t, answer: a}
	if key.Role != roleBody && key.Role != roleReasoning {
		return p
	}
	cut := c.cutOf(key)
	if hasPicture(a) && key.Role == roleBody {
		p.file, p.picture = c.shownPicture(t, a)
		p.version, p.box, p.imageID = 0, c.pictureBox(p.picture), c.imageIDOf(p)
		p.preview = c.previews[p.file]
	} else if i := blockIndex(key.Index); i >= 0 && i < cut.Len() {
		p.version, p.block = c.versionOf(cut, key.Index), cut.Block(i)
		if k := p.block.Kind; k == markdown.Fence || k == markdown.List || k == markdown.Quote {
			p.sideways, p.codeKey = c.view(a.ID).sideways, c.codeKey()
		}
		p.grows = a.State == history.Running && i >= len(cut.Stable())
		p.isEnd = cut.IsWhole() && i == cut.Len()-1
	}
	return p
}

// maxPlainBytes bounds what is wrapped while drawing the screen.
const maxPlainBytes = 8 << 10

func clip(s string) string { return s[:min(len(s), maxPlainBytes)] }

// plainLines draws a part that is not rendered yet: Markdown and its beginning only.
func (c canvas) plainLines(p piece) []string {
	p.turn.Prompt, p.answer.Text, p.preview = clip(p.turn.Prompt), clip(p.answer.Text), graphics.PreviewMsg{}
	p.answer.Reasoning = clip(p.answer.Reasoning)
	if p.block != nil {
		block := *p.block
		block.Source = clip(block.Source)
		p.block, p.answer.Text = &block, block.Source
	}
	return c.lines(p, nil)
}

// lines draws a part. Without a renderer, Markdown is drawn as plain text. A key that was broken into rows is masked
// here: on the screen, what stands beside the rows comes between its halves.
func (c canvas) lines(p piece, r *markdown.Renderer) []string {
	lines := c.unmaskedLines(p, r)
	if c.Mask == nil || len(lines) < 2 {
		return lines
	}
	return strings.Split(c.Mask.Drawn(strings.Join(lines, "\n")), "\n")
}

func (c canvas) unmaskedLines(p piece, r *markdown.Renderer) []string {
	s, a := c.styles, p.answer
	switch {
	case p.key.Role == rolePrompt:
		return c.promptLines(p.turn.Prompt, p.key.Index == indexUnformatted)
	case p.key.Role == roleServiceNote:
		lines := c.textLines("service says: "+a.ServiceNote, s.Faint)[1:]
		if c.only != 0 {
			lines = append(lines, "")
		}
		return lines
	case p.key.Role == roleNote:
		return c.textLines("note  "+a.Note, s.Info)
	case p.key.Role == roleReasoning:
		return c.reasoningLines(p)
	case hasPicture(a):
		return c.pictureLines(p)
	}
	lines := c.bodyLines(p, r)
	// No empty line stands above the beginning of an answer that is read alone.
	isBeginning := blockIndex(p.key.Index) <= 0 && (a.Reasoning == "" || c.blind)
	if c.only != 0 && isBeginning && len(lines) > 1 && lines[0] == "" {
		return lines[1:]
	}
	return lines
}

// bodyLines draws a part of an answer that is no picture.
func (c canvas) bodyLines(p piece, r *markdown.Renderer) []string {
	s, a := c.styles, p.answer
	switch {
	case p.key.Index == indexFailure:
		return c.textLines(a.Failure.Message, s.Text)
	case a.WhyEmpty() != "":
		return pad(paint(termtext.Wrap(a.WhyEmpty(), c.textWidth()), s.Faint))
	case p.key.Index <= indexUnformatted:
		source := a.Text
		if p.block != nil {
			source = p.block.Source
		}
		if p.block != nil && !p.isEnd {
			source = strings.TrimSuffix(source, "\n") // the next block begins on a line of its own
		}
		lines := pad(paint(termtext.Wrap(termtext.Reveal(source), c.textWidth()), s.Text))
		return lines[min(blockIndex(p.key.Index), 1):]
	case p.block == nil:
		return pad(markdown.RenderPlain(a.Text, c.textWidth(), c.styles.Emoji))
	case r == nil:
		return c.blockLines(p, markdown.RenderPlain(p.block.Source, c.textWidth(), c.styles.Emoji))
	}
	return c.blockLines(p, r.Block(*p.block))
}

// blockLines adds the margin, and the empty line above a block that does not continue the one before.
func (c canvas) blockLines(p piece, lines []string) []string {
	lines = pad(lines)
	if p.block.IsContinuation {
		return lines[1:]
	}
	return lines
}

// reasoningLines draws what a model wrote before its answer, as it is.
func (c canvas) reasoningLines(p piece) []string {
	if p.block == nil {
		return pad(paint(markdown.RenderPlain(p.answer.Reasoning, c.textWidth(), c.styles.Emoji), c.styles.Faint))
	}
	return c.blockLines(p, paint(markdown.RenderPlain(p.block.Source, c.textWidth(), c.styles.Emoji), c.styles.Faint))
}

// textLines sets a plain text of one style, with the margin and the line above it.
func (c canvas) textLines(text string, style themes.Style) []string {
	return pad(paint(termtext.Wrap(c.styles.Emoji.Clean(text), c.textWidth()), style))
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
		rest += c.keys.Phrase(keys.Conversation, keys.Unformatted, "   %s shows them")
		lines = append(lines[:foldedPrompt], c.styles.Faint.Render(rest))
	}
	for i, line := range lines {
		lines[i] = c.personLine(" " + line)
	}
	return lines
}

// personLine draws a line of what the person wrote, as far left as the rails, on a background of its own.
func (c canvas) personLine(line string) string {
	margin := strings.Repeat(" ", max(c.railWidth()-1, 0))
	if c.styles.Prompt.Prefix == "" {
		return margin + line
	}
	return margin + c.styles.Prompt.Behind(termtext.Fit(line, c.w-len(margin)))
}
