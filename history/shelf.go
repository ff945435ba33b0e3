package history

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
)

// The full-text index lies on shelves: one contentless FTS5 table per kind and
// 32768 ids. Newest first, a search ends on the newest shelf that holds enough,
// so that a letter typed costs the same with a million answers as with some
// thousand; and taking a large session out of the index, which FTS5 does word by
// word at a millisecond for a few, is done by filling its shelves anew.
//
// The names of kinds are those of the shelves table and never change.
const (
	sessionShelf = "session"
	turnShelf    = "turn"
	answerShelf  = "answer"
)

// shelfBits says how many ids share a shelf; changing it takes a migration.
const shelfBits = 15

// columnsOf are the searched columns of the shelves of a kind. The column
// "facts" beside them holds one word per model and kind, for filtering.
func columnsOf(kind string) []string {
	switch kind {
	case sessionShelf:
		return []string{"name"}
	case turnShelf:
		return []string{"prompt", "system"}
	default:
		return []string{"answer", "note"}
	}
}

// entry is a row of the index: the texts of the columns of its kind, and facts.
type entry struct {
	kind  string
	id    int64
	texts []string
	facts string
}

func shelfName(kind string, number int64) string {
	return kind + "_words_" + strconv.FormatInt(number, 10)
}

// indexedBytes bounds what of one text is searched, so that a text of many
// megabytes does not hold up every other writer.
const indexedBytes = 1 << 20

// values are what the index is given for an entry; the same for adding it and
// for taking it out.
func (e entry) values() []any {
	vs := make([]any, 0, len(e.texts)+2)
	vs = append(vs, e.id)
	for _, t := range e.texts {
		vs = append(vs, spaced(t[:min(len(t), indexedBytes)]))
	}
	return append(vs, e.facts)
}

// blank tells whether there is nothing to search in an entry; such a one is not
// in the index.
func (e entry) blank() bool { return strings.Join(e.texts, "") == "" }

// shelve adds an entry to the index, making its shelf when it is the first.
func shelve(ctx context.Context, tx *sql.Tx, e entry) error {
	if e.blank() {
		return nil
	}
	number := e.id >> shelfBits
	res, err := tx.ExecContext(ctx, `insert or ignore into shelves (kind, number) values (?, ?)`, e.kind, number)
	if err != nil {
		return err
	}
	added, err := res.RowsAffected()
	if err != nil {
		return err
	}
	name, columns := shelfName(e.kind, number), columnsOf(e.kind)
	if added > 0 {
		_, err := tx.ExecContext(ctx, `create virtual table `+name+` using fts5(`+strings.Join(columns, ", ")+`, facts,
				content='', prefix='2 3', tokenize='unicode61 remove_diacritics 2');
			insert into `+name+` (`+name+`, rank) values ('secure-delete', 1);`)
		if err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `insert into `+name+` (rowid, `+strings.Join(columns, ", ")+`, facts) values (?`+strings.Repeat(", ?", len(columns)+1)+`)`, e.values()...)
	return err
}

// unshelve takes an entry out of the index. It must hold what was added.
func unshelve(ctx context.Context, tx *sql.Tx, e entry) error {
	if e.blank() {
		return nil
	}
	name, columns := shelfName(e.kind, e.id>>shelfBits), columnsOf(e.kind)
	_, err := tx.ExecContext(ctx, `insert into `+name+` (`+name+`, rowid, `+strings.Join(columns, ", ")+`, facts) values ('delete', ?`+strings.Repeat(", ?", len(columns)+1)+`)`, e.values()...)
	return err
}

// reshelve replaces an entry by another of the same row.
func reshelve(ctx context.Context, tx *sql.Tx, old, now entry) error {
	if old.facts == now.facts && strings.Join(old.texts, "\xff") == strings.Join(now.texts, "\xff") {
		return nil
	}
	if err := unshelve(ctx, tx, old); err != nil {
		return err
	}
	return shelve(ctx, tx, now)
}

// shelves lists the numbers of the shelves of a kind, the newest first.
func shelves(ctx context.Context, tx *sql.Tx, kind string) ([]int64, error) {
	var numbers []int64
	rows, err := tx.QueryContext(ctx, `select number from shelves where kind = ? order by number desc`, kind)
	err = each(rows, err, func() error {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return err
		}
		numbers = append(numbers, n)
		return nil
	})
	return numbers, err
}

// modelFact and kindFact are the words of the facts column. They begin with a
// character of no language, and spell what is not a letter.
func modelFact(model string) string { return "\uE000m" + spelled(model) }

func kindFact(k Kind) string { return "\uE000k" + spelled(string(k)) }

func spelled(s string) string {
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

// factsOf are the facts of a turn with these answers.
func factsOf(answers []Answer) string {
	var words []string
	seen := map[string]bool{}
	for _, a := range answers {
		for _, w := range []string{modelFact(a.Model), kindFact(a.Kind)} {
			if !seen[w] {
				seen[w] = true
				words = append(words, w)
			}
		}
	}
	return strings.Join(words, " ")
}

// addFacts returns the facts with those of further answers.
func addFacts(facts string, answers []Answer) string {
	for f := range strings.FieldsSeq(factsOf(answers)) {
		if !strings.Contains(" "+facts+" ", " "+f+" ") {
			facts = strings.TrimSpace(facts + " " + f)
		}
	}
	return facts
}
