package diff

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"
	"znkr.io/diff"
)

// token is a unit of comparison: a word or a punctuation mark. Blanks around words belong to no token.
type token struct {
	text   string
	start  int
	isWord bool // counts for the similarity: has a letter or a digit
}

// wordsOf returns the words and marks of a text.
func wordsOf(text string) []token {
	out := make([]token, 0, len(text)/5+1)
	end := 0
	for it := words.FromString(text); it.Next(); {
		word := it.Value()
		end += len(word)
		if strings.TrimSpace(word) != "" {
			out = append(out, token{word, end - len(word), isWord(word)})
		}
	}
	return out
}

func isWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// tokenLines tells on which line each token stands, and how much each line has.
type tokenLines struct {
	of    []int
	sizes []lineSize
}

type lineSize struct{ words, tokens int }

func (s lineSize) plus(t token) lineSize {
	s.tokens++
	if t.isWord {
		s.words++
	}
	return s
}

// isLessThanHalf compares the words, or the marks of a line without words.
func (s lineSize) isLessThanHalf(line lineSize) bool {
	if line.words == 0 {
		return 2*s.tokens < line.tokens
	}
	return 2*s.words < line.words
}

func linesOf(text string, tokens []token) tokenLines {
	l := tokenLines{of: make([]int, len(tokens)), sizes: []lineSize{{}}}
	end := 0
	for i, t := range tokens {
		for range strings.Count(text[end:t.start], "\n") {
			l.sizes = append(l.sizes, lineSize{})
		}
		end = t.start
		l.of[i] = len(l.sizes) - 1
		l.sizes[l.of[i]] = l.sizes[l.of[i]].plus(t)
	}
	return l
}

func countWords(tokens []token) int {
	n := 0
	for _, t := range tokens {
		if t.isWord {
			n++
		}
	}
	return n
}

func commonBlanks(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] && isASCIIBlank(a[n]) {
		n++
	}
	return n
}

func commonLastBlanks(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] && isASCIIBlank(a[len(a)-1-n]) {
		n++
	}
	return n
}

func isASCIIBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// match means that n tokens of the first text from a on equal those of the second from b on.
type match struct{ a, b, n int }

const (
	// minimalTokens is the maximum total number of tokens for finding the fewest differences. The time is quadratic,
	// some 20 ms for the maximum.
	minimalTokens = 4000
	// detailedTokens bounds the tokens of longer texts that are compared in detail, which take some tenths of a
	// second.
	detailedTokens = 60_000
)

// align returns the common tokens of two texts in order. It divides long texts at tokens that are unique in each, and
// compares the parts in between. The last match is always an empty one at both ends.
func align(tokensA, tokensB []token) (matches []match, isCoarse bool) {
	a, b := textsOf(tokensA), textsOf(tokensB)
	var endA, endB int // of the previous difference
	addDifferences := func(offsetA, offsetB int, hunks []diff.Hunk[string]) {
		for _, h := range hunks {
			if n := offsetA + h.PosX - endA; n > 0 {
				matches = append(matches, match{endA, endB, n})
			}
			endA, endB = offsetA+h.EndX, offsetB+h.EndY
		}
	}
	if len(a)+len(b) <= minimalTokens {
		addDifferences(0, 0, diff.Hunks(a, b, diff.Context(0), diff.Minimal()))
	} else {
		left := detailedTokens
		for _, h := range diff.Hunks(a, b, diff.Context(0), diff.Fast()) {
			innerA, innerB := a[h.PosX:h.EndX], b[h.PosY:h.EndY]
			size := len(innerA) + len(innerB)
			if size > left && len(innerA) > 0 && len(innerB) > 0 {
				isCoarse = true
				addDifferences(0, 0, []diff.Hunk[string]{h})
				continue
			}
			left -= size
			addDifferences(h.PosX, h.PosY, diff.Hunks(innerA, innerB, diff.Context(0)))
		}
	}
	if n := len(a) - endA; n > 0 {
		matches = append(matches, match{endA, endB, n})
	}
	return append(matches, match{a: len(a), b: len(b)}), isCoarse
}

func textsOf(tokens []token) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.text
	}
	return out
}
