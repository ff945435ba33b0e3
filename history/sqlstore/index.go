package sqlstore

import (
	"slices"
	"strconv"
	"strings"

	"confab/history"
)

// The kinds of rows in the full-text index: the names of their tables without the "s".
const (
	SessionRows = "session"
	TurnRows    = "turn"
	AnswerRows  = "answer"
)

// IndexEntry is the full-text index entry of a row: its texts, and the words by which it is filtered.
type IndexEntry struct {
	Kind        string
	ID          int64
	Texts       []string
	FilterWords string // see filterWords
}

// indexedBytes bounds the searched part of one text, so that a text of many megabytes does not delay all other
// writers.
const indexedBytes = 1 << 20

// Indexed returns the part of a text that is searched.
func Indexed(text string) string { return text[:min(len(text), indexedBytes)] }

// isEmpty reports whether an entry has no text. The index holds no empty entries.
func (e IndexEntry) isEmpty() bool { return strings.Join(e.Texts, "") == "" }

// AddToIndex adds an entry to the index.
func (tx *Tx) AddToIndex(e IndexEntry) {
	if !e.isEmpty() {
		tx.store.db.AddToIndex(tx, e)
	}
}

// RemoveFromIndex removes an entry from the index. The entry must equal the added one; an empty one is ignored.
func (tx *Tx) RemoveFromIndex(e IndexEntry) {
	if !e.isEmpty() {
		tx.store.db.RemoveFromIndex(tx, e)
	}
}

// updateIndex replaces the entry of a row.
func (tx *Tx) updateIndex(old, now IndexEntry) {
	if old.FilterWords == now.FilterWords && slices.Equal(old.Texts, now.Texts) {
		return
	}
	tx.RemoveFromIndex(old)
	tx.AddToIndex(now)
}

// modelToken and kindToken return the words by which rows are filtered. They begin with a private-use character and
// spell out characters that are not letters.
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

// filterWords returns the words by which a turn with these answers is filtered.
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

// ReadIndexEntries reads the index entries of at most so many turns or answers in a range of ids.
func (tx *Tx) ReadIndexEntries(kind string, from, to int64, limit int) []IndexEntry {
	query := `select id, prompt, system, facts, '', '' from turns where id between ? and ? order by id limit ?`
	if kind == AnswerRows {
		query = `select id, answer, note, model, kind, state from answers where id between ? and ? order by id limit ?`
	}
	return selectRows(tx, func(row Scanner) IndexEntry {
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
