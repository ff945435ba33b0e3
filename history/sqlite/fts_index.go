package sqlite

import (
	"iter"
	"strconv"
	"strings"

	"confab/history"
	"confab/history/sqlstore"
)

// The full-text index lies in partitions: one contentless FTS5 table per kind and 32768 ids. Newest first, a search
// ends on the newest partition that holds enough, so that a letter typed costs the same with a million answers as with
// some thousand; and taking a large session out of the index, which FTS5 does word by word at a millisecond for a few,
// is done by filling its partitions anew.
//
// The names of kinds are stored in the table "shelves", the schema's word for the partitions, and never change.

// ftsPartitionBits says how many ids share a partition; changing it takes a migration.
const ftsPartitionBits = 15

// ftsColumns are the searched columns of the partitions of a kind. The column
// "facts" beside them holds one word per model and kind, for filtering.
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

// ftsValues are what the index is given for an entry; the same for adding it and for taking it out.
func ftsValues(e sqlstore.IndexEntry) []any {
	vs := make([]any, 0, len(e.Texts)+2)
	vs = append(vs, e.ID)
	for _, t := range e.Texts {
		vs = append(vs, history.SegmentWords(sqlstore.Indexed(t)))
	}
	return append(vs, e.FilterWords)
}

// AddToIndex implements [sqlstore.Database]. It makes the partition of an entry when it is the first in it.
func (d *database) AddToIndex(tx *sqlstore.Tx, e sqlstore.IndexEntry) {
	number := e.ID >> ftsPartitionBits
	name, columns := ftsTable(e.Kind, number), ftsColumns(e.Kind)
	if tx.Execute(`insert or ignore into shelves (kind, number) values (?, ?)`, e.Kind, number) > 0 {
		tx.Execute(createPartition(e.Kind, number))
	}
	tx.Execute(`insert into `+name+` (rowid, `+strings.Join(columns, ", ")+`, facts)
		values (?`+strings.Repeat(", ?", len(columns)+1)+`)`, ftsValues(e)...)
}

// createPartition is the statement that makes a partition. [checkSchema] knows no other than the ones it makes.
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

// matchExpression writes the terms of a text for FTS5: every one must occur in the columns, and one of each list of
// tokens. Whatever was typed stands within quotes, so that none of it is syntax.
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

// Taking a row out of a partition for good costs FTS5 tens of milliseconds, because every word of it is looked up and
// its page written; putting one in costs a fraction of one. So a partition that loses many rows is filled anew.
const (
	purgeStep  = 20  // rows that go in one transaction, to let others write between
	refillFrom = 8   // rows from which filling anew is thought of
	refillGain = 300 // rows that are put in at the cost of taking one out
)

// PurgeBatch implements [sqlstore.Database]. It chooses rows of one partition.
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

// idsInFirstPartition returns the rows that lie in the same partition as the first one.
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

// refillPartition empties the partition of some ids and puts in again what is to be found in it.
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
