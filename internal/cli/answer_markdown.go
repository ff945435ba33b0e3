package cli

import (
	"fmt"
	"slices"
	"strings"

	"confab/themes"
	"confab/ui/markdown"
)

// markdownTerminal is where markdown is printed.
type markdownTerminal struct {
	print       func(text string) error
	styles      *themes.Styles
	size        func() (width, height int)
	hasNoCursor bool // it takes no sequences that move the cursor, so only what stays as it is is printed
}

// newMarkdownText returns what prints a text laid out as markdown.
func newMarkdownText(t markdownTerminal) textWriter { return &markdownWriter{terminal: t} }

// markdownWriter lays a text out as markdown. A block is printed when it stays as it is; on a terminal with colors
// the open ones are drawn as far as they have come, and drawn over when more of them comes.
type markdownWriter struct {
	terminal markdownTerminal
	text     strings.Builder
	document markdown.Document
	printed  int // blocks that are printed for good
	tail     int // lines of the open blocks that are drawn
}

// add implements [textWriter].
func (w *markdownWriter) add(part string) error {
	w.text.WriteString(part)
	w.document = w.document.Grow(w.text.String())
	blocks := w.document.Stable()
	if err := w.replaceTail(w.layOut(blocks[w.printed:])); err != nil {
		return err
	}
	w.printed = len(blocks)
	return w.drawTail()
}

// end implements [textWriter].
func (w *markdownWriter) end(part string) error {
	w.text.WriteString(part)
	w.document = w.document.End(w.text.String())
	text := w.layOut(slices.Concat(w.document.Stable()[w.printed:], w.document.Tail()))
	if text == "" && w.printed == 0 {
		text = "\n"
	}
	return w.replaceTail(text)
}

// layOut returns the lines of blocks, with an empty line between them and before the first when others stand before it.
func (w *markdownWriter) layOut(blocks []markdown.Block) string {
	width, _ := w.terminal.size()
	r := markdown.NewRenderer(w.terminal.styles, width)
	var lines []string
	for _, b := range blocks {
		drawn := r.Block(b)
		if len(drawn) > 0 && !b.IsContinuation && (len(lines) > 0 || w.printed > 0) {
			lines = append(lines, "")
		}
		lines = append(lines, drawn...)
	}
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// drawTail draws the last lines of the open blocks on a terminal, as many as it has place for.
func (w *markdownWriter) drawTail() error {
	if w.terminal.hasNoCursor {
		return nil
	}
	_, height := w.terminal.size()
	lines := slices.Collect(strings.Lines(w.layOut(w.document.Tail())))
	lines = lines[max(0, len(lines)-height+1):]
	w.tail = len(lines)
	return w.terminal.print(strings.Join(lines, ""))
}

// replaceTail prints lines in place of the open blocks. CUU and ED are the only sequences needed.
func (w *markdownWriter) replaceTail(lines string) error {
	if w.tail > 0 {
		lines = fmt.Sprintf("\r\x1b[%dA\x1b[J", w.tail) + lines
	}
	w.tail = 0
	return w.terminal.print(lines)
}
