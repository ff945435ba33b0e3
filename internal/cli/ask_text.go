package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"confab/history"
	"confab/internal/termtext"
	"confab/ui/markdown"
)

// textWriter prints a text as it comes.
type textWriter interface {
	// add takes the next part, which never ends within a character.
	add(part string) error
	// end takes the last part and prints what was held back, with a line break where the text has none at its end.
	end(part string) error
}

// growingText prints an answer while it is written: what is new of it since the last event.
type growingText struct {
	out    textWriter
	reason func(part string) error // prints a part of the reasoning; nil prints none

	text        string // as far as it was printed
	reasoning   int    // bytes of it that were printed
	wasStreamed bool   // printed before it had ended
}

// grow prints what is new, and ends the text with the answer. What comes of the reasoning after the text began is left
// out.
func (g *growingText) grow(a history.Answer) error {
	ended := a.State.HasEnded()
	if whole := wholeRunes(a.Reasoning, ended); g.reason != nil && g.text == "" && len(whole) > g.reasoning {
		part := whole[g.reasoning:]
		g.reasoning = len(whole)
		if err := g.reason(part); err != nil {
			return err
		}
	}
	text, part := wholeRunes(a.Text, ended), ""
	switch {
	case ended && !strings.HasPrefix(text, g.text): // not what was announced: all of it once more
		part = "\n\n" + text
	case len(text) > len(g.text):
		part = text[len(g.text):]
	}
	g.text = text
	if ended {
		return g.out.end(part)
	}
	g.wasStreamed = true
	if part == "" {
		return nil
	}
	return g.out.add(part)
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
	return q.textWriter.add(part)
}

func (q *quotation) add(part string) error { return q.textWriter.add(q.closed(part)) }

func (q *quotation) end(part string) error { return q.textWriter.end(q.closed(part)) }

// closed returns a part of the text that stands apart from the quotation.
func (q *quotation) closed(part string) string {
	if q.isOpen && part != "" {
		part = "\n\n" + part
		q.isOpen = false
	}
	return part
}

// wholeRunes returns a text without the begin of a character that has not come whole, unless nothing follows.
func wholeRunes(s string, isWhole bool) string {
	if isWhole {
		return s
	}
	for back := 1; back < utf8.UTFMax && back <= len(s); back++ {
		if c := s[len(s)-back]; utf8.RuneStart(c) {
			if !utf8.FullRuneInString(s[len(s)-back:]) {
				return s[:len(s)-back]
			}
			break
		}
	}
	return s
}

// textWriter returns how the text of an answer is printed: as markdown where text may be styled, cleaned on any other
// terminal, and as it comes elsewhere. Over SSH the other end may be a terminal without saying so: ssh HOST ask has no
// pseudo-terminal, and its client prints what comes.
func (a *app) textWriter(isRaw bool) textWriter {
	switch {
	case isRaw:
	case a.out.styled:
		return &markdownWriter{a: a}
	case a.out.terminal, a.served != nil:
		return &cleanWriter{out: plainWriter{print: a.print}}
	}
	return &plainWriter{print: a.print}
}

// plainWriter prints a text as it comes.
type plainWriter struct {
	print func(string) error
	last  string // part that was printed
}

func (w *plainWriter) add(part string) error {
	if part == "" {
		return nil
	}
	w.last = part
	return w.print(part)
}

func (w *plainWriter) end(part string) error {
	if err := w.add(part); err != nil || strings.HasSuffix(w.last, "\n") {
		return err
	}
	return w.print("\n")
}

// maxCleanLine bounds the line that a cleanWriter cleans anew with each part, in bytes.
const maxCleanLine = 4 << 10

// cleanWriter prints a text cleaned for a terminal. How a character is cleaned depends on those before it in its line,
// so that the line is cleaned again whenever it grows.
type cleanWriter struct {
	out   plainWriter
	line  string // the last one, as it came
	shown string // of it, cleaned
}

func (w *cleanWriter) add(part string) error {
	part = w.line + part
	held := ""
	if strings.HasSuffix(part, "\r") { // a line feed may follow
		part, held = part[:len(part)-1], "\r"
	}
	err := w.out.add(w.clean(part))
	w.line += held
	return err
}

