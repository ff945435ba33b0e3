package termtext

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Span is a half-open range of bytes.
type Span struct{ Start, End int }

// Wrap breaks cleaned text into lines of at most w cells: at spaces, at hyphens between letters, between wide
// characters by Chinese and Japanese rules, and within words longer than a line. It drops spaces at a break and keeps
// indentation. A w below 2 counts as 2, the width of a wide character.
func Wrap(s string, w int) []string {
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		for _, span := range Breaks(line, w) {
			lines = append(lines, line[span.Start:span.End])
		}
	}
	return lines
}

// Breaks returns the spans of the lines into which [Wrap] breaks one line of cleaned text without escape sequences,
// for breaking styled text by its plain form. It returns at least one span.
func Breaks(line string, w int) []Span {
	w = max(w, 2)
	if len(line) <= w { // a cell takes at least one byte
		return []Span{{0, len(line)}}
	}
	b := lineBreaker{line: line, limit: w}
	b.run()
	return b.spans
}

// lineBreaker is the state of breaking one line.
type lineBreaker struct {
	line  string
	limit int
	spans []Span

	start   int // start of the current line
	width   int // cells of the current line
	end     int // the last possible break: end of the line there,
	next    int // start of the next line,
	nextAt  int // and cells up to next; next == start means none
	hasText bool
}

func (b *lineBreaker) run() {
	var prev rune
	for i := 0; i < len(b.line); {
		r, size, cells := b.cluster(i)
		if r == ' ' && size == 1 { // a space with a mark is text
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
	if rest := b.line[i+len(s):]; s == string(separator) && rest != "" { // stays with the separated character
		next, n := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		s, cells = b.line[i:i+len(s)+len(next)], n
	}
	r, _ = utf8.DecodeRuneInString(s)
	if cells > b.limit { // impossible in cleaned text
		cells = b.limit
	}
	return r, max(len(s), 1), cells
}

// space processes one space. Spaces may exceed the end of the line, where they are dropped; those before the first
// letter are indentation.
func (b *lineBreaker) space(i int) {
	b.width++
	if !b.hasText {
		if b.width >= b.limit { // only spaces: start again without them
			b.start, b.next, b.width = i+1, i+1, 0
		}
		return
	}
	if b.next == i && b.next > b.start { // another space of the same gap
		b.next, b.nextAt = i+1, b.width
		return
	}
	b.end, b.next, b.nextAt = i, i+1, b.width
}

// breakAt ends the current line at the last possible break, or at i.
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

// breakWithinWord returns where to break a word longer than a line before i: after a sign of a formula, an address or
// a path in the second half of the line, or else at i.
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
	case !b.hasText && b.start > 0: // only spaces remain
		end = b.start
	case b.width > b.limit: // only spaces exceed the line
		end = b.start + len(strings.TrimRight(b.line[b.start:], " "))
	}
	b.spans = append(b.spans, Span{b.start, end})
}

// canBreakBetween reports whether a line may end between two characters without a space. Cells is the width of the
// second.
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
	// neverFirst are the characters that must not begin a line of Chinese or Japanese text, neverLast those that must
	// not end one.
	neverFirst = "、。，．・：；？！）」』】〕〉》］｝”’…‥ー々ゝゞぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ～％.,!?:;)]}%"
	neverLast  = "（「『【〔〈《［｛“‘([{$＄￥"
	// breakAfter are the signs after which a word longer than a line may be broken.
	breakAfter = "+−=<>≤≥≈·×/,;:&?|)]}"
)
