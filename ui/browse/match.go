package browse

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// match returns the items that have every word of the query, best first, and
// the byte ranges of their titles to show as found. A word is best found as
// the start of a word of the title, then anywhere in the title, then in facts,
// detail or key, at last as letters of the title in that order.
func match(items []Item, query string) ([]Item, [][][2]int) {
	words := strings.Fields(query)
	if len(words) == 0 {
		return items, nil
	}
	type scored struct {
		item  Item
		hits  [][2]int
		score int
	}
	var found []scored
	for _, item := range items {
		s := scored{item: item}
		for _, word := range words {
			score, hits := matchWord(item, word)
			if score == 0 {
				s.score = 0
				break
			}
			s.score += score
			s.hits = append(s.hits, hits...)
		}
		if s.score > 0 {
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return b.score - a.score })
	out, hits := make([]Item, len(found)), make([][][2]int, len(found))
	for i, f := range found {
		out[i], hits[i] = f.item, f.hits
	}
	return out, hits
}

// matchWord returns how well a word is found in an item, 0 for not at all.
func matchWord(item Item, word string) (int, [][2]int) {
	if from, to := indexFold(item.Title, word, true); to > 0 {
		return 4000 - min(from, 999), [][2]int{{from, to}}
	}
	if from, to := indexFold(item.Title, word, false); to > 0 {
		return 3000 - min(from, 999), [][2]int{{from, to}}
	}
	for _, text := range []string{item.Facts, item.Key, item.Detail} {
		if _, to := indexFold(text, word, false); to > 0 {
			return 2000, nil
		}
	}
	m := fuzzy.Find(word, []string{item.Title})
	if len(m) == 0 || utf8.RuneCountInString(word) < 2 {
		return 0, nil
	}
	var hits [][2]int
	for _, at := range m[0].MatchedIndexes {
		_, size := utf8.DecodeRuneInString(item.Title[at:])
		hits = append(hits, [2]int{at, at + size})
	}
	return min(max(1000+m[0].Score, 1), 1999), hits
}

// indexFold returns where word is in s, letter case aside; to is 0 when it is
// nowhere. With start it must follow a blank, a sign or nothing.
func indexFold(s, word string, start bool) (from, to int) {
	n := utf8.RuneCountInString(word)
	prev := ' '
	for i, r := range s {
		if !start || strings.ContainsRune(" -_./:(", prev) {
			if end := i + prefixLen(s[i:], n); end > i && strings.EqualFold(s[i:end], word) {
				return i, end
			}
		}
		prev = r
	}
	return 0, 0
}

// prefixLen returns the bytes of the first n characters, 0 when there are fewer.
func prefixLen(s string, n int) int {
	count := 0
	for i := range s {
		if count == n {
			return i
		}
		count++
	}
	if count == n {
		return len(s)
	}
	return 0
}
