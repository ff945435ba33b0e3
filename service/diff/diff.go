// Package diff finds where two texts differ, by words or by lines, and how much of their wording they share.
package diff

import "strings"

// Op says in which of the two texts a part is.
type Op uint8

// The operations.
const (
	Same    Op = iota // in both
	Removed           // in the first only
	Added             // in the second only
)

// Part is a piece of text that is in both texts or in one of them.
type Part struct {
	Op   Op
	Text string
}

// Hunk is one place where the texts differ: the parts from From up to, but not including, To. Parts of nothing but
// blanks between two changes belong to it.
type Hunk struct{ From, To int }

// Result says where two texts differ. The parts without Added are exactly the first text, those without Removed exactly
// the second; no two neighbours have the same Op, none is empty, and Removed comes before Added.
type Result struct {
	Parts []Part
	Hunks []Hunk
	// IsCoarse tells that the texts are so long and differ in so much that parts of them were not compared in detail.
	IsCoarse bool
	// Similarity is the share of words (or lines) found in both, in the same order: twice those over the words of both
	// texts, 0 to 1. Texts without a word are similar when nothing but blanks differs. It is the same whichever text
	// comes first.
	Similarity float64
}

// Equal tells whether the texts are the same, byte for byte.
func (r Result) Equal() bool { return len(r.Hunks) == 0 }

// Words compares two texts by words: Unicode words, with each punctuation mark by itself. The differences are the
// fewest possible in texts of up to some 2,000 words each, and near to it in longer ones; see [Result.IsCoarse]. Two
// texts of 1 MiB take a fraction of a second whatever they hold.
func Words(a, b string) Result {
	c := newComparison(a, b, wordsOf)
	c.measureSimilarity()
	c.dropChanceMatches()
	c.addParts(true)
	return c.result
}

// Lines compares two texts by lines.
func Lines(a, b string) Result {
	c := newComparison(a, b, linesOf)
	c.measureSimilarity()
	c.addParts(false)
	return c.result
}

// Similarity returns the [Result.Similarity] of two texts by words.
func Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	c := newComparison(a, b, wordsOf)
	c.measureSimilarity()
	return c.result.Similarity
}

// comparison is two texts, their tokens, and which of these are in both.
type comparison struct {
	a, b             string
	tokensA, tokensB []token
	matches          []match
	result           Result
}

// newComparison aligns the tokens of two texts. Which of two best alignments is found depends on which text comes
// first, so the texts are aligned in an order of their own: that makes the similarity symmetric.
func newComparison(a, b string, tokens func(string) []token) *comparison {
	c := &comparison{a: a, b: b, tokensA: tokens(a), tokensB: tokens(b)}
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

// dropChanceMatches removes matches that hinder reading: a single word or mark between two changes of several words
// each, which is there by chance.
func (c *comparison) dropChanceMatches() {
	const tiny, large = 2, 3
	kept := c.matches[:0]
	var endA, endB int // of the match before
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

// addParts makes the parts and hunks of the result. What stands before a token that is in both texts is the same or a
// change; with trimsBlanks, blanks that both sides of a change begin or end with are the same.
func (c *comparison) addParts(trimsBlanks bool) {
	var endA, endB int // of the token before
	from := 0          // in a: where the text that is in both begins and was not added yet
	addChange := func(startA, startB int) {
		removed, added := c.a[endA:startA], c.b[endB:startB]
		if removed == added {
			return
		}
		head, tail := 0, 0
		if trimsBlanks {
			head = commonBlanks(removed, added)
			tail = commonLastBlanks(removed[head:], added[head:])
		}
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
		c.result.Parts = append(c.result.Parts, Part{op, text})
	}
}

// findHunks finds the places where the texts differ.
func (c *comparison) findHunks() {
	r := &c.result
	hasEnded := true // the last hunk
	for i, p := range r.Parts {
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
