package diff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"confab/service/diff"
)

// draw shows a result as the screen does.
func draw(r diff.Result) string {
	var s strings.Builder
	for _, p := range r.Segments {
		switch p.Op {
		case diff.Removed:
			s.WriteString("[-" + p.Text + "-]")
		case diff.Added:
			s.WriteString("{+" + p.Text + "+}")
		default:
			s.WriteString(p.Text)
		}
	}
	return s.String()
}

func TestWords(t *testing.T) {
	for _, tt := range []struct{ name, a, b, want string }{
		{"equal", "a b", "a b", "a b"},
		{"both empty", "", "", ""},
		{"from nothing", "", "a b", "{+a b+}"},
		{"to nothing", "a b", "", "[-a b-]"},
		{"a word", "foo bar baz", "foo qux baz", "foo [-bar-]{+qux+} baz"},
		{"a word more", "foo baz", "foo bar baz", "foo {+bar +}baz"},
		{"a word less", "foo bar baz", "foo baz", "foo [-bar -]baz"},
		{"first word", "bar baz", "baz", "[-bar -]baz"},
		{"last word", "bar baz", "bar", "bar[- baz-]"},
		{"mark", "Hi Sam,", "Hi customer,", "Hi [-Sam-]{+customer+},"},
		{"blanks only", "a  b", "a b", "a [- -]b"},
		{"line break", "a b", "a\nb", "a[- -]{+\n+}b"},
		{"paragraph break", "a\nb", "a\n\nb", "a\n{+\n+}b"},
		{"trailing line feed", "a", "a\n", "a{+\n+}"},
		{"case counts", "a B", "a b", "a [-B-]{+b+}"},
		{"ideographs by character", "日本語です", "日本人です", "日本[-語-]{+人+}です"},
		{"emoji is one", "ok 👩‍💻!", "ok 👩!", "ok [-👩‍💻-]{+👩+}!"},
		{"broken UTF-8", "a \xff b", "a \xfe b", "a [-\xff-]{+\xfe+} b"},
		{"chance matches are given up", "one two three the four five six", "uno dos tres the cuatro cinco seis",
			"[-one two three the four five six-]{+uno dos tres the cuatro cinco seis+}"},
		{"short changes keep them", "one the same two", "uno the same dos",
			"[-one-]{+uno+} the same [-two-]{+dos+}"},
		{"a rewritten line is one change", "Same\nIn short: two bakers keep a book.\nend",
			"Same\nTombstones: what was deleted leaves a mark.\nend",
			"Same\n[-In short: two bakers keep a book.-]{+Tombstones: what was deleted leaves a mark.+}\nend"},
		{"a line and another one that ends alike", "It can change. It ends up with the same document.",
			"It can change.\n\nany order of changes gives the same result",
			"It can change.[- It ends up with the same document.-]{+\n\nany order of changes gives the same result+}"},
		{"swapped, longer first", "foo long qux baz", "foo bar baz", "foo [-long qux-]{+bar+} baz"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := diff.Words(tt.a, tt.b)
			if got := draw(r); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			checkResult(t, tt.a, tt.b, r)
			if r.IsCoarse || r.Equal() != (tt.a == tt.b) {
				t.Errorf("coarse %v, equal %v", r.IsCoarse, r.Equal())
			}
		})
	}
}

