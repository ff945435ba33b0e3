package sqlstore

import (
	"crypto/sha256"
	"database/sql/driver"
	"fmt"
	"iter"
	"reflect"
	"strconv"

	"confab/history"
)

// This file lists the tables of a history for copying. TestEveryColumnIsCopied fails for a missing table or column.

// table is a table that holds rows of a user's history. Its first column names a row.
type table struct {
	name   string
	newRow func() row
}

// row is a row of a table with the fields of its columns.
type row struct {
	columns []column
	entry   func() IndexEntry // its full-text index entry; nil for none
}

// tables returns the tables of a history in an order in which referenced rows come first.
func tables() []table {
	return []table{
		{"sessions", newSessionRow}, {"turns", newTurnRow}, {"answers", newAnswerRow},
		{"turn_files", func() row {
			var f fileRow
			return newRow("id", new(int64), f.columns())
		}},
		{"exchanges", func() row {
			var answer int64
			return newRow("answer", &answer, []column{{"body", jsonText{value: new(history.Exchange)}}})
		}},
		{"models", func() row {
			var m history.ModelStats
			return newRow("name", new(string), []column{{"answers", &m.Answers}, {"failures", &m.Failures}})
		}},
		{"trash", func() row {
			var d deletion
			return newRow("id", &d.id, d.columns())
		}},
		{"personas", func() row {
			var p history.Persona
			return newRow("id", &p.ID, personaColumns(&p))
		}},
		{"settings", func() row { return newRow("name", new(string), []column{{"value", new(string)}}) }},
		{"runs", func() row {
			var r history.Run
			return newRow("id", &r.ID, fixedRunColumns(&r), changingRunColumns(&r), []column{{"shared", &r.IsShared}})
		}},
		{"cells", func() row {
			var c history.Cell
			return newRow("id", &c.ID, cellColumns(&c))
		}},
		{"votes", func() row {
			var v history.Vote
			return newRow("id", &v.ID, voteColumns(&v))
		}},
	}
}

func newRow(key string, field any, columns ...[]column) row {
	r := row{columns: []column{{key, field}}}
	for _, c := range columns {
		r.columns = append(r.columns, c...)
	}
	return r
}

func newSessionRow() row {
	var s history.Session
	var touched, trash int64
	r := newRow("id", &s.ID, sessionFields(&s),
		[]column{{"setup", new(string)}, {"touched", &touched}, {"trash", &trash}})
	r.entry = func() IndexEntry { return sessionEntry(s.ID, s.Name) }
	return r
}

func newTurnRow() row {
	var t turnRow
	var trash int64
	r := newRow("id", &t.ID, t.columns(), []column{{"facts", &t.facts}, {"origin", new(string)}, {"trash", &trash}})
	r.entry = func() IndexEntry { return turnEntry(t.ID, t.Prompt, t.System, t.facts) }
	return r
}

func newAnswerRow() row {
	var a answerRow
	var trash int64
	r := newRow("id", &a.ID, a.columns(), []column{{"trash", &trash}})
	r.entry = func() IndexEntry { return answerEntry(a.Answer) }
	return r
}

// key returns the id or name of the row.
func (r row) key() any { return reflect.ValueOf(r.columns[0].field).Elem().Interface() }

// key returns the name of the key column.
func (t table) key() string { return t.newRow().columns[0].name }

// keyIn returns the condition that selects rows by their keys.
func (t table) keyIn(keys []any) string {
	return ` where ` + t.key() + ` in (` + placeholders(len(keys)) + `)`
}

// pageAfter returns the end of a statement, and its arguments, that selects the next rows in the order of their keys.
// A nil key selects the first ones.
func (t table) pageAfter(key any) (end string, args []any) {
	end = ` order by ` + t.key() + ` limit ` + strconv.Itoa(maxCopiedRows)
	if key == nil {
		return end, nil
	}
	return ` where ` + t.key() + ` > ?` + end, []any{key}
}

// hashedRow is a row with the sha256 of its values in the types of package history, which does not depend on the
// database.
type hashedRow struct {
	row
	hash [sha256.Size]byte
	size int // of the values in bytes
}

func (tx *Tx) hash(r row) hashedRow {
	h, size := sha256.New(), 0
	for _, c := range r.columns {
		value, err := driver.DefaultParameterConverter.ConvertValue(c.field)
		if err != nil {
			tx.Fail(fmt.Errorf("hash the column %s: %w", c.name, err))
		}
		text := fmt.Sprint(value)
		size += len(text)
		_, _ = fmt.Fprintf(h, "%s %T %d %s\n", c.name, value, len(text), text) // writing to a hash never fails
	}
	return hashedRow{r, [sha256.Size]byte(h.Sum(nil)), size}
}

// tableRows iterates over whole rows; the end of the statement selects them.
func (tx *Tx) tableRows(t table, end string, args ...any) iter.Seq[row] {
	return func(yield func(row) bool) {
		for scan := range tx.Rows(`select `+columnList("", t.newRow().columns)+` from `+t.name+end, args...) {
			r := t.newRow()
			if scan(fieldsOf(r.columns)...); !yield(r) {
				return
			}
		}
	}
}

// selectPage reads the rows that the end of the statement selects, or fewer where they are large.
func (tx *Tx) selectPage(t table, end string, args ...any) (rows []hashedRow) {
	size := 0
	for r := range tx.tableRows(t, end, args...) {
		rows = append(rows, tx.hash(r))
		if size += rows[len(rows)-1].size; size >= maxCopiedBytes {
			break
		}
	}
	return rows
}
