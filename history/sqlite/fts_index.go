package sqlite

import (
	"iter"
	"strconv"
	"strings"

	"confab/history"
	"confab/history/sqlstore"
)

// The full-text index is partitioned: one contentless FTS5 table per kind and 32768 ids. A search reads the newest
// partitions until it has enough results, so a typed letter costs the same with a million answers as with some
// thousand. Removing a large session by refilling its partitions is cheap; FTS5 removes single rows word by word, at
// a millisecond for a few words.
//
// The table of partitions is called "shelves" in the schema. Its names of kinds never change.

// ftsPartitionBits is the number of bits of an id within a partition. Changing it requires a migration.
const ftsPartitionBits = 15

// ftsColumns returns the searched columns of a kind. The additional column "facts" holds one word per model and kind
// for filtering.
func ftsColumns(kind string) []string {
	switch kind {
	case sqlstore.SessionRows:
		return []string{"name"}
	case sqlstore.TurnRows:
		return []string{"prompt", "system"}
	default:
		return []string{"answer", "note"}
	}
}

func ftsTable(kind string, number int64) string {
	return kind + "_words_" + strconv.FormatInt(number, 10)
}

// ftsValues returns the values of an entry for the index, the same for adding and removing it.
func ftsValues(e sqlstore.IndexEntry) []any {
	vs := make([]any, 0, len(e.Texts)+2)
	vs = append(vs, e.ID)
	for _, t := range e.Texts {
		vs = append(vs, history.SegmentWords(sqlstore.Indexed(t)))
	}
	return append(vs, e.FilterWords)
}

// AddToIndex implements [sqlstore.Database]. It creates the partition of an entry if necessary.
func (d *database) AddToIndex(tx *sqlstore.Tx, e sqlstore.IndexEntry) {
	number := e.ID >> ftsPartitionBits
	name, columns := ftsTable(e.Kind, number), ftsColumns(e.Kind)
	if tx.Execute(`insert or ignore into shelves (kind, number) values (?, ?)`, e.Kind, number) > 0 {
		tx.Execute(createPartition(e.Kind, number))
	}
	tx.Execute(`insert into `+name+` (rowid, `+strings.Join(columns, ", ")+`, facts)
		values (?`+strings.Repeat(", ?", len(columns)+1)+`)`, ftsValues(e)...)
}

// createPartition returns the statement that creates a partition. [checkSchema] accepts no other tables of the index.
func createPartition(kind string, number int64) string {
	name := ftsTable(kind, number)
	return `create virtual table ` + name + ` using fts5(` + strings.Join(ftsColumns(kind), ", ") + `, facts,
				content='', prefix='2 3', tokenize='unicode61 remove_diacritics 2');
			insert into ` + name + ` (` + name + `, rank) values ('secure-delete', 1);`
}

// RemoveFromIndex implements [sqlstore.Database].
func (d *database) RemoveFromIndex(tx *sqlstore.Tx, e sqlstore.IndexEntry) {
	name, columns := ftsTable(e.Kind, e.ID>>ftsPartitionBits), ftsColumns(e.Kind)
	tx.Execute(`insert into `+name+` (`+name+`, rowid, `+strings.Join(columns, ", ")+`, facts)
		values ('delete', ?`+strings.Repeat(", ?", len(columns)+1)+`)`, ftsValues(e)...)
}

// Matches implements [sqlstore.Database].
func (d *database) Matches(tx *sqlstore.Tx, src sqlstore.RowSource, m history.TextMatcher,
	columns string) iter.Seq[sqlstore.Scanner] {
	if len(m.Terms) == 0 {
		return tx.Rows(`select `+columns+` from `+src.Table+` `+src.Joins+`
			where `+src.Where.String()+` order by `+src.ID+` desc`+src.Order, src.Where.Args...)
	}
	match := matchExpression(m, ftsColumns(src.Kind), src.FilterWords)
	return func(yield func(sqlstore.Scanner) bool) {
		for _, number := range sqlstore.SelectColumn[int64](tx,
			`select number from shelves where kind = ? order by number desc`, src.Kind) {
			table := ftsTable(src.Kind, number)
			for row := range tx.Rows(`select `+columns+`
				from `+table+` f cross join `+src.Table+` on `+src.ID+` = f.rowid `+src.Joins+`
				where f.`+table+` match ? and `+src.Where.String()+`
				order by f.rowid desc`+src.Order, append([]any{match}, src.Where.Args...)...) {
				if !yield(row) {
					return
				}
			}
		}
	}
}