func TestHunks(t *testing.T) {
	r := diff.Words("a b c d e f g h i", "a x c d e f g\nh y i")
	var got []string
	for _, h := range r.Hunks {
		got = append(got, draw(diff.Result{Segments: r.Segments[h.From:h.To]}))
	}
	want := []string{"[-b-]{+x+}", "[- -]{+\n+}", "{+y +}"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSimilarity(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       float64
	}{
		{"equal", "a b c", "a b c", 1},
		{"nothing shared", "a b c", "x y z", 0},
		{"half", "a b c d", "a b x y", 0.5},
		{"marks do not count", "a, b. c!", "x, y. z!", 0},
		{"blanks do not count", "a b\n\nc", "a  b c ", 1},
		{"order counts", "a b", "b a", 0.5},
		{"one empty", "", "a", 0},
		{"both empty", "", "", 1},
		{"no word, other marks", "!!", "??", 0},
		{"no word, other blanks", "!! ", "\n!!", 1},
		{"repeated", "a", "a a a", 0.5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := diff.Similarity(tt.a, tt.b); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if got := diff.Similarity(tt.b, tt.a); got != tt.want {
				t.Errorf("the other way round: got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestLargeEdit checks that a few changes in a large text are found by word.
func TestLargeEdit(t *testing.T) {
	a := prose(1, 1<<20, 12)
	b := strings.Replace(strings.Replace(a, "\n", "\nzebra ", 500), "w7 ", "quagga ", 300)
	r := diff.Words(a, b)
	checkResult(t, a, b, r)
	if r.IsCoarse {
		t.Error("coarse")
	}
	if r.Similarity < 0.98 {
		t.Errorf("similarity %v", r.Similarity)
	}
}

// TestHuge checks that texts without a common part give a coarse result.
func TestHuge(t *testing.T) {
	for name, pair := range huge() {
		t.Run(name, func(t *testing.T) {
			r := diff.Words(pair[0], pair[1])
			checkResult(t, pair[0], pair[1], r)
			if !r.IsCoarse {
				t.Error("not coarse")
			}
		})
	}
}

// huge returns pairs of 1 MiB that are hard to compare.
func huge() map[string][2]string {
	return map[string][2]string{
		"other prose":    {prose(1, 1<<20, 12), prose(2, 1<<20, 12)},
		"one line":       {prose(3, 1<<20, 0), prose(4, 1<<20, 0)},
		"short lines":    {prose(5, 1<<20, 1), prose(6, 1<<20, 1)},
		"two characters": {letters(7, 1<<20), letters(8, 1<<20)},
		"many groups": {strings.Repeat(prose(9, 40<<10, 12)+"SAME\n", 26),
			strings.Repeat(prose(10, 40<<10, 12)+"SAME\n", 26)},
	}
}

// prose returns a text of n bytes of 3,000 different words.
func prose(seed uint64, n, perLine int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var s strings.Builder
	for i := 1; s.Len() < n; i++ {
		fmt.Fprintf(&s, "w%d ", int(r.ExpFloat64()*300)%3000)
		if perLine > 0 && i%perLine == 0 {
			s.WriteByte('\n')
		}
	}
	return s.String()
}

func letters(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = "a\n"[r.IntN(2)]
	}
	return string(b)
}

// checkResult checks the invariants of a result.
func checkResult(t *testing.T, a, b string, r diff.Result) {
	t.Helper()
	var first, second strings.Builder
	for i, p := range r.Segments {
		if p.Text == "" {
			t.Error("a part is empty")
		}
		if i > 0 && (r.Segments[i-1].Op == p.Op || r.Segments[i-1].Op == diff.Added && p.Op == diff.Removed) {
			t.Errorf("%v after %v", p.Op, r.Segments[i-1].Op)
		}
		if p.Op != diff.Added {
			first.WriteString(p.Text)
		}
		if p.Op != diff.Removed {
			second.WriteString(p.Text)
		}
	}
	if first.String() != a || second.String() != b {
		t.Error("the parts do not make up the texts")
	}
	if r.Similarity < 0 || r.Similarity > 1 {
		t.Errorf("similarity %v", r.Similarity)
	}
	covered := make([]bool, len(r.Segments))
	for i, h := range r.Hunks {
		if h.From >= h.To || h.To > len(r.Segments) || i > 0 && h.From <= r.Hunks[i-1].To-1 {
			t.Fatalf("hunk %v", h)
		}
		for k := h.From; k < h.To; k++ {
			covered[k] = true
		}
	}
	for i, p := range r.Segments {
		if p.Op != diff.Same && !covered[i] {
			t.Errorf("part %d is in no hunk", i)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("Hi Sam,\nI am sorry.", "Dear customer,\nWe regret it.")
	f.Add("日本語\r\n\u00a0x", "日本\u2028 \u0301語")
	f.Add("\xff\x00 a\tb", "a\xf0\x9f b")
	f.Add("a b a b a b a", "b a b\n\n a")
	f.Fuzz(func(t *testing.T, a, b string) {
		r := diff.Words(a, b)
		checkResult(t, a, b, r)
		if r.Equal() != (a == b) {
			t.Errorf("equal %v", r.Equal())
		}
		if back := diff.Words(b, a); back.Similarity != r.Similarity || len(back.Hunks) != len(r.Hunks) {
			t.Errorf("the other way round: similarity %v, %v", back.Similarity, r.Similarity)
		}
		if draw(diff.Words(a, b)) != draw(r) {
			t.Error("not the same twice")
		}
	})
}

func BenchmarkWords(b *testing.B) {
	cases := huge()
	cases["answers"] = [2]string{prose(11, 3000, 12), prose(12, 3000, 12)}
	cases["largest exact"] = [2]string{prose(13, 9000, 12), prose(14, 9000, 12)}
	same := prose(15, 1<<20, 12)
	cases["long answers"] = [2]string{prose(13, 60000, 12), prose(14, 60000, 12)}
	cases["equal"] = [2]string{same, same + "x"}
	for name, pair := range cases {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				diff.Words(pair[0], pair[1])
			}
		})
	}
}
