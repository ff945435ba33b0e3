package browse

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// wordMatcher finds a word of a query, letter case aside.
type wordMatcher struct {
	word              string
	anywhere, atStart *regexp.Regexp // atStart finds it as the start of a word
}

func newWordMatcher(word string) wordMatcher {
	quoted := regexp.QuoteMeta(strings.ToValidUTF8(word, "\uFFFD"))
	return wordMatcher{word: word, anywhere: regexp.MustCompile(`(?i)()` + quoted),
		atStart: regexp.MustCompile(`(?i)(^|[ \-_./:(])` + quoted)}
}

// match returns the items that have every word of the query, best first, with the byte ranges of their titles to show as
// found. A word is best found as the start of a word of the title, then anywhere in the title, then in facts, detail or
// key, at last as letters of the title in that order.
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
	return found
}

// match returns how well the word is found in an item, 0 for not at all.
func (m wordMatcher) match(item Item) (int, [][2]int) {
	for i, pattern := range []*regexp.Regexp{m.atStart, m.anywhere} {
		if at := pattern.FindStringSubmatchIndex(item.Title); at != nil {
			from := at[3] // where what stands before the word ends
			return 4000 - 1000*i - min(from, 999), [][2]int{{from, at[1]}}
		}
	}
	if slices.ContainsFunc([]string{item.Facts, item.Key, item.Detail}, m.anywhere.MatchString) {
		return 2000, nil
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
