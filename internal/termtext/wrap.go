package termtext

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Span is a half-open range of bytes.
type Span struct{ Start, End int }

// Wrap breaks cleaned text into lines of at most w cells: at spaces, at hyphens
// between letters, between wide characters as Chinese and Japanese do, and
// anywhere inside a word that is longer than a line. Spaces at a break are
// dropped, indentation is kept. w below 2 counts as 2, the width of one wide
// character.
func Wrap(s string, w int) []string {
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		for _, span := range Breaks(line, w) {
			lines = append(lines, line[span.Start:span.End])
		}
	}
	return lines
}

// Breaks says where [Wrap] breaks one line of cleaned text without escape
// sequences, so that styled text can be broken by its plain form. There is
// always at least one span.
func Breaks(line string, w int) []Span {
	w = max(w, 2)
	if len(line) <= w { // a cell takes at least one byte
		return []Span{{0, len(line)}}
	}
	b := lineBreaker{line: line, limit: w}
	b.run()
	return b.spans
}

// lineBreaker holds the state of one line being broken.
type lineBreaker struct {
	line  string
	limit int
	spans []Span

	start   int // where the current line starts
	width   int // its cells so far
	end     int // where it can be broken: its end there,
	next    int // the start of the line after,
	nextAt  int // and the cells up to next; next == start means nowhere
	hasText bool
}

func (b *lineBreaker) run() {
	var prev rune
	for i := 0; i < len(b.line); {
		r, size, cells := b.cluster(i)
		if r == ' ' && size == 1 { // with a mark on it, it is text
			b.space(i)
			i += size
			prev = r
			continue
		}
		if i > b.start && canBreakBetween(prev, r, cells) {
			b.end, b.next, b.nextAt = i, i, b.width
		}
		for b.width+cells > b.limit && i > b.start {
			b.breakAt(i)
		}
		b.width += cells
		b.hasText = true
		i += size
		prev, _ = utf8.DecodeLastRuneInString(b.line[:i])
	}
	if b.start < len(b.line) || len(b.spans) == 0 {
		b.finish()
	}
}

// cluster returns the first character of the cluster at i, its bytes and cells.
func (b *lineBreaker) cluster(i int) (r rune, size, cells int) {
	c := b.line[i]
	if c < utf8.RuneSelf && (i+1 == len(b.line) || b.line[i+1] < utf8.RuneSelf) {
		return rune(c), 1, 1
	}
	if r, size, cells, ok := simpleCharacter(b.line[i:]); ok {
		return r, size, cells
	}
	s, cells := ansi.FirstGraphemeCluster(b.line[i:], ansi.GraphemeWidth)
	if rest := b.line[i+len(s):]; s == string(separator) && rest != "" { // stays with what it separates
		next, n := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		s, cells = b.line[i:i+len(s)+len(next)], n
	}
	r, _ = utf8.DecodeRuneInString(s)
	if cells > b.limit { // cannot be, from cleaned text
		cells = b.limit
	}
	return r, max(len(s), 1), cells
}

// space takes one space. Spaces may hang over the end of the line, where they
// are dropped; those before the first letter are indentation.
func (b *lineBreaker) space(i int) {
	b.width++
	if !b.hasText {
		if b.width >= b.limit { // nothing but spaces: start again without
			b.start, b.next, b.width = i+1, i+1, 0
		}
		return
	}
	if b.next == i && b.next > b.start { // a further space of the same gap
		b.next, b.nextAt = i+1, b.width
		return
	}
	b.end, b.next, b.nextAt = i, i+1, b.width
}

// breakAt ends the current line at the last chance, or at i.
func (b *lineBreaker) breakAt(i int) {
	if b.next > b.start && b.hasText && b.end > b.start {
		b.spans = append(b.spans, Span{b.start, b.end})
		b.start, b.width = b.next, b.width-b.nextAt
		b.hasText = b.start < i
	} else {
		at := b.breakWithinWord(i)
		b.spans = append(b.spans, Span{b.start, at})
		b.start, b.width, b.hasText = at, ansi.StringWidth(b.line[at:i]), at < i
	}
	b.next = b.start
}

// breakWithinWord returns where a word that is longer than a line is broken before i: after a sign of a formula, an
// address or a path in the second half of the line, else at i.
func (b *lineBreaker) breakWithinWord(i int) int {
	at, half := i, b.start+(i-b.start)/2
	for from := b.start; from < i; {
		r, size, _ := b.cluster(from)
		if from += size; from > half && size == utf8.RuneLen(r) && strings.ContainsRune(breakAfter, r) {
			at = from
		}
	}
	return at
}

// finish ends the last line.
func (b *lineBreaker) finish() {
	end := len(b.line)
	switch {
	case !b.hasText && b.start > 0: // only spaces are left
		end = b.start
	case b.width > b.limit: // only spaces hang over
		end = b.start + len(strings.TrimRight(b.line[b.start:], " "))
	}
	b.spans = append(b.spans, Span{b.start, end})
}

// canBreakBetween reports whether a line may end between two characters that have no
// space between them. Cells is the width of the second.
func canBreakBetween(prev, next rune, cells int) bool {
	if prev == ' ' || prev == 0 {
		return false
	}
	if prev == '-' {
		return isWordRune(next)
	}
	if cells < 2 && !isWide(prev) {
		return false
	}
	return !strings.ContainsRune(neverFirst, next) && !strings.ContainsRune(neverLast, prev)
}

func isWordRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0xbf
}

func isWide(r rune) bool {
	if r < 0x1100 {
		return false
	}
	if n := simpleWidth(r); n > 0 {
		return n == 2
	}
	return ansi.StringWidth(string(r)) == 2
}

const (
	// neverFirst are the characters that must not begin a line, neverLast those
	// that must not end one, in Chinese and Japanese text.
	neverFirst = "、。，．・：；？！）」』】〕〉》］｝”’…‥ー々ゝゞぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ～％.,!?:;)]}%"
	neverLast  = "（「『【〔〈《［｛“‘([{$＄￥"
	// breakAfter are the signs that may end a line within a word that is longer than a line.
	breakAfter = "+−=<>≤≥≈·×/,;:&?|)]}"
)
