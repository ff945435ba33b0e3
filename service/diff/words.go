package diff

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// maxWordBytes is the longest pair of texts of which the words are looked at
// all together; more have too many words anyway.
const maxWordBytes = 256 << 10

// token is a word or a mark, without the blanks before it.
type token struct {
	start, end int
	word       bool // holds a letter or a digit
}

// tokens returns the words and marks of a text.
func tokens(s string) []token {
	out := make([]token, 0, len(s)/5+1)
	at := 0
	for it := words.FromString(s); it.Next(); {
		v := it.Value()
		start := at
		at += len(v)
		if !isBlank(v) {
			out = append(out, token{start, at, isWord(v)})
		}
	}
	return out
}

// isBlank takes the first character for all: blanks stand only with blanks in
// one Unicode word, but a blank may carry a mark.
func isBlank(s string) bool {
	if c := s[0]; c < utf8.RuneSelf {
		return (c == ' ' || c >= '\t' && c <= '\r') && strings.TrimSpace(s) == ""
	}
	return strings.TrimSpace(s) == ""
}

func isWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return strings.ContainsFunc(s[i:], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
		}
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return true
		}
	}
	return false
}

// countWords returns what a text weighs in the similarity.
func countWords(s string) int {
	n := 0
	for it := words.FromString(s); it.Next(); {
		if isWord(it.Value()) {
			n++
		}
	}
	return n
}

// words compares two texts by words, unless that would take too long: an exact
// search, or where that is too dear and early is allowed one that gives up.
func (c *comparison) words(a, b string, early bool) bool {
	if len(a)+len(b) > maxWordBytes && a != "" && b != "" {
		return false
	}
	if c.budget.steps <= callCost && c.budget.rounds <= 0 {
		return false
	}
	p := pair{a: a, b: b, ta: tokens(a), tb: tokens(b)}
	na, nb := p.number(make(tokenIDs, len(p.ta)))
	if len(na) > 0 && len(nb) > 0 {
		n := len(na) + len(nb)
		if dear := n*n+callCost > c.budget.steps; dear && (!early || c.budget.rounds <= 0) {
			return false
		}
	}
	p.matches = align(na, nb, &c.budget)
	if c.budget.rounds <= 0 {
		c.coarse = true // it gave up in the middle
	}
	c.count(p)
	p.dropChanceMatches()
	c.emit(p)
	return true
}

// pair is two texts, their tokens and which of these are the same.
type pair struct {
	a, b    string
	ta, tb  []token
	matches []match
}

func (p *pair) number(ids tokenIDs) (a, b []rune) {
	a, b = make([]rune, len(p.ta)), make([]rune, len(p.tb))
	for i, t := range p.ta {
		a[i] = ids.of(p.a[t.start:t.end])
	}
	for i, t := range p.tb {
		b[i] = ids.of(p.b[t.start:t.end])
	}
	return a, b
}

// count adds to the similarity.
func (c *comparison) count(p pair) {
	for _, ts := range [][]token{p.ta, p.tb} {
		for _, t := range ts {
			if t.word {
				c.total++
			}
		}
	}
	for _, m := range p.matches {
		c.shared += p.wordsIn(m)
	}
}

func (p *pair) wordsIn(m match) int {
	n := 0
	for _, t := range p.ta[m.a : m.a+m.n] {
		if t.word {
			n++
		}
	}
	return n
}

// dropChanceMatches gives up matches that hinder reading: a single word or mark between
// two changes of several words each, which is there by chance.
func (p *pair) dropChanceMatches() {
	const tiny, large = 2, 3
	kept := p.matches[:0]
	var endA, endB int // of the match before
	for i, m := range p.matches {
		if i+1 < len(p.matches) && m.n <= tiny && p.wordsIn(m) <= 1 {
			next := p.matches[i+1]
			before := max(m.a-endA, m.b-endB)
			after := max(next.a-m.a-m.n, next.b-m.b-m.n)
			if before >= large && after >= large {
				continue
			}
		}
		kept = append(kept, m)
		endA, endB = m.a+m.n, m.b+m.n
	}
	p.matches = kept
}

// emit reports the parts.
func (c *comparison) emit(p pair) {
	e := emitter{c: c, a: p.a, b: p.b}
	for _, m := range p.matches {
		for k := range m.n {
			e.word(p.ta[m.a+k], p.tb[m.b+k])
		}
	}
	e.word(token{start: len(p.a)}, token{start: len(p.b)})
	c.keep(p.a[e.from:])
}

// emitter goes along two texts from one word in both to the next.
type emitter struct {
	c        *comparison
	a, b     string
	from     int // in a: where what is the same began and was not reported yet
	atA, atB int // the ends of the last word in both
}

// word takes the next word that is in both texts. What stands before it is the
// same or a change; blanks at the ends of a change that are in both are the same.
func (e *emitter) word(ta, tb token) {
	a, b := e.a[e.atA:ta.start], e.b[e.atB:tb.start]
	e.atB = tb.end
	if a != b {
		head := commonBlanks(a, b)
		e.c.keep(e.a[e.from : e.atA+head])
		a, b = a[head:], b[head:]
		tail := 0
		for tail < len(a) && tail < len(b) && a[len(a)-1-tail] == b[len(b)-1-tail] && isASCIIBlank(a[len(a)-1-tail]) {
			tail++
		}
		e.c.change(a[:len(a)-tail], b[:len(b)-tail])
		e.from = ta.start - tail
	}
	e.atA = ta.end
}

func commonBlanks(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] && isASCIIBlank(a[n]) {
		n++
	}
	return n
}

func isASCIIBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
