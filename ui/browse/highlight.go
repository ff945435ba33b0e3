package browse

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"confab/themes"
	"confab/ui/textedit"
)

// piece is a part of a text, cleaned; hit where a search found it.
type piece struct {
	text string
	hit  bool
}

// highlight draws foreign text of one line, exactly w cells wide, with the
// byte ranges of it that a search found in another ink. When the first of them
// is too far right to be seen, the text before it is cut.
func highlight(s string, ranges [][2]int, w int, base, hit themes.Style) string {
	if w < 1 {
		return ""
	}
	pieces := split(clip(s, ranges))
	pieces = bringIntoView(pieces, w)
	var b strings.Builder
	rest := w
	for i, p := range pieces {
		if rest < 1 {
			break
		}
		text, n := p.text, ansi.StringWidth(p.text)
		more := slices.ContainsFunc(pieces[i+1:], func(p piece) bool { return p.text != "" })
		if n > rest || (n == rest && more) {
			if text = ansi.Truncate(text, rest-1, ""); !strings.HasSuffix(text, "…") {
				text += "…"
			}
			n = ansi.StringWidth(text)
			if n < rest { // a wide character did not fit
				text += strings.Repeat(" ", rest-n)
			}
			n = rest
		}
		ink := base
		if p.hit {
			ink = hit
		}
		b.WriteString(ink.On(text))
		rest -= n
	}
	b.WriteString(base.On(strings.Repeat(" ", max(rest, 0))))
	return b.String()
}

// clip returns the part of a long text that a row could show: drawing a row
// must not cost more for a text of megabytes.
func clip(s string, ranges [][2]int) (string, [][2]int) {
	const before, most = 256, 1 << 10
	if len(s) <= most {
		return s, ranges
	}
	from := 0
	if len(ranges) > 0 {
		from = max(min(ranges[0][0], len(s))-before, 0)
	}
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	to := min(from+most, len(s))
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	moved := make([][2]int, 0, len(ranges))
	for _, r := range ranges {
		if r[1] <= to {
			moved = append(moved, [2]int{r[0] - from, r[1] - from})
		}
	}
	return s[from:to], moved
}

// split cuts text at the ranges and cleans each part. Ranges that are not
// within the text, or that cut a character, are put right.
func split(s string, ranges [][2]int) []piece {
	ranges = slices.Clone(ranges)
	slices.SortFunc(ranges, func(a, b [2]int) int { return a[0] - b[0] })
	var out []piece
	at := 0
	add := func(text string, hit bool) {
		if text = textedit.OneLine(text); text != "" {
			out = append(out, piece{text, hit})
		}
	}
	for _, r := range ranges {
		from, to := max(r[0], at), min(r[1], len(s))
		for from < len(s) && from > at && !utf8.RuneStart(s[from]) {
			from--
		}
		for to > 0 && to < len(s) && !utf8.RuneStart(s[to]) {
			to++
		}
		if from >= to {
			continue
		}
		add(s[at:from], false)
		add(s[from:to], true)
		at = to
	}
	add(s[at:], false)
	return out
}

// bringIntoView cuts pieces on the left until the first hit ends within w
// cells, a third of them being text before it.
func bringIntoView(pieces []piece, w int) []piece {
	first := slices.IndexFunc(pieces, func(p piece) bool { return p.hit })
	if first < 1 {
		return pieces
	}
	before := 0
	for _, p := range pieces[:first] {
		before += ansi.StringWidth(p.text)
	}
	size := ansi.StringWidth(pieces[first].text)
	if before+size <= w-1 {
		return pieces
	}
	drop := before - min(w/3, max(w-1-size, 0)) + 1
	out := slices.Clone(pieces)
	for i := 0; i < first && drop > 0; i++ {
		n := ansi.StringWidth(out[i].text)
		out[i].text = dropLeft(out[i].text, drop)
		drop -= n
	}
	return append([]piece{{text: "…"}}, out...)
}

// dropLeft removes whole characters of at least n cells from the left.
func dropLeft(s string, n int) string {
	for n > 0 && s != "" {
		cluster, cells := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[max(len(cluster), 1):]
		n -= max(cells, 1)
	}
	return s
}
