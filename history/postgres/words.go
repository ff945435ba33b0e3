package postgres

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"confab/history"
	"confab/history/sqlstore"
)

// The bounds of a tsvector. Words of very long texts beyond them are found by reading the texts.
const (
	maxPosition      = 16383   // the greatest position of a word
	maxPositions     = 256     // per word
	maxWordBytes     = 1000    // per word without the owner's letters; longer words are cut
	maxTsvectorBytes = 900_000 // of all words together
)

// cutToken marks an index entry that lacks positions of words.
const cutToken = "\uE000l"

// scopeOf returns letters that precede every word of an owner. Owners may share them, because they only speed up
// searches.
func scopeOf(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return base64.RawURLEncoding.EncodeToString(sum[:3])
}

// scopeIn returns the letters of the owner whose rows a transaction reads.
func (d *database) scopeIn(tx *sqlstore.Tx) string {
	if tx.Owner() != "" {
		return scopeOf(tx.Owner())
	}
	return d.scope
}

// lexeme returns a word with its owner's letters, quoted for tsvector and tsquery.
func lexeme(scope, word string) string {
	if len(word) > maxWordBytes {
		word = word[:maxWordBytes]
		for !utf8.ValidString(word) {
			word = word[:len(word)-1]
		}
	}
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(scope+word) + "'"
}

// tsvector returns an index entry.
func (d *database) tsvector(e sqlstore.IndexEntry) string {
	positions := map[string][]string{}
	isCut, at, size := false, 0, 0
	for _, text := range e.Texts {
		for word := range history.IndexWords(sqlstore.Indexed(text)) {
			at++
			lexeme := lexeme(d.scope, word)
			known, ok := positions[lexeme]
			switch {
			case !ok && size > maxTsvectorBytes:
				isCut = true
				continue
			case !ok:
				size += len(lexeme)
			}
			if at > maxPosition || len(known) == maxPositions {
				isCut = true
				positions[lexeme] = known
				continue
			}
			size += 2
			positions[lexeme] = append(known, strconv.Itoa(at))
		}
		at++ // a gap that no phrase crosses
	}
	var b strings.Builder
	for _, lexeme := range slices.Sorted(maps.Keys(positions)) {
		b.WriteString(lexeme)
		if p := positions[lexeme]; len(p) > 0 {
			b.WriteString(":" + strings.Join(p, ","))
		}
		b.WriteByte(' ')
	}
	tokens := strings.Fields(e.FilterWords)
	if isCut {
		tokens = append(tokens, cutToken)
	}
	for _, token := range tokens {
		b.WriteString(lexeme(d.scope, token) + " ")
	}
	return b.String()
}

// tsquery returns a query that requires all terms of a text, and one of each list of tokens.
func tsquery(scope string, m history.TextMatcher, tokens [][]string) string {
	var all []string
	for _, t := range m.Terms {
		var words []string
		for _, word := range t.FoldedWords() {
			words = append(words, lexeme(scope, word))
		}
		if t.IsPrefix {
			words[len(words)-1] += ":*"
		}
		term := strings.Join(words, " <-> ")
		if len(words) > 1 {
			term += " | " + strings.Join(words, " & ") + " & " + lexeme(scope, cutToken)
		}
		all = append(all, "("+term+")")
	}
	for _, list := range tokens {
		var words []string
		for _, token := range list {
			words = append(words, lexeme(scope, token))
		}
		all = append(all, "("+strings.Join(words, " | ")+")")
	}
	return strings.Join(all, " & ")
}

// AddToIndex implements [sqlstore.Database].
func (d *database) AddToIndex(tx *sqlstore.Tx, e sqlstore.IndexEntry) {
	tx.Execute(`insert into words (kind, id, words) values (?, ?, ?::text::tsvector)`, e.Kind, e.ID, d.tsvector(e))
}

// RemoveFromIndex implements [sqlstore.Database].
func (d *database) RemoveFromIndex(tx *sqlstore.Tx, e sqlstore.IndexEntry) {
	tx.Execute(`delete from words where kind = ? and id = ?`, e.Kind, e.ID)
}

// purgeStep is the number of rows purged per transaction, to let others write in between.
const purgeStep = 500

