package history

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Term is a word, or words in a row, of a search.
type Term struct {
	Words    []string
	IsPrefix bool // the last word may be incomplete
	folded   [][]rune
}

// FoldedWords returns the words in the form that is compared, see [IndexWords].
func (t Term) FoldedWords() []string {
	words := make([]string, len(t.folded))
	for i, w := range t.folded {
		words[i] = string(w)
	}
	return words
}

// TextMatcher is the text of a query, split into terms for the index of a store. It also finds the matches within a
// text.
type TextMatcher struct {
	Terms   []Term
	Literal string // the text of a query without words, like "++"
}

// Bounds of a query, since whole pages may be pasted into a search box. The rest is ignored.
const (
	maxTerms       = 32
	maxWordsInTerm = 64 // in a row
)

// NewTextMatcher splits a typed text into words, and phrases in double quotes. The last word counts as incomplete
// unless a space or a quote ends it.
func NewTextMatcher(text string) TextMatcher {
	var m TextMatcher
	rest := text
	for {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			break
		}
		var piece string
		open := false
		if quoted, isQuoted := strings.CutPrefix(rest, `"`); isQuoted {
			var isClosed bool
			piece, rest, isClosed = strings.Cut(quoted, `"`)
			open = !isClosed
		} else {
			end := strings.IndexFunc(rest, unicode.IsSpace)
			if open = end < 0; open {
				end = len(rest)
			}
			piece, rest = rest[:end], rest[end:]
		}
		if t, ok := newTerm(piece, open); ok && len(m.Terms) < maxTerms {
			m.Terms = append(m.Terms, t)
		}
	}
	if len(m.Terms) == 0 {
		m.Literal = strings.Trim(strings.TrimSpace(text), `"`)
	}
	return m
}

// newTerm splits a piece of a query into its words; ok is false if it has none.
func newTerm(piece string, open bool) (t Term, ok bool) {
	last := 0
	eachWord(piece, func(w word) bool {
		s := piece[w.from:w.to]
		f := foldString(s)
		if len(f) == 0 {
			return true
		}
		t.Words = append(t.Words, s)
		t.folded = append(t.folded, f)
		last = w.to
		return len(t.Words) < maxWordsInTerm
	})
	if len(t.Words) == 0 {
		return Term{}, false
	}
	r, _ := utf8.DecodeLastRuneInString(piece)
	t.IsPrefix = open && last == len(piece) && !isSingleCharacterWord(r)
	return t, true
}

// IsEmpty reports whether the query holds no text.
func (m TextMatcher) IsEmpty() bool { return len(m.Terms) == 0 && m.Literal == "" }

// MatchesAll reports whether all terms occur in a text.
func (m TextMatcher) MatchesAll(text string) bool {
	if m.Literal != "" {
		return strings.Contains(text, m.Literal)
	}
	for _, t := range m.Terms {
		if len(TextMatcher{Terms: []Term{t}}.Matches(text, 0)) == 0 {
			return false
		}
	}
	return true
}

// Matches returns the sorted, disjoint byte ranges of the terms in a text, up to reach bytes after the first; all for
// a negative reach.
func (m TextMatcher) Matches(text string, reach int) [][2]int {
	if m.Literal != "" {
		if at := strings.Index(text, m.Literal); at >= 0 {
			return [][2]int{{at, at + len(m.Literal)}}
		}
		return nil
	}
	longest := 0
	for _, t := range m.Terms {
		longest = max(longest, len(t.folded))
	}
	if longest == 0 {
		return nil
	}
	var found [][2]int
	recent := make([]word, 0, 64)
	eachWord(text, func(w word) bool {
		if reach >= 0 && len(found) > 0 && w.from > found[0][0]+reach {
			return false
		}
		if len(recent) == cap(recent) && len(recent) >= longest {
			recent = append(recent[:0], recent[len(recent)-longest+1:]...)
		}
		recent = append(recent, w)
		for _, t := range m.Terms {
			if from, to, ok := t.endsAt(text, recent); ok {
				found = merge(found, from, to)
			}
		}
		return true
	})
	return found
}

// endsAt reports whether the term ends with the last word of recent.
func (t Term) endsAt(text string, recent []word) (from, to int, ok bool) {
	n := len(t.folded)
	if n > len(recent) {
		return 0, 0, false
	}
	tail := recent[len(recent)-n:]
	for i := n - 1; i >= 0; i-- {
		size := matchesWord(text[tail[i].from:tail[i].to], t.folded[i], t.IsPrefix && i == n-1)
		if size == 0 {
			return 0, 0, false
		}
		if i == n-1 {
			to = tail[i].from + size
			for to < len(text) { // the marks on the last character
				r, width := utf8.DecodeRuneInString(text[to:])
				if !unicode.Is(unicode.Mn, r) {
					break
				}
				to += width
			}
		}
	}
	return tail[0].from, to, true
}

// merge adds a match, joining it with those it overlaps.
func merge(found [][2]int, from, to int) [][2]int {
	for len(found) > 0 && found[len(found)-1][1] >= from && found[len(found)-1][0] <= to {
		last := found[len(found)-1]
		from, to = min(from, last[0]), max(to, last[1])
		found = found[:len(found)-1]
	}
	return append(found, [2]int{from, to})
}
