package cli

import (
	"strings"

	"confab/internal/termtext"
)

// newPlainText returns what prints a text as it comes.
func newPlainText(print func(string) error) textWriter { return &plainWriter{print: print} }

// newCleanText returns what prints a text without what a terminal obeys.
func newCleanText(print func(string) error) textWriter {
	return &cleanWriter{out: plainWriter{print: print}}
}

// newLinesText returns what prints whole lines, each after a prefix, and cleaned for a terminal or as they came.
func newLinesText(print func(string) error, prefix string, isCleaned bool) textWriter {
	return &lineWriter{print: print, prefix: prefix, isCleaned: isCleaned}
}

// newJSONText returns what prints the parts of an answer, and of its reasoning, as JSON objects.
func newJSONText(print func(any) error, model string, sample int) textWriter {
	return deltaWriter{print, deltaJSON{Model: model, Sample: sample}}
}

// plainWriter prints a text as it comes.
type plainWriter struct {
	print func(string) error
	last  string // part that was printed
}

// add implements [textWriter].
func (w *plainWriter) add(part string) error {
	if part == "" {
		return nil
	}
	w.last = part
	return w.print(part)
}

// end implements [textWriter].
func (w *plainWriter) end(part string) error {
	if err := w.add(part); err != nil || strings.HasSuffix(w.last, "\n") {
		return err
	}
	return w.print("\n")
}

// cleanWriter prints a text without what a terminal obeys.
type cleanWriter struct {
	out  plainWriter
	held string // a carriage return that a line feed may follow
}

// add implements [textWriter].
func (w *cleanWriter) add(part string) error {
	part, w.held = w.held+part, ""
	if strings.HasSuffix(part, "\r") {
		part, w.held = part[:len(part)-1], "\r"
	}
	return w.out.add(termtext.Disarm(part))
}

// end implements [textWriter].
func (w *cleanWriter) end(part string) error { return w.out.end(termtext.Disarm(w.held + part)) }

// lineWriter prints whole lines, each after the name of its answer.
type lineWriter struct {
	print     func(string) error
	prefix    string
	isCleaned bool
	line      string
}

// add implements [textWriter].
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

// end implements [textWriter].
func (w *lineWriter) end(part string) error {
	w.line += part
	if w.line == "" {
		return nil
	}
	return w.printLines(strings.TrimSuffix(w.line, "\n"))
}

func (w *lineWriter) printLines(text string) error {
	if w.isCleaned {
		text = termtext.Disarm(text)
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

// add implements [textWriter].
func (w deltaWriter) add(part string) error {
	w.part.Delta = part
	return w.print(w.part)
}

func (w deltaWriter) reason(part string) error {
	w.part.Reasoning = part
	return w.print(w.part)
}

// end implements [textWriter].
func (w deltaWriter) end(part string) error {
	if part == "" {
		return nil
	}
	return w.add(part)
}
