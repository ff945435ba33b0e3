package diff

import (
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxCost bounds the exact comparing of one pair of texts, in steps: the square
// of the tokens that are compared with each other. 4,000 tokens that have
// little in common take about a tenth of a second.
const maxCost = 4000 * 4000

// match says that n tokens from a on are those from b on.
type match struct{ a, b, n int }

// callCost is what comparing one pair of texts costs however short they are.
const callCost = 2000

// budget is what may still be spent on one comparison.
type budget struct {
	steps  int // of the exact search
	rounds int // of the early one
}

// align pairs up the tokens of two sequences: exactly where that can be paid,
// otherwise as well as can be had in linear time. The last match is always
// empty and is at both ends.
func align(a, b []rune, p *budget) []match {
	var out []match
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if head > 0 {
		out = append(out, match{0, 0, head})
	}
	middleA, middleB := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(middleA) > 0 && len(middleB) > 0 {
		search := p.approximate
		if n := len(middleA) + len(middleB); n*n+callCost <= p.steps {
			p.steps -= n*n + callCost
			search = exact
		}
		for _, m := range search(middleA, middleB) {
			out = append(out, match{m.a + head, m.b + head, m.n})
		}
	}
	if tail > 0 {
		out = append(out, match{len(a) - tail, len(b) - tail, tail})
	}
	return append(out, match{a: len(a), b: len(b)})
}

// exact finds the longest common subsequence. The library takes characters and
// gives back strings, so tokens are numbered below the surrogates, which a
// string cannot hold.
func exact(a, b []rune) []match {
	ids := make(map[rune]rune, len(a))
	number := func(s []rune) []rune {
		out := make([]rune, len(s))
		for i, r := range s {
			id, ok := ids[r]
			if !ok {
				id = rune(len(ids) + 1)
				ids[r] = id
			}
			out[i] = id
		}
		return out
	}
	d := diffmatchpatch.New()
	d.DiffTimeout = 0 // a deadline would make the result a matter of luck
	var out []match
	var i, j int
	for _, part := range d.DiffMainRunes(number(a), number(b), false) {
		n := utf8.RuneCountInString(part.Text)
		switch part.Type {
		case diffmatchpatch.DiffDelete:
			i += n
		case diffmatchpatch.DiffInsert:
			j += n
		default:
			out = append(out, match{i, j, n})
			i, j = i+n, j+n
		}
	}
	return out
}

// maxRounds bounds how often the early search goes on where it gave up; a round
// takes up to thirty microseconds.
const maxRounds = 1200

// giveUp is after how many differences go-udiff v0.4.1 gives up.
const giveUp = 100

// approximate finds a common subsequence in linear time. The library searches from
// both ends until it met so many differences, and calls all between different:
// there the search starts again, as long as it finds something.
func (p *budget) approximate(a, b []rune) []match {
	f := finder{budget: p}
	f.search(a, b, 0, 0)
	return f.found
}

type finder struct {
	budget *budget
	found  []match
}

// search appends the matches of two sequences that start at the offsets.
func (f *finder) search(a, b []rune, offsetA, offsetB int) {
	f.budget.rounds--
	var i, j int
	for _, d := range lcs.DiffRunes(a, b) {
		f.match(offsetA+i, offsetB+j, d.Start-i)
		i, j = d.End, d.ReplEnd
		left, right := a[d.Start:d.End], b[d.ReplStart:d.ReplEnd]
		some := len(left) < len(a) || len(right) < len(b)
		if f.budget.rounds > 0 && some && len(left) > 0 && len(right) > 0 && len(left)+len(right) > giveUp {
			f.search(left, right, offsetA+d.Start, offsetB+d.ReplStart)
		}
	}
	f.match(offsetA+i, offsetB+j, len(a)-i)
}

func (f *finder) match(a, b, n int) {
	if n > 0 {
		f.found = append(f.found, match{a, b, n})
	}
}

// tokenIDs gives equal tokens of two texts the same number.
type tokenIDs map[string]rune

func (n tokenIDs) of(token string) rune {
	id, ok := n[token]
	if !ok {
		id = rune(len(n) + 1)
		n[token] = id
	}
	return id
}
