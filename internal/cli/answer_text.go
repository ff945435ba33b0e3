package cli

import (
	"strings"
	"unicode/utf8"

	"confab/history"
)

// textWriter prints a text as it comes.
type textWriter interface {
	// Add takes the next part, which never ends within a character.
	add(part string) error
	// End takes the last part and prints what was held back, with a line break where the text has none at its end.
	end(part string) error
}

// growingText prints an answer while it is written: what is new of it since the last event.
type growingText struct {
	wasStreamed bool // some of it was printed before it had ended

	out    textWriter
	reason func(part string) error // prints a part of the reasoning; nil prints none

	text      string // as far as it was printed
	reasoning int    // bytes of it that were printed
}

// newGrowingText returns what prints an answer. Unless w prints JSON, the reasoning that is wanted is printed as a
// quotation before the text.
func newGrowingText(w textWriter, withReasoning bool) *growingText {
	g := &growingText{out: w}
	if d, isJSON := w.(deltaWriter); isJSON {
		g.reason = d.reason
	} else {
		q := &quotation{textWriter: w}
		g.out, g.reason = q, q.reason
	}
	if !withReasoning {
		g.reason = nil
	}
	return g
}

// whole prints what there is of an answer, whether or not it has ended.
func (g *growingText) whole(a history.Answer) error {
	if g.reason != nil && a.Reasoning != "" {
		if err := g.reason(a.Reasoning); err != nil {
			return err
		}
	}
	return g.out.end(a.Text)
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
	switch isSame := strings.HasPrefix(text, g.text); {
	case !ended && !isSame: // what was printed turned out to be reasoning
		return nil
	case !isSame: // not what was announced: all of it once more
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

// add implements [textWriter].
func (q *quotation) add(part string) error { return q.textWriter.add(q.closed(part)) }

// end implements [textWriter].
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
