package suite

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// differingWords returns the rest of each text behind the longest beginning, in words, that it shares with another
// text; empty texts if all are the same.
func differingWords(texts []string) []string {
	out := make([]string, len(texts))
	sorted := slices.Compact(slices.Sorted(slices.Values(texts)))
	if len(sorted) < 2 {
		return out
	}
	starts, uses := map[string]int{}, map[string]int{}
	for i, t := range sorted {
		for _, other := range sorted[max(i-1, 0):min(i+2, len(sorted))] {
			if other != t {
				starts[t] = max(starts[t], differingWord(t, other))
			}
		}
		uses[cutWords(t, starts[t], maxWordsWidth)]++
	}
	first, last, half := sorted[0], sorted[len(sorted)-1], maxWordsWidth/2
	shared := min(differingWord(first, last), differingWord(last, first)) // by all texts
	for i, t := range texts {
		if out[i] = cutWords(t, starts[t], maxWordsWidth); uses[out[i]] == 1 {
			continue
		}
		// Another text has the same end, so that the label shows the beginning too.
		words := out[i]
		if out[i] = cutWords(t, shared, maxWordsWidth); strings.HasSuffix(out[i], "…") {
			out[i] = cutWords(t, shared, half) + strings.TrimPrefix(cutWords(words, 0, half), "…")
		}
	}
	return out
}

// differingWord returns the start of the first word of a text that is not in another one, or of its last two words if
// all are. A very long word is divided.
func differingWord(text, other string) int {
	const blanks = " \n"
	n := 0
	for n < min(len(text), len(other)) && text[n] == other[n] {
		n++
	}
	endsWord := func(s string) bool { return n == len(s) || strings.ContainsRune(blanks, rune(s[n])) }
	shared := text[:n]
	switch {
	case n == len(text):
		shared = strings.TrimRight(shared, blanks)
		shared = strings.TrimRight(shared[:strings.LastIndexAny(shared, blanks)+1], blanks)
	case endsWord(text) && endsWord(other):
		return n
	}
	start := strings.LastIndexAny(shared, blanks) + 1
	if n < len(text) && cellWidth(text[start:n]) > maxWordsWidth/2 {
		for start = n; !utf8.RuneStart(text[start]); {
			start--
		}
	}
	return start
}

// cutWords returns what fits into w terminal cells of a text from its start, with "…" for what is before and after.
func cutWords(text string, start, w int) string {
	words := OneLine(strings.TrimLeft(text[start:], " \n"))
	if start > 0 {
		words = "…" + words
	}
	return ansi.Truncate(words, w, "…")
}

// cutTexts cuts texts to w cells. Those that would be the same are without the beginning that they share.
func cutTexts(texts []string, w int) []string {
	cut, uses := func(t string) string { return cutWords(t, 0, w) }, map[string]int{}
	for _, t := range slices.Compact(slices.Sorted(slices.Values(texts))) {
		uses[cut(t)]++
	}
	out := differingWords(texts)
	for i, t := range texts {
		if short := cut(t); uses[short] == 1 {
			out[i] = short
		}
	}
	return out
}
