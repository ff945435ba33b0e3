package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/themes"
)

// Span is a piece of a drawn line, from a cell up to, not including, another.
type Span struct{ From, To int }

// MarkSpans draws pieces of a drawn line, w cells wide, in another style. The pieces are in their order, and do not
// overlap.
func MarkSpans(line string, spans []Span, w int, style themes.Style) string {
	var out strings.Builder
	end := 0
	for _, s := range spans {
		if s.From, s.To = max(s.From, end), min(s.To, w); s.From >= s.To {
			continue
		}
		out.WriteString(ansi.Cut(line, end, s.From))
		out.WriteString(style.On(ansi.Strip(ansi.Cut(line, s.From, s.To))))
		end = s.To
	}
	if end == 0 {
		return line
	}
	return out.String() + ansi.Cut(line, end, w)
}

// WordAt returns the word at a column of a line of plain text, "" between words.
func WordAt(line string, x int) string {
	column := 0
	for word := range strings.SplitSeq(line, " ") {
		end := column + ansi.StringWidth(word)
		if x >= column && x < end {
			return word
		}
		column = end + 1
	}
	return ""
}