// PurgeBatch implements [sqlstore.Database].
func (d *database) PurgeBatch(tx *sqlstore.Tx, kind, where string, ref int64) sqlstore.PurgeBatch {
	ids := sqlstore.SelectColumn[int64](tx,
		`select id from `+kind+`s where `+where+` order by id limit `+strconv.Itoa(purgeStep), ref)
	return sqlstore.PurgeBatch{IDs: ids, AfterDelete: func() {}, BeforeDelete: func() {
		tx.Execute(`delete from words where kind = ? and id`+sqlstore.InList(ids), kind)
	}}
}

// The batch sizes of Matches. A larger query would run to its end even when the caller stops early.
const (
	firstBatch = 50 // the usual number of results
	maxBatch   = 20_000
)

// Common words are found fastest in the newest rows, others by the index, whose cost grows with the number of
// matches. So the newest rows are read until fewer than one in rareRow matches, up to a maximum. With filter words it
// is one in rareFiltered, because the index then compares long lists.
const (
	firstLook    = 1000
	maxLook      = 7_000
	rareRow      = 50
	rareFiltered = 100
)

// If more than one of commonRow rows has a word, sessions with it are found fastest in the newest turns of each
// session, the last used first.
const (
	commonRow     = 30
	turnsLookedAt = "1000"
	sessionRows   = 10_000 // number of rows to read for a word that fewer rows have,
	maxChunk      = 500    // in chunks, as most are in other sessions
)

// Matches implements [sqlstore.Database].
func (d *database) Matches(tx *sqlstore.Tx, src sqlstore.RowSource, m history.TextMatcher,
	columns string) iter.Seq[sqlstore.Scanner] {
	return func(yield func(sqlstore.Scanner) bool) {
		s := rowStream{d: d, tx: tx, src: src, matcher: m, columns: columns, yield: yield, below: math.MaxInt64}
		s.run()
	}
}

// run yields the matching rows.
func (s *rowStream) run() {
	src := s.src
	if len(s.matcher.Terms) == 0 {
		s.each(func(size int) []int64 {
			return sqlstore.SelectColumn[int64](s.tx, fmt.Sprintf(`select %s from %s %s where %s and %s < %d
				order by %s desc limit %d`, src.ID, src.Table, src.Joins, src.Where.String(), src.ID, s.below, src.ID, size),
				src.Where.Args...)
		})
		return
	}
	query := tsquery(s.d.scopeIn(s.tx), s.matcher, src.FilterWords)
	switch more := s.recent(query); {
	case !more:
	case s.isCommon:
		s.rows(s.inSessions(query))
	default:
		narrow := tsquery(s.d.scopeIn(s.tx), withoutShortPrefixes(s.matcher), src.FilterWords)
		next := func(size int) []int64 {
			return sqlstore.SelectColumn[int64](s.tx, `select search_narrowed(?, ?::text::tsquery, ?::text::tsquery, ?, ?)`,
				src.Kind, narrow, query, s.below, size)
		}
		if src.Sessions > 0 {
			for ids := range slices.Chunk(next(sessionRows), maxChunk) {
				if s.rows(ids); s.isEnded {
					break
				}
			}
			return
		}
		s.each(next)
	}
}

// shortPrefix is the length in characters of prefixes that match too many words to look up.
const shortPrefix = 2

// withoutShortPrefixes drops an incomplete short word unless it is the only term.
func withoutShortPrefixes(m history.TextMatcher) history.TextMatcher {
	terms := slices.DeleteFunc(slices.Clone(m.Terms), func(t history.Term) bool {
		words := t.FoldedWords()
		return t.IsPrefix && len(words) == 1 && utf8.RuneCountInString(words[0]) <= shortPrefix
	})
	if len(terms) > 0 {
		m.Terms = terms
	}
	return m
}

// rowStream is the state of an iteration over matches.
type rowStream struct {
	d       *database
	tx      *sqlstore.Tx
	src     sqlstore.RowSource
	matcher history.TextMatcher
	columns string
	yield   func(sqlstore.Scanner) (more bool)
	below   int64 // rows with this id and greater ones were yielded
	isEnded bool  // the caller stopped the iteration
	// isCommon reports that sessions are searched and most of them match, judging by the newest rows.
	isCommon bool
}

