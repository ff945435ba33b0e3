// Package diff finds where two texts differ by words, and how much of their wording they share.
package diff

import (
	"fmt"
	"strings"
)

// Op tells which of the two texts contain a segment.
type Op uint8

const (
	Same    Op = iota // in both
	Removed           // in the first only
	Added             // in the second only
)

// Segment is a piece of text that is in both texts or in one of them.
type Segment struct {
	Op   Op
	Text string
}

// Hunk is a difference between the texts: the segments from From up to, but not including, To. It includes segments of
// blanks between two changes.
type Hunk struct{ From, To int }

// Result holds the differences of two texts. The segments without Added make up the first text, those without Removed
// the second. No segment is empty, adjacent segments have different Ops, and Removed precedes Added.
type Result struct {
	Segments []Segment
	Hunks    []Hunk
	// IsCoarse reports that segments of long and very different texts were not compared in detail.
	IsCoarse bool
	// Similarity is the share from 0 to 1 of words that both texts have in the same order: twice their
	// number over the words of both texts. Texts without words are similar if only blanks differ. It is symmetric.
	Similarity float64
}

// Equal reports whether the texts are the same, byte for byte.
func (r Result) Equal() bool { return len(r.Hunks) == 0 }

// Words compares two texts by Unicode words and punctuation marks. Two lines of which less than half of the shorter one
// is the same count as wholly different. It finds the fewest differences in texts of up to
// some 2,000 words each, and nearly so in longer ones; see [Result.IsCoarse]. Any two texts of 1 MiB take a fraction
// of a second.
func Words(a, b string) Result {
	c := newComparison(a, b)
	c.measureSimilarity()
	c.dropMatchesOfRewrittenLines()
	c.dropChanceMatches()
	c.addSegments()
	return c.result
}

// Percent returns a similarity of texts that differ, "83 %"; never 100, which would mean the same text.
func Percent(share float64) string { return fmt.Sprintf("%d %%", max(min(int(share*100), 99), 0)) }

func Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	c := newComparison(a, b)
	c.measureSimilarity()
	return c.result.Similarity
}

// comparison holds two texts, their tokens and the matching tokens.
type comparison struct {
	a, b             string
	tokensA, tokensB []token
	matches          []match
	result           Result
}

// newComparison aligns the tokens of two texts. Which best alignment it finds depends on their order, so it sorts the
// texts first, which makes the similarity symmetric.
func newComparison(a, b string) *comparison {
	c := &comparison{a: a, b: b, tokensA: wordsOf(a), tokensB: wordsOf(b)}
	if len(a) < len(b) || len(a) == len(b) && a < b {
		c.matches, c.result.IsCoarse = align(c.tokensA, c.tokensB)
		return c
	}
	c.matches, c.result.IsCoarse = align(c.tokensB, c.tokensA)
	for i, m := range c.matches {
		c.matches[i] = match{a: m.b, b: m.a, n: m.n}
	}
	return c
}

func (c *comparison) measureSimilarity() {
	shared, total := 0, countWords(c.tokensA)+countWords(c.tokensB)
	for _, m := range c.matches {
		shared += c.wordsIn(m)
	}
	if total > 0 {
		c.result.Similarity = float64(2*shared) / float64(total)
	} else if strings.TrimSpace(c.a) == strings.TrimSpace(c.b) {
		c.result.Similarity = 1
	}
}

func (c *comparison) wordsIn(m match) int { return countWords(c.tokensA[m.a : m.a+m.n]) }

// dropMatchesOfRewrittenLines removes the matches between two lines that have little else in common: what they share
// hinders reading.
func (c *comparison) dropMatchesOfRewrittenLines() {
	linesA, linesB := linesOf(c.a, c.tokensA), linesOf(c.b, c.tokensB)
	type pair struct{ a, b int }
	shared := map[pair]lineSize{}
	for _, m := range c.matches {
		for i := range m.n {
			at := pair{linesA.of[m.a+i], linesB.of[m.b+i]}
			shared[at] = shared[at].plus(c.tokensA[m.a+i])
		}
	}
	isRewritten := func(at pair) bool {
		return shared[at].isLessThanHalf(linesA.sizes[at.a]) && shared[at].isLessThanHalf(linesB.sizes[at.b])
	}
	var kept []match
	for _, m := range c.matches {
		run := match{a: m.a, b: m.b}
		for i := range m.n {
			if !isRewritten(pair{linesA.of[m.a+i], linesB.of[m.b+i]}) {
				run.n++
				continue
			}
			if run.n > 0 {
				kept = append(kept, run)
			}
			run = match{a: m.a + i + 1, b: m.b + i + 1}
		}
		if run.n > 0 || m.n == 0 {
			kept = append(kept, run)
		}
	}
	c.matches = kept
}

// dropChanceMatches removes matches of a single word or mark between changes of several words each, which hinder
// reading.
func (c *comparison) dropChanceMatches() {
	const tiny, large = 2, 3
	kept := c.matches[:0]
	var endA, endB int // of the previous match
	for i, m := range c.matches {
		if i+1 < len(c.matches) && m.n <= tiny && c.wordsIn(m) <= 1 {
			next := c.matches[i+1]
			before := max(m.a-endA, m.b-endB)
			after := max(next.a-m.a-m.n, next.b-m.b-m.n)
			if before >= large && after >= large {
				continue
			}
		}
		kept = append(kept, m)
		endA, endB = m.a+m.n, m.b+m.n
	}
	c.matches = kept
}

// addSegments builds the segments and hunks. Common blanks at the ends of both sides of a change count as the same.
func (c *comparison) addSegments() {
	var endA, endB int // of the previous token
	from := 0          // start in a of common text that is not added yet
	addChange := func(startA, startB int) {
		removed, added := c.a[endA:startA], c.b[endB:startB]
		if removed == added {
			return
		}
		head := commonBlanks(removed, added)
		tail := commonLastBlanks(removed[head:], added[head:])
		c.add(Same, c.a[from:endA+head])
		c.add(Removed, removed[head:len(removed)-tail])
		c.add(Added, added[head:len(added)-tail])
		from = startA - tail
	}
	for _, m := range c.matches {
		for i := range m.n {
			tokenA, tokenB := c.tokensA[m.a+i], c.tokensB[m.b+i]
			addChange(tokenA.start, tokenB.start)
			endA, endB = tokenA.start+len(tokenA.text), tokenB.start+len(tokenB.text)
		}
	}
	addChange(len(c.a), len(c.b))
	c.add(Same, c.a[from:])
	c.findHunks()
}

func (c *comparison) add(op Op, text string) {
	if text != "" {
		c.result.Segments = append(c.result.Segments, Segment{op, text})
	}
}

// findHunks sets the hunks of the result.
func (c *comparison) findHunks() {
	r := &c.result
	hasEnded := true // of the last hunk
	for i, p := range r.Segments {
		switch {
		case p.Op == Same:
			hasEnded = hasEnded || strings.TrimSpace(p.Text) != ""
		case hasEnded:
			r.Hunks = append(r.Hunks, Hunk{From: i, To: i + 1})
			hasEnded = false
		default:
			r.Hunks[len(r.Hunks)-1].To = i + 1
		}
	}
}
