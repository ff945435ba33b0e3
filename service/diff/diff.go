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

// Unit is what was compared.
type Unit uint8

// The units.
const (
	ByWords Unit = iota
	ByLines
)

// Hunk is one place where the texts differ: the parts from From up to, but not
// including, To. Parts of nothing but blanks between two changes belong to it.
type Hunk struct{ From, To int }

// Result says where two texts differ. The parts without Added are exactly the
// first text, those without Removed exactly the second; no two neighbours have
// the same Op, none is empty, and Removed comes before Added.
type Result struct {
	Parts []Part
	Hunks []Hunk
	Unit  Unit
	// Coarse tells that the texts differ in so much that words were compared
	// only where it was cheap, and whole lines elsewhere.
	Coarse bool
	// Similarity is the share of words (or lines) found in both, in the same
	// order: twice those over the words of both texts, 0 to 1. Texts without a
	// word are alike when nothing but blanks differs. It speaks of
	// the text, not of its merit, and is the same whichever text comes first.
	Similarity float64
}

// Equal tells whether the texts are the same, byte for byte.
func (r Result) Equal() bool { return len(r.Hunks) == 0 }

// Words compares two texts by words: Unicode words, with each punctuation mark
// by itself. The differences are the fewest possible in texts of up to some 2,000
// words each, and in longer ones near to it; comparing two texts of 1 MiB takes
// a fraction of a second whatever they hold; see [Result.Coarse].
func Words(a, b string) Result {
	c := comparison{budget: budget{steps: maxCost, rounds: maxRounds}}
	return c.result(a, b, ByWords, c.lineGroups)
}

// Lines compares two texts by lines.
func Lines(a, b string) Result {
	c := comparison{}
	return c.result(a, b, ByLines, func(a, b string) {
		every := func(string) bool { return true }
		byLines(a, b, every, c.same, func(la, lb []string) {
			c.removed(strings.Join(la, ""), len(la))
			c.added(strings.Join(lb, ""), len(lb))
		})
	})
}

// Similarity returns the [Result.Similarity] of two texts by words.
func Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	return Words(a, b).Similarity
}

// comparison gathers the parts of a result.
type comparison struct {
	swapped bool // the texts are the other way round
	budget  budget
	coarse  bool

	parts  []piece
	shared int // words or lines in both,
	total  int // and of both texts together
}

// piece is a text in both, or the text of the second (ins) in place of the text of the first (del).
type piece struct{ same, del, ins string }

// result compares two texts by walk, which reports what it finds in order.
// Which of two best alignments is found depends on which text comes first, so
// they are put in an order of their own: that makes the similarity symmetric.
func (c *comparison) result(a, b string, unit Unit, walk func(a, b string)) Result {
	c.swapped = len(a) > len(b) || len(a) == len(b) && a > b
	if c.swapped {
		a, b = b, a
	}
	walk(a, b)
	r := Result{Unit: unit, Coarse: c.coarse}
	if c.total > 0 {
		r.Similarity = float64(2*c.shared) / float64(c.total)
	} else if strings.TrimSpace(a) == strings.TrimSpace(b) {
		r.Similarity = 1
	}
	for _, p := range c.parts {
		if c.swapped {
			p.del, p.ins = p.ins, p.del
		}
		r.add(Same, p.same)
		r.add(Removed, p.del)
		r.add(Added, p.ins)
	}
	r.findHunks()
	return r
}

// same reports a text that is in both, with n words or lines.
func (c *comparison) same(text string, n int) {
	c.shared += n
	c.total += 2 * n
	c.keep(text)
}

func (c *comparison) keep(text string) {
	if text != "" {
		c.parts = append(c.parts, piece{same: text})
	}
}

func (c *comparison) removed(text string, n int) {
	c.total += n
	c.change(text, "")
}

func (c *comparison) added(text string, n int) {
	c.total += n
	c.change("", text)
}

// change reports texts that stand for each other; it grows the change before.
func (c *comparison) change(del, ins string) {
	if del == "" && ins == "" {
		return
	}
	if n := len(c.parts); n > 0 && c.parts[n-1].same == "" {
		c.parts[n-1].del += del
		c.parts[n-1].ins += ins
		return
	}
	c.parts = append(c.parts, piece{del: del, ins: ins})
}

func (r *Result) add(op Op, text string) {
	if text == "" {
		return
	}
	if n := len(r.Parts); n > 0 && r.Parts[n-1].Op == op {
		r.Parts[n-1].Text += text
		return
	}
	r.Parts = append(r.Parts, Part{op, text})
}

// findHunks tokenIDs the places where the texts differ.
func (r *Result) findHunks() {
	for i := 0; i < len(r.Parts); {
		if r.Parts[i].Op == Same {
			i++
			continue
		}
		h := Hunk{From: i, To: i + 1}
		for i++; i < len(r.Parts); i++ {
			if r.Parts[i].Op != Same {
				h.To = i + 1
			} else if strings.TrimSpace(r.Parts[i].Text) != "" {
				break
			}
		}
		r.Hunks = append(r.Hunks, h)
	}
}
