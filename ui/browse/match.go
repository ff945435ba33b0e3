package browse

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/widget"
)

// wordMatcher finds a word of a query; letter case does not matter.
type wordMatcher struct {
	word        string
	pattern     *regexp.Regexp
	wordPattern *regexp.Regexp // finds it at the start of a word only
}

func newWordMatcher(word string) wordMatcher {
	quoted := regexp.QuoteMeta(strings.ToValidUTF8(word, "\uFFFD"))
	return wordMatcher{word: word, pattern: regexp.MustCompile(`(?i)()` + quoted),
		wordPattern: regexp.MustCompile(`(?i)(^|[ \-_./:(])` + quoted)}
}

// match returns the items that have every word of the query, best first, with the found byte ranges of their titles.
// Best is the start of a word of the title, then any place in the title, then other words, then facts, detail or key,
// then a subsequence of the letters of the title.
func match(items []Item, query string) []Item {
	var words []wordMatcher
	for word := range strings.FieldsSeq(query) {
		words = append(words, newWordMatcher(word))
	}
	if len(words) == 0 {
		return items
	}
	var found []Item
search:
	for _, item := range items {
		for _, word := range words {
			score, hits := word.match(item)
			if score == 0 {
				continue search
			}
			item.score += score
			item.hits = append(item.hits, hits...)
		}
		slices.SortFunc(item.hits, func(a, b [2]int) int { return a[0] - b[0] })
		found = append(found, item)
	}
	slices.SortStableFunc(found, func(a, b Item) int { return b.score - a.score })
	if n := leastWordScore * len(words); len(found) > 0 && found[0].score >= n { // scattered letters are no match then
		found = slices.DeleteFunc(found, func(i Item) bool { return i.score < n })
	}
	return found
}

// The least scores of a word that is found as such, and of one that is found in a title or among the other words.
const (
	leastWordScore = 2000
	leastNameScore = leastWordScore + 500
)

// isNamed reports whether the best of the items that match is found by its title or its other words.
func isNamed(found []Item) bool { return len(found) > 0 && found[0].score >= leastNameScore }

// match returns a score, 0 for no match, and the matched byte ranges of the title.
func (m wordMatcher) match(item Item) (int, [][2]int) {
	for i, pattern := range []*regexp.Regexp{m.wordPattern, m.pattern} {
		if at := pattern.FindStringSubmatchIndex(item.Title); at != nil {
			from := at[3] // where what stands before the word ends
			return 4000 - 1000*i - min(from, 999), [][2]int{{from, at[1]}}
		}
	}
	if m.wordPattern.MatchString(item.Words) {
		return leastNameScore, nil
	}
	if slices.ContainsFunc([]string{item.Facts, item.Key, item.Detail, item.Group}, m.pattern.MatchString) {
		return leastWordScore, nil
	}
	letters := fuzzy.Find(m.word, []string{item.Title})
	if len(letters) == 0 || utf8.RuneCountInString(m.word) < 2 {
		return 0, nil
	}
	var hits [][2]int
	for _, at := range letters[0].MatchedIndexes {
		_, size := utf8.DecodeRuneInString(item.Title[at:])
		hits = append(hits, [2]int{at, at + size})
	}
	return min(max(1000+letters[0].Score, 1), 1999), hits
}

// A row shows only a part of a long text, so that drawing costs the same for a text of megabytes.
const (
	maxRowBytes       = 1 << 10
	maxBytesBeforeHit = 256
)

// highlight draws foreign text in one line of exactly w cells, with byte ranges in the style found. It cuts text at the
// left until the first range is visible.
func highlight(s string, ranges [][2]int, w int, base, found themes.Style) string {
	if w < 1 {
		return ""
	}
	start := 0
	if len(s) > maxRowBytes && len(ranges) > 0 {
		start = max(min(ranges[0][0], len(s))-maxBytesBeforeHit, 0)
	}
	s = s[start:min(start+maxRowBytes, len(s))]
	var text strings.Builder
	var hits []widget.Span
	at, cells := 0, 0
	write := func(to int) {
		piece := widget.OneLine(s[at:to])
		text.WriteString(piece)
		cells += ansi.StringWidth(piece)
		at = to
	}
	for _, r := range ranges {
		from, to := max(r[0]-start, at), min(r[1]-start, len(s))
		if from >= to {
			continue
		}
		write(from)
		hit := widget.Span{From: cells}
		write(to)
		hit.To = cells
		hits = append(hits, hit)
	}
	write(len(s))
	line := text.String()
	if len(hits) > 0 && hits[0].To >= w {
		size := hits[0].To - hits[0].From
		if cut := hits[0].From - min(w/3, max(w-1-size, 0)) + 1; cut > 0 {
			line = ansi.TruncateLeft(line, cut, "…")
			for i, moved := 0, cells-ansi.StringWidth(line); i < len(hits); i++ {
				hits[i].From, hits[i].To = max(hits[i].From-moved, 0), hits[i].To-moved
			}
		}
	}
	return widget.MarkSpans(base.On(termtext.Fit(line, w)), hits, w, found)
}