// recent yields the matches among the newest rows. It returns false if no older rows remain.
func (s *rowStream) recent(query string) (more bool) {
	looked, found, rare := 0, 0, rareRow
	if len(s.src.FilterWords) > 0 {
		rare = rareFiltered
	}
	for look, wanted := firstLook, firstBatch; looked < maxLook; look, wanted = 2*look, 4*wanted {
		// The planner evaluates the argument of unnest to estimate its rows, unless the call is hidden from it.
		ids := sqlstore.SelectColumn[int64](s.tx, `select unnest(ids)
			from (select search_recent(?, ?::text::tsquery, ?, ?, ?) as ids offset 0) as recent`,
			s.src.Kind, query, s.below, look, wanted)
		if len(ids) == 0 { // the transaction failed
			return false
		}
		s.below, ids = ids[0], ids[1:]
		looked, found = looked+look, found+len(ids)
		if s.isCommon = s.src.Sessions > 0 && found*commonRow >= looked; s.isCommon {
			return true
		}
		s.rows(ids)
		switch {
		case s.isEnded || s.below == 0:
			return false
		case found*rare < looked:
			return true
		}
	}
	return true
}

// inSessions returns the newest match of each of the sessions used last.
func (s *rowStream) inSessions(query string) []int64 {
	args := append(append([]any{s.src.Kind}, s.src.Where.Args...), query, s.src.Sessions)
	return sqlstore.SelectColumn[int64](s.tx, `select m.id from
		(select id, touched, coalesce((select n.id from turns n where n.session = sessions.id order by n.id desc
			offset `+turnsLookedAt+` limit 1), 0) as since from sessions where trash = 0) o
		join lateral (select `+s.src.ID+` as id from `+s.src.Table+` `+s.src.Joins+`
			join words w on w.kind = ? and w.id = `+s.src.ID+`
			where `+s.src.Where.String()+` and t.session = o.id and t.id > o.since and (w.words @@ ?::text::tsquery) is true
			order by t.id desc, `+s.src.ID+` desc limit 1) m on true
		order by o.touched desc limit ?`, args...)
}

// each yields the rows of the ids that next returns, in batches of growing size.
func (s *rowStream) each(next func(size int) []int64) {
	for size := firstBatch; !s.isEnded; size = min(4*size, maxBatch) {
		ids := next(size)
		s.rows(ids)
		if len(ids) < size {
			return
		}
		s.below = ids[len(ids)-1]
	}
}

// rows yields the rows with these ids that match the filters.
func (s *rowStream) rows(ids []int64) {
	ids = s.d.withoutFalseMatches(s.tx, s.src.Kind, s.matcher, slices.Clone(ids))
	if len(ids) == 0 {
		return
	}
	for row := range s.tx.Rows(`select `+s.columns+` from `+s.src.Table+` `+s.src.Joins+`
		where `+s.src.Where.String()+` and `+s.src.ID+` = any(?)
		order by `+s.src.ID+` desc`+s.src.Order, append(slices.Clip(s.src.Where.Args), ids)...) {
		if s.isEnded = !s.yield(row); s.isEnded {
			return
		}
	}
}

// withoutFalseMatches drops rows that contain the words of a phrase, but not in a row, where the index lacks
// positions.
func (d *database) withoutFalseMatches(tx *sqlstore.Tx, kind string, m history.TextMatcher, ids []int64) []int64 {
	isPhrase := func(t history.Term) bool { return len(t.Words) > 1 }
	if !slices.ContainsFunc(m.Terms, isPhrase) || kind == sqlstore.SessionRows {
		return ids
	}
	uncertain := sqlstore.SelectColumn[int64](tx, `select id from words
		where kind = ? and id`+sqlstore.InList(ids)+` and words @@ ?::text::tsquery`, kind, lexeme(d.scopeIn(tx), cutToken))
	return slices.DeleteFunc(ids, func(id int64) bool {
		if !slices.Contains(uncertain, id) {
			return false
		}
		for _, e := range tx.ReadIndexEntries(kind, id, id, 1) {
			for _, t := range m.Terms {
				term := history.TextMatcher{Terms: []history.Term{t}}
				if !slices.ContainsFunc(e.Texts, func(text string) bool { return len(term.Matches(text, 0)) > 0 }) {
					return true
				}
			}
		}
		return false
	})
}
