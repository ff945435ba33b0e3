// Package markdown renders answers to lines of styled cells. It cuts the text into blocks, so that only what is on the
// screen has to be rendered, and renders one block at a time within bounded work. Goldmark finds the blocks, and parses
// each of them once more when it is rendered.
//
// Glamour renders the leaves: paragraphs, headings, rules and cells of tables, with the theme as its style; chroma
// colors code. What glamour gets wrong is handled around it: lists, quotes and tables are laid out here, because it
// joins the paragraphs of a list item, has no hanging indent, and cuts what stands in tables; lines are broken here,
// because it drops hard line breaks and breaks Chinese before punctuation; links get a note of where they lead instead
// of their whole address; HTML is shown instead of removed.
//
// The text is foreign. It passes [termtext.Clean] before it is parsed and again where an entity was decoded, glamour
// sees no ampersand and no backslash of it, and every line passes [termtext.Allow].
package markdown

import (
	"strings"

	"confab/internal/termtext"
	"confab/themes"

	"github.com/charmbracelet/x/ansi"
)

const minWidth = 20

// Renderer renders blocks in one theme at one width. It is not safe for use by several goroutines; making one is cheap.
type Renderer struct {
	CopyKey string // copies a block of code when its number is pressed next; empty for none
	// Sideways is how many cells of a line of code are left out at its start where it cannot be broken at blanks, and
	// SidewaysKeys names the keys that change it. Without keys such a line is broken within words.
	Sideways     int
	SidewaysKeys string

	isPlain       bool // draws text only, see [PlainText]
	width         int
	styles        *themes.Styles
	code          *themes.CodeStyle
	leaves, quote *leafRenderer // quote renders the leaves of quotations
}

// NewRenderer returns a renderer of lines at most width cells wide. A width below 20 counts as 20.
func NewRenderer(s *themes.Styles, width int) *Renderer {
	return &Renderer{
		width:  max(width, minWidth),
		styles: s,
		code:   themes.NewCodeStyle(s),
		leaves: &leafRenderer{style: glamourStyle(s.Palette, s.Palette.Ordinary(), s.NoItalics)},
		quote:  &leafRenderer{style: glamourStyle(s.Palette, s.Palette.Muted, s.NoItalics)},
	}
}

// PlainText returns a text as it reads when it is drawn, without its markup and without styles or lines broken to a
// width.
func PlainText(text string) string {
	r := Renderer{isPlain: true, width: 1 << 20, styles: &themes.Styles{}}
	return strings.Join(r.Lines(text), "\n")
}

// StyledText returns the text that [PlainText] returns, in the styles in which it is drawn.
func StyledText(text string, s *themes.Styles) string {
	r, plain := NewRenderer(s, 1<<20), *s
	plain.Emoji = termtext.SingleEmoji
	r.isPlain, r.styles = true, &plain
	return strings.Join(r.Lines(text), "\n")
}

// Lines renders a whole text.
func (r *Renderer) Lines(text string) (lines []string) {
	for _, b := range Split(text) {
		block := r.Block(b)
		if len(block) > 0 && len(lines) > 0 && !b.IsContinuation {
			lines = append(lines, "")
		}
		lines = append(lines, block...)
	}
	return lines
}

// Block renders one block to lines that stand by themselves, none wider than the renderer's width, without empty lines
// at either end. A block that draws nothing has no lines. The work is bounded: a block that would cost too much is
// drawn as [RenderPlain] draws it.
func (r *Renderer) Block(b Block) []string {
	if b.Source = trimBlank(b.Source, b.IsContinuation); b.Source == "" {
		return nil
	}
	var lines []string
	switch {
	case b.IsPlain:
		lines = r.renderPlain(b.Source, r.styles.Text)
	case b.Kind == Definitions:
		lines = r.renderPlain(b.Source, r.styles.Faint)
	default:
		lines = r.renderParsed(b)
	}
	lines = strings.Split(r.styles.Emoji.Allow(strings.Join(lines, "\n")), "\n")
	if b.Kind == Fence && b.IsContinuation {
		return lines // its empty lines stand inside the code
	}
	return trimLines(lines)
}

func (r *Renderer) renderParsed(b Block) []string {
	source := r.styles.Emoji.Clean(b.head + b.Source)
	if b.Kind != Fence && isCostly(source) {
		return r.renderPlain(b.Source, r.styles.Text)
	}
	l := layout{Renderer: r, leaves: r.leaves, source: []byte(source), parsed: b, codes: &b.codesBefore}
	return l.blocks(b.parse(source), r.width, b.Kind != Footnotes)
}

// renderPlain draws text as it is in one style.
func (r *Renderer) renderPlain(text string, s themes.Style) []string {
	lines := RenderPlain(text, r.width, r.styles.Emoji)
	for i, line := range lines {
		lines[i] = s.Render(line)
	}
	return lines
}

// RenderPlain draws text as it is, cleaned and broken to lines of at most width cells:
// for blocks that are not rendered yet, or cost too much to be.
func RenderPlain(text string, width int, e termtext.Emoji) []string {
	return trimLines(termtext.Wrap(e.Clean(trimBlank(text, false)), width))
}

// trimBlank drops empty lines at the end, and at the start unless they are kept.
func trimBlank(s string, keepFirst bool) string {
	s = strings.TrimRight(s, blanks)
	if rest := strings.TrimLeft(s, blanks); !keepFirst && len(rest) < len(s) {
		return s[strings.LastIndexByte(s[:len(s)-len(rest)], '\n')+1:]
	}
	return s
}

func trimLines(lines []string) []string {
	empty := func(s string) bool { return strings.Trim(ansi.Strip(s), " ") == "" }
	for len(lines) > 0 && empty(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && empty(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}
