package sqlstore

import (
	"slices"
	"strconv"
	"strings"

	"confab/history"
)

// The kinds of rows that the full-text index holds, which are the names of their tables without the "s".
const (
	SessionRows = "session"
	TurnRows    = "turn"
	AnswerRows  = "answer"
)

// IndexEntry is what the full-text index holds of a row: its texts, and the words that it is filtered by.
type IndexEntry struct {
	Kind        string
	ID          int64
	Texts       []string
	FilterWords string // see filterWords
}

// indexedBytes bounds what of one text is searched, so that a text of many megabytes does not hold up every other
// writer.
const indexedBytes = 1 << 20

// Indexed returns the part of a text that is searched.
func Indexed(text string) string { return text[:min(len(text), indexedBytes)] }

// isEmpty tells whether there is nothing to search in an entry; such a one is not in the index.
func (e IndexEntry) isEmpty() bool { return strings.Join(e.Texts, "") == "" }

// AddToIndex adds an entry to the index.
func (tx *Tx) AddToIndex(e IndexEntry) {
	if !e.isEmpty() {
		tx.store.db.AddToIndex(tx, e)
	}
}

// RemoveFromIndex takes an entry out of the index. It must hold what was added; an empty one is not there.
func (tx *Tx) RemoveFromIndex(e IndexEntry) {
	if !e.isEmpty() {
		tx.store.db.RemoveFromIndex(tx, e)
	}
}

// updateIndex replaces an entry by another of the same row.
func (tx *Tx) updateIndex(old, now IndexEntry) {
	if old.FilterWords == now.FilterWords && slices.Equal(old.Texts, now.Texts) {
		return
	}
	tx.RemoveFromIndex(old)
	tx.AddToIndex(now)
}

// modelToken and kindToken return the words that rows are filtered by. They begin with a character of no language, and
// spell what is not a letter.
func modelToken(model string) string { return "\uE000m" + encodeToken(model) }

func kindToken(k history.ModelKind) string { return "\uE000k" + encodeToken(string(k)) }

func encodeToken(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c >= 'a' && c <= 'z' && c != 'x' || c >= '0' && c <= '9' {
			b.WriteByte(c)
		} else {
			b.WriteString("x" + strconv.FormatInt(int64(c)+256, 16))
		}
	}
	return b.String()
}

// filterWords are the words that a turn with these answers is filtered by.
func filterWords(answers []history.Answer) string {
	var words []string
	for _, a := range answers {
		for _, w := range []string{modelToken(a.Model), kindToken(a.Kind)} {
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	return strings.Join(words, " ")
}

// ReadIndexEntries reads what the index holds of the turns or answers in a range of ids, at most so many.
func (tx *Tx) ReadIndexEntries(kind string, from, to int64, limit int) []IndexEntry {
	query := `select id, prompt, system, facts, '', '' from turns where id between ? and ? order by id limit ?`
	if kind == AnswerRows {
		query = `select id, answer, note, model, kind, state from answers where id between ? and ? order by id limit ?`
	}
	return SelectRows(tx, func(row Scanner) IndexEntry {
		var id int64
		var one, other, facts string
		var k history.ModelKind
		var state history.State
		row(&id, &one, &other, &facts, &k, &state)
		if kind == AnswerRows {
			return answerEntry(history.Answer{ID: id, Text: one, Note: other, Model: facts, Kind: k, State: state})
		}
		return turnEntry(id, one, other, facts)
	}, query, from, to, limit)
}