func (w *cleanWriter) end(part string) error { return w.out.end(w.clean(w.line + part)) }

// clean returns what is new of the last line and what follows it.
func (w *cleanWriter) clean(text string) string {
	cleaned := termtext.Clean(text)
	same := 0
	for same < min(len(cleaned), len(w.shown)) && cleaned[same] == w.shown[same] {
		same++
	}
	for same > 0 && same < len(cleaned) && !utf8.RuneStart(cleaned[same]) {
		same--
	}
	w.line, w.shown = text[strings.LastIndexByte(text, '\n')+1:], cleaned[strings.LastIndexByte(cleaned, '\n')+1:]
	if len(w.line) > maxCleanLine {
		w.line, w.shown = "", ""
	}
	return cleaned[same:]
}

// markdownWriter lays a text out as markdown. A block is printed when it stays as it is; on a terminal with colors
// the open ones are drawn as far as they have come, and drawn over when more of them comes.
type markdownWriter struct {
	a        *app
	text     strings.Builder
	document markdown.Document
	printed  int // blocks that are printed for good
	tail     int // lines of the open blocks that are drawn
}

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

func (w *markdownWriter) end(part string) error {
	w.text.WriteString(part)
	text := w.layOut(markdown.Split(w.text.String())[w.printed:])
	if text == "" && w.printed == 0 {
		text = "\n"
	}
	return w.replaceTail(text)
}

// layOut returns the lines of blocks, with an empty line between them and before the first when others stand before it.
func (w *markdownWriter) layOut(blocks []markdown.Block) string {
	r := markdown.NewRenderer(w.a.styles(), w.a.out.width())
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
	if !w.a.out.terminal || w.a.out.profile <= colorprofile.NoTTY { // there it takes no sequences
		return nil
	}
	lines := slices.Collect(strings.Lines(w.layOut(w.document.Tail())))
	lines = lines[max(0, len(lines)-w.a.out.height()+1):]
	w.tail = len(lines)
	return w.a.printStyled(strings.Join(lines, ""))
}

// replaceTail prints lines in place of the open blocks. CUU and ED are the only sequences needed.
func (w *markdownWriter) replaceTail(lines string) error {
	if w.tail > 0 {
		if err := w.a.print(fmt.Sprintf("\r\x1b[%dA\x1b[J", w.tail)); err != nil {
			return err
		}
	}
	w.tail = 0
	return w.a.printStyled(lines)
}

// lineWriter prints whole lines, each after the name of its answer.
type lineWriter struct {
	print  func(string) error
	clean  func(string) string // nil leaves lines as they came
	prefix string
	line   string
}

func (w *lineWriter) add(part string) error {
	w.line += part
	i := strings.LastIndexByte(w.line, '\n')
	if i < 0 {
		return nil
	}
	lines := w.line[:i]
	w.line = w.line[i+1:]
	return w.printLines(lines)
}

func (w *lineWriter) end(part string) error {
	w.line += part
	if w.line == "" {
		return nil
	}
	return w.printLines(strings.TrimSuffix(w.line, "\n"))
}

func (w *lineWriter) printLines(text string) error {
	if w.clean != nil {
		text = w.clean(text)
	}
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(w.prefix + line + "\n")
	}
	return w.print(b.String())
}

// deltaJSON is a part of an answer as scripts see it; its field names are stable.
type deltaJSON struct {
	Model     string `json:"model"`
	Sample    int    `json:"sample"`
	Delta     string `json:"delta,omitempty"`
	Reasoning string `json:"reasoning,omitempty"`
}

// deltaWriter prints the parts of an answer as JSON objects.
type deltaWriter struct {
	a    *app
	part deltaJSON
}

func (w deltaWriter) add(part string) error {
	w.part.Delta = part
	return w.a.printJSON(w.part)
}

func (w deltaWriter) reason(part string) error {
	w.part.Reasoning = part
	return w.a.printJSON(w.part)
}

func (w deltaWriter) end(part string) error {
	if part == "" {
		return nil
	}
	return w.add(part)
}

// height returns the rows of a terminal.
func (s stream) height() int {
	if f, ok := s.Writer.(term.File); ok && s.terminal {
		if _, h, err := term.GetSize(f.Fd()); err == nil && h > 1 {
			return h
		}
	}
	return 24
}
