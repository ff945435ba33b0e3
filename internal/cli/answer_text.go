package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/markdown"
)

// textWriter prints a text in parts that never end within a character. The last part ends with a line break.
type textWriter interface {
	add(part string, isLast bool) error
}

// growingText prints an answer while it is written.
type growingText struct {
	wasStreamed bool // some of it was printed before it had ended

	out    textWriter
	reason func(part string) error // prints a part of the reasoning; nil prints none

	text      string // as far as it was printed
	reasoning int    // bytes of it that were printed
}

// newGrowingText returns a growingText. With reasoning it prints that first, as a quotation.
func newGrowingText(w textWriter, withReasoning bool) *growingText {
	if !withReasoning {
		return &growingText{out: w}
	}
	q := &quotation{textWriter: w}
	return &growingText{out: q, reason: q.reason}
}

// grow prints the new part of an answer, and its end. Reasoning that comes after the text began is left out.
func (g *growingText) grow(a history.Answer) error {
	ended := a.State.HasEnded()
	if whole := wholeRunes(a.Reasoning, ended); g.reason != nil && g.text == "" && len(whole) > g.reasoning {
		part := whole[g.reasoning:]
		g.reasoning = len(whole)
		if err := g.reason(part); err != nil {
			return err
		}
	}
	text := wholeRunes(a.Text, ended)
	part, isSame := strings.CutPrefix(text, g.text)
	switch {
	case !isSame && !ended: // what was printed turned out to be reasoning
		return nil
	case !isSame: // not what was announced: all of it once more
		part = "\n\n" + text
	}
	g.text = text
	g.wasStreamed = g.wasStreamed || !ended
	if part == "" && !ended {
		return nil
	}
	return g.out.add(part, ended)
}

// wholeRunes returns s without an incomplete character at its end, unless s is whole.
func wholeRunes(s string, isWhole bool) string {
	if isWhole {
		return s
	}
	for back := 1; back < utf8.UTFMax && back <= len(s); back++ {
		if tail := s[len(s)-back:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				return s[:len(s)-back]
			}
			break
		}
	}
	return s
}

// quotation prints the reasoning as a quotation before the text.
type quotation struct {
	textWriter
	isOpen bool
}

func (q *quotation) reason(part string) error {
	part = strings.ReplaceAll(part, "\n", "\n> ")
	if !q.isOpen {
		part = "> " + part
	}
	q.isOpen = true
	return q.textWriter.add(part, false)
}

// add separates the text from the quotation.
func (q *quotation) add(part string, isLast bool) error {
	if q.isOpen && part != "" {
		part = "\n\n" + part
		q.isOpen = false
	}
	return q.textWriter.add(part, isLast)
}

// textWriter returns a writer for answers: markdown where text may be styled, cleaned text on other terminals, and
// plain text elsewhere. The client of confab ssh may be a terminal, so it gets cleaned text.
func (a *app) textWriter(isRaw bool) textWriter {
	if !isRaw && a.out.styled {
		hasNoCursor := !a.out.terminal || a.out.profile <= colorprofile.NoTTY
		return &markdownText{app: a, styles: a.styles(), hasNoCursor: hasNoCursor}
	}
	return &plainText{print: a.print, isCleaned: !isRaw && a.mayReachTerminal()}
}

// mayReachTerminal reports whether standard output may be a terminal.
func (a *app) mayReachTerminal() bool { return a.out.terminal || a.sshUser != nil }

// plainText prints a text, cleaned if isCleaned is set.
type plainText struct {
	print     func(string) error
	isCleaned bool
	held      string // of a cleaned text: a carriage return that a line feed may follow
	last      string // part that was printed
}

func (w *plainText) add(part string, isLast bool) error {
	if w.isCleaned {
		part, w.held = w.held+part, ""
		if !isLast && strings.HasSuffix(part, "\r") {
			part, w.held = part[:len(part)-1], "\r"
		}
		part = termtext.Disarm(part)
	}
	if part != "" {
		w.last = part
	}
	if isLast && !strings.HasSuffix(w.last, "\n") {
		part += "\n"
	}
	if part == "" {
		return nil
	}
	return w.print(part)
}

// linesText prints whole lines, each after the name of its answer.
type linesText struct {
	print     func(string) error
	prefix    string
	isCleaned bool
	line      string
}

func (w *linesText) add(part string, isLast bool) error {
	w.line += part
	if isLast && w.line != "" && !strings.HasSuffix(w.line, "\n") {
		w.line += "\n"
	}
	whole := strings.LastIndexByte(w.line, '\n') + 1
	lines := w.line[:whole]
	w.line = w.line[whole:]
	if lines == "" {
		return nil
	}
	if w.isCleaned {
		lines = termtext.Disarm(lines)
	}
	var b strings.Builder
	for line := range strings.Lines(lines) {
		b.WriteString(w.prefix + line)
	}
	return w.print(b.String())
}

// deltaJSON is a part of an answer in JSON; its field names are stable.
type deltaJSON struct {
	Model     string `json:"model"`
	Sample    int    `json:"sample"`
	Delta     string `json:"delta,omitempty"`
	Reasoning string `json:"reasoning,omitempty"`

	Point map[suite.Axis]string `json:"point,omitempty"` // where several prompts were sent
}

// jsonText prints the parts of an answer and of its reasoning as JSON objects.
type jsonText struct {
	print func(any) error
	part  deltaJSON
}

func (w jsonText) add(part string, isLast bool) error {
	if isLast && part == "" {
		return nil
	}
	w.part.Delta = part
	return w.print(w.part)
}

func (w jsonText) reason(part string) error {
	w.part.Reasoning = part
	return w.print(w.part)
}

// markdownText renders markdown. It prints finished blocks for good; on a terminal with colors it redraws the open
// ones as they grow.
type markdownText struct {
	*app
	styles      *themes.Styles
	hasNoCursor bool // it takes no sequences that move the cursor, so only what stays as it is is printed

	text     strings.Builder
	document markdown.Document
	printed  int // blocks that are printed for good
	tail     int // lines of the open blocks that are drawn
}

func (w *markdownText) add(part string, isLast bool) error {
	w.text.WriteString(part)
	if isLast {
		w.document = w.document.End(w.text.String())
		text := w.layOut(slices.Concat(w.document.Stable()[w.printed:], w.document.Tail()))
		if text == "" && w.printed == 0 {
			text = "\n"
		}
		return w.replaceTail(text)
	}
	w.document = w.document.Grow(w.text.String())
	blocks := w.document.Stable()
	if err := w.replaceTail(w.layOut(blocks[w.printed:])); err != nil {
		return err
	}
	w.printed = len(blocks)
	return w.drawTail()
}

// layOut renders blocks with an empty line between them, and before the first unless nothing is above it.
func (w *markdownText) layOut(blocks []markdown.Block) string {
	r := markdown.NewRenderer(w.styles, w.out.width())
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

// drawTail draws as many lines of the open blocks as the terminal has rows.
func (w *markdownText) drawTail() error {
	if w.hasNoCursor {
		return nil
	}
	_, height := w.out.size()
	lines := slices.Collect(strings.Lines(w.layOut(w.document.Tail())))
	lines = lines[max(0, len(lines)-height+1):]
	w.tail = len(lines)
	return w.printStyled(strings.Join(lines, ""))
}

// replaceTail prints lines in place of the open blocks. CUU and ED are the only sequences needed.
func (w *markdownText) replaceTail(lines string) error {
	if w.tail > 0 {
		lines = fmt.Sprintf("\r\x1b[%dA\x1b[J", w.tail) + lines
	}
	w.tail = 0
	return w.printStyled(lines)
}
