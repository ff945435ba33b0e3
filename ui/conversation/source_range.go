package conversation

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"confab/ui/markdown"
	"confab/ui/widget"
)

// drawnRune is a character on the screen, and where the source has it; -1 for what only the drawing has.
type drawnRune struct {
	char     rune
	at       int
	isMarked bool
}

// sourceOfBlock returns the text of a block from which marked cells are copied: of code what stands between the fences.
func sourceOfBlock(b *markdown.Block) string {
	if b.Kind != markdown.Fence {
		return strings.Trim(b.Source, "\r\n")
	}
	if !b.IsContinuation {
		if codes := markdown.CodeBlocks(b.Source); len(codes) > 0 {
			return strings.TrimRight(codes[0].Text, "\r\n")
		}
	}
	source := strings.TrimRight(b.Source, " \t\r\n")
	last := source[strings.LastIndexByte(source, '\n')+1:]
	mark := strings.TrimSpace(last)
	if len(mark) >= 3 && (strings.Trim(mark, "`") == "" || strings.Trim(mark, "~") == "") {
		source = strings.TrimSuffix(source, last)
	}
	return strings.TrimRight(source, "\r\n")
}

// sourceRange returns the part of a source that marked cells of its drawn lines show. Where all is marked that is all
// of it; a line of the source of which the first or the last character is marked comes with its markup at that end.
func sourceRange(lines []string, marked []widget.Span, source string) string {
	drawn := drawnRunes(lines, marked, source)
	align(drawn, source)
	start, end, isWhole := -1, -1, true
	for _, d := range drawn {
		switch {
		case d.at < 0:
		case !d.isMarked:
			isWhole = false
		default:
			if start < 0 {
				start = d.at
			}
			cluster, _ := ansi.FirstGraphemeCluster(source[d.at:], ansi.GraphemeWidth)
			end = d.at + len(cluster)
		}
	}
	if start < 0 {
		return ""
	}
	if isWhole {
		return strings.TrimRight(source, " \t\r\n")
	}
	lineStart, lineEnd := strings.LastIndexByte(source[:start], '\n')+1, len(source)
	if n := strings.IndexByte(source[end:], '\n'); n >= 0 {
		lineEnd = end + n
	}
	first, last := lineStart, lineEnd
	for _, d := range drawn {
		if d.at >= lineStart && d.at < start {
			first = start
		}
		if d.at >= end && d.at < lineEnd {
			last = end
		}
	}
	first, last = withMarks(source, first, last)
	return strings.TrimRight(source[first:last], " \t\r\n")
}

// withMarks extends a part of a source by the marks beside it that belong to marks within: of emphasis and of code.
func withMarks(source string, start, end int) (int, int) {
	for _, mark := range []string{"**", "*", "~~", "__", "`"} {
		if strings.Count(source[start:end], mark)%2 == 0 {
			continue
		}
		switch {
		case strings.HasPrefix(source[end:], mark):
			end += len(mark)
		case strings.HasSuffix(source[:start], mark):
			start -= len(mark)
		}
	}
	return start, end
}

// drawnRunes returns the characters of drawn lines but blanks and signs that the source has not.
func drawnRunes(lines []string, marked []widget.Span, source string) (drawn []drawnRune) {
	const signs = "│┃─━┼•☐☑↳‹›╭▾▴…"
	for i, line := range lines {
		x := 0
		for line != "" {
			cluster, w := ansi.FirstGraphemeCluster(line, ansi.GraphemeWidth)
			line = line[len(cluster):]
			r, _ := utf8.DecodeRuneInString(cluster)
			if r != ' ' && (!strings.ContainsRune(signs, r) || strings.ContainsRune(source, r)) {
				drawn = append(drawn, drawnRune{r, -1, x >= marked[i].From && x < marked[i].To})
			}
			x += w
		}
	}
	return drawn
}

// align finds the drawn characters in the source, where they stand in the same order with markup between them.
func align(drawn []drawnRune, source string) {
	const far = 4 << 10 // bytes of a source that may not be drawn, such as the address of a link
	at := 0
	for i := range drawn {
		rest := source[at:]
		next := at + len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
		for p := next; p < min(len(source), next+far); {
			n := strings.IndexRune(source[p:min(len(source), next+far)], drawn[i].char)
			if n < 0 {
				break
			}
			if p += n; isMarkup(source[next:p]) || continues(drawn[i+1:], source[p+size(source[p:]):]) {
				drawn[i].at = p
				at = p + size(source[p:])
				break
			}
			p += size(source[p:])
		}
	}
}

// size returns how many bytes the first character of a text has: one where it is no valid UTF-8.
func size(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// isMarkup reports whether a part of a source has no letters and digits.
func isMarkup(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// continues reports whether the next drawn characters are near the beginning of a source.
func continues(drawn []drawnRune, source string) bool {
	const needed, gap = 3, 8
	for _, d := range drawn[:min(needed, len(drawn))] {
		source = strings.TrimLeft(source, " \t\r\n")
		n := strings.IndexRune(source[:min(len(source), gap)], d.char)
		if n < 0 {
			return false
		}
		source = source[n+size(source[n:]):]
	}
	return true
}
