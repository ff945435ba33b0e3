package termtext

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// CutName returns a name in at most w cells. It cuts the end, or the middle up to the first difference if another of
// the names would look the same.
func CutName(name string, w int, names []string) string {
	if Width(name) <= w {
		return name
	}
	cut := ansi.Truncate(name, max(w, 0), "…")
	shown := strings.TrimSuffix(cut, "…")
	if w < 6 || len(shown) >= len(name) || shown == "" {
		return cut
	}
	common := len(name)
	var alike []string
	for _, other := range names {
		if other != name && strings.HasPrefix(other, shown) && Width(other) > w {
			alike = append(alike, other)
			common = min(common, commonPrefix(name, other))
		}
	}
	if len(alike) == 0 {
		return cut
	}
	common = wordStart(name, common)
	const head = 3 // of ten cells for the beginning, and more if the rest needs less
	rest, room := name[common:], w-max(w*head/10, 1)-1
	if rest == "" { // only the other names continue
		_, size := utf8.DecodeLastRuneInString(name)
		rest = name[wordStart(name, len(name)-size):]
	}
	for i, other := range alike {
		alike[i] = other[min(common, len(other)):]
	}
	rest = CutName(rest, room, alike)
	return ansi.Truncate(name, w-1-Width(rest), "") + "…" + rest
}

// WithoutCommonBeginning returns the names with an ellipsis in place of the words that all of them begin with, if one
// of them is wider than w cells.
func WithoutCommonBeginning(names []string, w int) []string {
	const least = 8 // bytes that are worth it
	common := 0
	if len(names) > 1 {
		common = len(names[0])
	}
	for _, name := range names {
		if common = min(common, commonPrefix(name, names[0])); common < least {
			return names
		}
	}
	common = strings.LastIndexByte(names[0][:common], ' ') + 1
	isTooWide := func(name string) bool { return Width(name) > w }
	if common < least || !slices.ContainsFunc(names, isTooWide) {
		return names
	}
	cut := make([]string, len(names))
	for i, name := range names {
		cut[i] = "…" + name[common:]
	}
	return cut
}

// CutText cuts a text of a list to w cells. Of texts with a common beginning it keeps as many cells in all of them, so
// that what differs begins in one column, and then the whole of what differs or its end.
func CutText(text string, w int, texts []string) string {
	if Width(text) <= w || w < 20 {
		return cutEnd(text, w, texts)
	}
	common, longest := 0, 0
	for _, other := range texts {
		if other != text {
			common = max(common, commonPrefix(text, other))
		}
	}
	common = wordStart(text, common)
	for _, other := range texts {
		if strings.HasPrefix(other, text[:common]) {
			longest = max(longest, Width(other[common:]))
		}
	}
	const cut, least, near = "… ", 7, 8
	begin := max(min(w-Width(cut)-longest, w/2), w/6, least)
	room, rest := w-Width(cut)-begin, text[common:]
	switch missing := Width(rest) - room; {
	case Width(text[:common]) <= max(begin+Width(cut), w/2): // a cut at the end leaves enough
		return cutEnd(text, w, texts)
	case missing >= w/2:
		rest = ansi.Truncate(rest, room, "…")
	case missing > 0: // in front of what differs, so that the end is whole
		rest = ansi.TruncateLeft(rest, missing, "")
		if at := strings.IndexByte(rest, ' '); at >= 0 && at < near {
			rest = rest[at+1:]
		}
	}
	head := strings.TrimRight(ansi.Truncate(text, begin, ""), " ")
	return head + Fit(cut, begin+Width(cut)-Width(head)) + rest
}

// cutEnd is [CutName] without a blank before the sign of a cut at the end.
func cutEnd(text string, w int, texts []string) string {
	cut := CutName(text, w, texts)
	if rest, isCut := strings.CutSuffix(cut, " …"); isCut && cut != text {
		return strings.TrimRight(rest, " ") + "…"
	}
	return cut
}

// CutMiddle cuts a text to w cells: what is missing stands before its last part, which says most in a reason.
func CutMiddle(text string, w int) string {
	width := Width(text)
	if width <= w || w < 8 {
		return ansi.Truncate(text, max(w, 0), "…")
	}
	tail := (w - 1) / 2
	return ansi.Truncate(text, w-1-tail, "") + ansi.TruncateLeft(text, width-tail, "…")
}

// CutWords cuts a text to w cells after a word, or within one where that would lose more than a third.
func CutWords(text string, w int) string {
	cut := ansi.Truncate(text, max(w, 0), "…")
	if at := strings.LastIndexByte(cut, ' '); cut != text && at >= 0 && 3*Width(cut[:at]) >= 2*(w-1) {
		return strings.TrimRight(cut[:at], " .,;:") + "…"
	}
	return cut
}

// commonPrefix returns the length in bytes of the common beginning of two names, in whole characters.
func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// wordStart returns the start of the part of a name that contains a position, if it is near.
func wordStart(name string, at int) int {
	const near = 4
	for n := at; n > max(at-near, 0); n-- {
		if strings.IndexByte(" -_/:.,@", name[n-1]) >= 0 {
			return n
		}
	}
	return at
}