// matchExpression returns an FTS5 expression that requires all terms in the columns, and one of each list of tokens.
// It quotes all typed text, so that none of it is syntax.
func matchExpression(m history.TextMatcher, columns []string, tokens [][]string) string {
	terms := make([]string, len(m.Terms))
	for i, t := range m.Terms {
		terms[i] = `"` + history.SegmentWords(strings.Join(t.Words, " ")) + `"`
		if t.IsPrefix {
			terms[i] += " *"
		}
	}
	match := "{" + strings.Join(columns, " ") + "} : (" + strings.Join(terms, " ") + ")"
	for _, list := range tokens {
		match += ` AND facts : ("` + strings.Join(list, `" OR "`) + `")`
	}
	return match
}

// Removing a row from a partition takes FTS5 tens of milliseconds, because it rewrites the page of every word; adding
// one takes a fraction of a millisecond. So a partition that loses many rows is refilled.
const (
	purgeStep  = 20  // rows per transaction, to let others write in between
	refillFrom = 8   // minimum of removed rows for refilling
	refillGain = 300 // rows that can be added in the time of removing one
)

// PurgeBatch implements [sqlstore.Database]. It selects rows of one partition.
func (d *database) PurgeBatch(tx *sqlstore.Tx, kind, where string, ref int64) sqlstore.PurgeBatch {
	ids := idsInFirstPartition(tx, kind, where, ref)
	if len(ids) == 0 {
		return sqlstore.PurgeBatch{}
	}
	from := ids[0] >> ftsPartitionBits << ftsPartitionBits
	to := from + 1<<ftsPartitionBits - 1
	if len(ids) >= refillFrom {
		all := sqlstore.SelectValue[int](tx, `select count(*) from `+kind+`s where id between ? and ?`, from, to)
		if all-len(ids) < len(ids)*refillGain {
			return sqlstore.PurgeBatch{IDs: ids, BeforeDelete: func() {},
				AfterDelete: func() { d.refillPartition(tx, kind, from, to) }}
		}
	}
	ids = ids[:min(len(ids), purgeStep)]
	return sqlstore.PurgeBatch{IDs: ids, AfterDelete: func() {}, BeforeDelete: func() {
		for _, id := range ids {
			for _, e := range tx.ReadIndexEntries(kind, id, id, 1) {
				tx.RemoveFromIndex(e)
			}
		}
	}}
}

// idsInFirstPartition returns the rows in the partition of the first row.
func idsInFirstPartition(tx *sqlstore.Tx, kind, where string, ref int64) (ids []int64) {
	for row := range tx.Rows(`select id from `+kind+`s where `+where+` order by id`, ref) {
		var id int64
		row(&id)
		if len(ids) > 0 && id>>ftsPartitionBits != ids[0]>>ftsPartitionBits {
			break
		}
		ids = append(ids, id)
	}
	return ids
}

// refillPartition empties the partition of a range of ids and adds its remaining rows again.
func (d *database) refillPartition(tx *sqlstore.Tx, kind string, from, to int64) {
	number := from >> ftsPartitionBits
	if !sqlstore.SelectValue[bool](tx, `select exists (select 1 from shelves where kind = ? and number = ?)`, kind,
		number) {
		return // rows without a text need no partition
	}
	name := ftsTable(kind, number)
	tx.Execute(`insert into ` + name + ` (` + name + `) values ('delete-all')`)
	for {
		entries := tx.ReadIndexEntries(kind, from, to, 200)
		if len(entries) == 0 {
			return
		}
		for _, e := range entries {
			tx.AddToIndex(e)
		}
		from = entries[len(entries)-1].ID + 1
	}
}
