package sqlite

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// term is one thing searched for: words in a row, the last of which may be only
// begun.
type term struct {
	index  []string // as the index knows them
	folded [][]rune
	prefix bool
}

// textMatcher is the text of a query, split. It speaks to FTS5, and finds the
// matches in a text for showing them.
type textMatcher struct {
	terms   []term
	literal string // what is searched for when it holds no word at all, like "++"
}

// The bounds of a query; what is beyond them is not looked for. A whole page may
// be pasted into a search box.
const (
	maxTerms       = 32
	maxWordsInTerm = 64 // in a row
)

// newTextMatcher splits what a person typed: words, and phrases in double quotes.
// The last word counts as begun unless a space or a quote ends it.
func newTextMatcher(text string) textMatcher {
	var m textMatcher
	rest := text
	for {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			break
		}
		var piece string
		open := false
		if quoted, isQuoted := strings.CutPrefix(rest, `"`); isQuoted {
			var closed bool
			piece, rest, closed = strings.Cut(quoted, `"`)
			open = !closed
		} else {
			end := strings.IndexFunc(rest, unicode.IsSpace)
			if open = end < 0; open {
				end = len(rest)
			}
			piece, rest = rest[:end], rest[end:]
		}
		if t, ok := newTerm(piece, open); ok && len(m.terms) < maxTerms {
			m.terms = append(m.terms, t)
		}
	}
	if len(m.terms) == 0 {
		m.literal = strings.Trim(strings.TrimSpace(text), `"`)
	}
	return m
}

// newTerm splits a piece of a query into its words; ok is false without any.
func newTerm(piece string, open bool) (t term, ok bool) {
	last := 0
	eachWord(piece, func(w word) bool {
		s := piece[w.from:w.to]
		f := foldString(s)
		if len(f) == 0 {
			return true
		}
		t.index = append(t.index, strings.TrimSpace(segmentForFTS(s)))
		t.folded = append(t.folded, f)
		last = w.to
		return len(t.index) < maxWordsInTerm
	})
	if len(t.index) == 0 {
		return term{}, false
	}
	r, _ := utf8.DecodeLastRuneInString(piece)
	t.prefix = open && last == len(piece) && !isSingleCharacterWord(r)
	return t, true
}

// isEmpty tells whether the query holds no text.
func (m textMatcher) isEmpty() bool { return len(m.terms) == 0 && m.literal == "" }

// expression writes the terms for FTS5: every one must occur in the columns.
// Whatever was typed stands within quotes, so that none of it is syntax.
func (m textMatcher) expression(columns string) string {
	var b strings.Builder
	b.WriteString("{" + columns + "} : (")
	for i, t := range m.terms {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(`"` + strings.Join(t.index, " ") + `"`)
		if t.prefix {
			b.WriteString(" *")
		}
	}
	b.WriteByte(')')
	return b.String()
}

// matches returns where the terms stand in a text, in order and not
// overlapping, up to reach bytes after the first; negative reach means all.
func (m textMatcher) matches(text string, reach int) [][2]int {
	if m.literal != "" {
		if at := strings.Index(text, m.literal); at >= 0 {
			return [][2]int{{at, at + len(m.literal)}}
		}
		return nil
	}
	longest := 0
	for _, t := range m.terms {
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
		for _, t := range m.terms {
			if from, to, ok := t.endsAt(text, recent); ok {
				found = merge(found, from, to)
			}
		}
		return true
	})
	return found
}

// endsAt tells whether the term stands at the end of the words read so far.
func (t term) endsAt(text string, recent []word) (from, to int, ok bool) {
	n := len(t.folded)
	if n > len(recent) {
		return 0, 0, false
	}
	tail := recent[len(recent)-n:]
	for i := n - 1; i >= 0; i-- {
		size := matchesWord(text[tail[i].from:tail[i].to], t.folded[i], t.prefix && i == n-1)
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

// The size of a snippet in bytes, and how much of it stands before the match.
const (
	snippetSize   = 160
	snippetBefore = 40
)

// snippet cuts the part of a text around the first match into one line, and
// returns where the matches stand in it, in bytes.
func (m textMatcher) snippet(text string) (string, [][2]int) {
	found := m.matches(text, snippetSize)
	from := 0
	if len(found) > 0 && found[0][0] > 2*snippetBefore {
		from = found[0][0] - snippetBefore
		if space := strings.IndexByte(text[from:found[0][0]], ' '); space >= 0 && space < snippetBefore/2 {
			from += space + 1
		}
	}
	to := min(len(text), from+snippetSize)
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	for to < len(text) && to > from && !utf8.RuneStart(text[to]) {
		to--
	}
	line := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text[from:to], "?"))
	// Only a match in valid text keeps its place; elsewhere bytes were joined.
	keeps := len(line) == to-from
	head := ""
	if from > 0 {
		head = "…"
	}
	var places [][2]int
	for _, f := range found {
		f = [2]int{max(f[0], from), min(f[1], to)}
		if keeps && f[0] < f[1] {
			places = append(places, [2]int{f[0] - from + len(head), f[1] - from + len(head)})
		}
	}
	if to < len(text) {
		line += "…"
	}
	return head + line, places
}
