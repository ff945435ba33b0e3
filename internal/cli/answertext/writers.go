package answertext

import (
	"strings"
	"unicode/utf8"

	"confab/internal/termtext"
)

// Plain returns what prints a text as it comes.
func Plain(print func(string) error) Writer { return &plainWriter{print: print} }

// Clean returns what prints a text cleaned for a terminal.
func Clean(print func(string) error) Writer { return &cleanWriter{out: plainWriter{print: print}} }

// Lines returns what prints whole lines, each after a prefix, and cleaned for a terminal or as they came.
func Lines(print func(string) error, prefix string, isCleaned bool) Writer {
	return &lineWriter{print: print, prefix: prefix, isCleaned: isCleaned}
}

// JSON returns what prints the parts of an answer, and of its reasoning, as JSON objects.
func JSON(print func(any) error, model string, sample int) Writer {
	return deltaWriter{print, deltaJSON{Model: model, Sample: sample}}
}

// plainWriter prints a text as it comes.
type plainWriter struct {
	print func(string) error
	last  string // part that was printed
}

// Add implements [Writer].
func (w *plainWriter) Add(part string) error {
	if part == "" {
		return nil
	}
	w.last = part
	return w.print(part)
}

// End implements [Writer].
func (w *plainWriter) End(part string) error {
	if err := w.Add(part); err != nil || strings.HasSuffix(w.last, "\n") {
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

// Add implements [Writer].
func (w *cleanWriter) Add(part string) error {
	part = w.line + part
	held := ""
	if strings.HasSuffix(part, "\r") { // a line feed may follow
		part, held = part[:len(part)-1], "\r"
	}
	err := w.out.Add(w.clean(part))
	w.line += held
	return err
}

// End implements [Writer].
func (w *cleanWriter) End(part string) error { return w.out.End(w.clean(w.line + part)) }

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

// lineWriter prints whole lines, each after the name of its answer.
type lineWriter struct {
	print     func(string) error
	prefix    string
	isCleaned bool
	line      string
}

// Add implements [Writer].
func (w *lineWriter) Add(part string) error {
	w.line += part
	i := strings.LastIndexByte(w.line, '\n')
	if i < 0 {
		return nil
	}
	lines := w.line[:i]
	w.line = w.line[i+1:]
	return w.printLines(lines)
}

// End implements [Writer].
func (w *lineWriter) End(part string) error {
	w.line += part
	if w.line == "" {
		return nil
	}
	return w.printLines(strings.TrimSuffix(w.line, "\n"))
}

func (w *lineWriter) printLines(text string) error {
	if w.isCleaned {
		text = termtext.Clean(text)
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
	print func(any) error
	part  deltaJSON
}

// Add implements [Writer].
func (w deltaWriter) Add(part string) error {
	w.part.Delta = part
	return w.print(w.part)
}

func (w deltaWriter) reason(part string) error {
	w.part.Reasoning = part
	return w.print(w.part)
}

// End implements [Writer].
func (w deltaWriter) End(part string) error {
	if part == "" {
		return nil
	}
	return w.Add(part)
}
