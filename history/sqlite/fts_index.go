package sqlite

import (
	"slices"
	"strconv"
	"strings"

	"confab/history"
)

// The full-text index lies in partitions: one contentless FTS5 table per kind and 32768 ids. Newest first, a search
// ends on the newest partition that holds enough, so that a letter typed costs the same with a million answers as with
// some thousand; and taking a large session out of the index, which FTS5 does word by word at a millisecond for a few,
// is done by filling its partitions anew.
//
// The names of kinds are stored in the table "shelves", the schema's word for the partitions, and never change.
const (
	ftsSessions = "session"
	ftsTurns    = "turn"
	ftsAnswers  = "answer"
)

// ftsPartitionBits says how many ids share a partition; changing it takes a migration.
const ftsPartitionBits = 15

// ftsColumns are the searched columns of the partitions of a kind. The column
// "facts" beside them holds one word per model and kind, for filtering.
func ftsColumns(kind string) []string {
	switch kind {
	case ftsSessions:
		return []string{"name"}
	case ftsTurns:
		return []string{"prompt", "system"}
	default:
		return []string{"answer", "note"}
	}
}

// ftsEntry is a row of the index: the texts of the columns of its kind, and the words of the column "facts".
type ftsEntry struct {
	kind   string
	id     int64
	texts  []string
	tokens string
}

func ftsTable(kind string, number int64) string {
	return kind + "_words_" + strconv.FormatInt(number, 10)
}

// indexedBytes bounds what of one text is searched, so that a text of many
// megabytes does not hold up every other writer.
const indexedBytes = 1 << 20

// columnValues are what the index is given for an entry; the same for adding it and for taking it out.
func (e ftsEntry) columnValues() []any {
	vs := make([]any, 0, len(e.texts)+2)
	vs = append(vs, e.id)
	for _, t := range e.texts {
		vs = append(vs, history.SegmentWords(t[:min(len(t), indexedBytes)]))
	}
	return append(vs, e.tokens)
}

// isEmpty tells whether there is nothing to search in an entry; such a one is not in the index.
func (e ftsEntry) isEmpty() bool { return strings.Join(e.texts, "") == "" }

// addToIndex adds an entry to the index, making its partition when it is the first.
func (tx *transaction) addToIndex(e ftsEntry) {
	if e.isEmpty() {
		return
	}
	number := e.id >> ftsPartitionBits
	name, columns := ftsTable(e.kind, number), ftsColumns(e.kind)
	if tx.execute(`insert or ignore into shelves (kind, number) values (?, ?)`, e.kind, number) > 0 {
		tx.execute(`create virtual table ` + name + ` using fts5(` + strings.Join(columns, ", ") + `, facts,
				content='', prefix='2 3', tokenize='unicode61 remove_diacritics 2');
			insert into ` + name + ` (` + name + `, rank) values ('secure-delete', 1);`)
	}
	tx.execute(`insert into `+name+` (rowid, `+strings.Join(columns, ", ")+`, facts)
		values (`+placeholders(len(columns)+2)+`)`, e.columnValues()...)
}

// removeFromIndex takes an entry out of the index. It must hold what was added.
func (tx *transaction) removeFromIndex(e ftsEntry) {
	if e.isEmpty() {
		return
	}
	name, columns := ftsTable(e.kind, e.id>>ftsPartitionBits), ftsColumns(e.kind)
	tx.execute(`insert into `+name+` (`+name+`, rowid, `+strings.Join(columns, ", ")+`, facts)
		values ('delete', `+placeholders(len(columns)+2)+`)`, e.columnValues()...)
}

// updateIndex replaces an entry by another of the same row.
func (tx *transaction) updateIndex(old, now ftsEntry) {
	if old.tokens == now.tokens && slices.Equal(old.texts, now.texts) {
		return
	}
	tx.removeFromIndex(old)
	tx.addToIndex(now)
}

// modelToken and kindToken return the words of the facts column. They begin with a
// character of no language, and spell what is not a letter.
func modelToken(model string) string { return "\uE000m" + encodeToken(model) }

func kindToken(k history.Kind) string { return "\uE000k" + encodeToken(string(k)) }

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

// filterTokens are the facts of a turn with these answers.
func filterTokens(answers []history.Answer) string {
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
