package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"strings"

	"confab/history"
)

// Tx is a transaction that runs statements up to the first error. After it, statements do nothing and return zero
// values, and [Store.Read] or [Store.Write] returns the error: the steps of an operation do not look for the errors of
// each other.
type Tx struct {
	sql    *sql.Tx
	ctx    context.Context
	store  *Store
	err    error
	owner  string // the other user whose rows are read; empty for one's own
	number int64  // of that user; 0 for oneself
}

// SharedIDs is how far apart the ids of two users are. An entry that another user shares has the id that it has there,
// and the number of that user times SharedIDs. Each history has ids from 1, so that two may have the same.
const SharedIDs = 10_000_000_000

// Owner returns the other user whose rows the transaction reads, "" for one's own.
func (tx *Tx) Owner() string { return tx.owner }

// LookAt makes the statements that follow read the rows that another user shares, by the number of that user, or for 0
// one's own.
func (tx *Tx) LookAt(number int64) {
	if number == tx.number {
		return
	}
	tx.number, tx.owner = number, tx.store.db.LookAt(tx, number)
	if tx.owner == "" {
		tx.number = 0
	}
}

// find makes the statements that follow read the history that an entry is in, and returns the id that it has there.
func (tx *Tx) find(id int64) int64 {
	tx.LookAt(id / SharedIDs)
	return tx.ownID(id)
}

// ownID returns the id that an entry has in the history that is read.
func (tx *Tx) ownID(id int64) int64 {
	if tx.number != 0 && id/SharedIDs == tx.number {
		return id % SharedIDs
	}
	return id
}

// markIDs changes ids that were read into those that they have for the reader.
func (tx *Tx) markIDs(ids ...*int64) { markIDsOf(tx.number, ids...) }

// markIDsOf does so for ids of a user by the user's number.
func markIDsOf(number int64, ids ...*int64) {
	for _, id := range ids {
		if *id > 0 && *id < SharedIDs {
			*id += number * SharedIDs
		}
	}
}

// explainMissing changes the error where an entry was not found because it is another user's.
func (tx *Tx) explainMissing(id int64) {
	if tx.number == 0 && id >= SharedIDs && errors.Is(tx.err, history.ErrNotFound) {
		tx.err = history.ErrShared
	}
}

// Fail makes err the error of the transaction unless it has one.
func (tx *Tx) Fail(err error) {
	if tx.err == nil {
		tx.err = err
	}
}

// Execute runs a statement and returns how many rows it changed.
func (tx *Tx) Execute(statement string, args ...any) (changed int64) {
	if tx.err != nil {
		return 0
	}
	result, err := tx.sql.ExecContext(tx.ctx, tx.store.db.Statement(statement), tx.store.db.Arguments(args)...)
	if err == nil {
		changed, err = result.RowsAffected()
	}
	tx.err = err
	return changed
}

// changeRow runs a statement that changes one row; without such a row, the error is [history.ErrNotFound].
func (tx *Tx) changeRow(statement string, args ...any) {
	if tx.Execute(statement, args...) == 0 {
		tx.Fail(history.ErrNotFound)
	}
}

// insertRow adds a row and returns its id.
func (tx *Tx) insertRow(table string, columns []column) int64 {
	return SelectValue[int64](tx, insertInto(table, columns)+" returning id", fieldsOf(columns)...)
}

// updateRow changes columns of the row with an id.
func (tx *Tx) updateRow(table string, columns []column, id int64) {
	tx.changeRow(`update `+table+` set `+assignments(columns)+` where id = ?`, append(fieldsOf(columns), id)...)
}

// upsertRow changes the row that the key columns name, or adds it.
func (tx *Tx) upsertRow(table string, key, columns []column) {
	where := strings.ReplaceAll(assignments(key), ", ", " and ")
	if tx.Execute(`update `+table+` set `+assignments(columns)+` where `+where,
		append(fieldsOf(columns), fieldsOf(key)...)...) == 0 {
		all := append(key[:len(key):len(key)], columns...)
		tx.Execute(insertInto(table, all), fieldsOf(all)...)
	}
}

// Scanner reads the columns of a row into variables. Its error becomes that of the transaction.
type Scanner func(into ...any)

// Rows iterates over the rows of a query. No other statement may run before the iteration ends.
func (tx *Tx) Rows(query string, args ...any) iter.Seq[Scanner] {
	return func(yield func(Scanner) bool) {
		if tx.err != nil {
			return
		}
		rows, err := tx.sql.QueryContext(tx.ctx, tx.store.db.Statement(query), tx.store.db.Arguments(args)...)
		if err != nil {
			tx.err = err
			return
		}
		defer rows.Close() //nolint:errcheck // rows.Err tells what matters
		row := func(into ...any) { tx.Fail(rows.Scan(tx.store.db.Fields(into)...)) }
		for tx.err == nil && rows.Next() {
			if !yield(row) {
				return
			}
		}
		tx.Fail(rows.Err())
	}
}

// SelectRows returns what scan reads of each row of a query.
func SelectRows[T any](tx *Tx, scan func(Scanner) T, query string, args ...any) (all []T) {
	for row := range tx.Rows(query, args...) {
		all = append(all, scan(row))
	}
	return all
}

// SelectRow returns what scan reads of the first row of a query; without one, the error is [history.ErrNotFound].
func SelectRow[T any](tx *Tx, scan func(Scanner) T, query string, args ...any) (found T) {
	all := SelectRows(tx, scan, query, args...)
	if len(all) == 0 {
		tx.Fail(history.ErrNotFound)
		return found
	}
	return all[0]
}

func scanValue[T any](row Scanner) (v T) {
	row(&v)
	return v
}

// SelectColumn returns the values of a query for one column.
func SelectColumn[T any](tx *Tx, query string, args ...any) []T {
	return SelectRows(tx, scanValue[T], query, args...)
}

// SelectValue returns the one value of a query; without a row, the error is [history.ErrNotFound].
func SelectValue[T any](tx *Tx, query string, args ...any) T {
	return SelectRow(tx, scanValue[T], query, args...)
}

// inRead returns the result of work, which sees one state of the store whatever others write meanwhile.
func inRead[T any](ctx context.Context, s *Store, step string, work func(tx *Tx) T) (v T, err error) {
	if err = s.Read(ctx, step, func(tx *Tx) { v = work(tx) }); err != nil {
		v = *new(T)
	}
	return v, err
}

// inWrite returns the result of work, which runs as in [Store.Write].
func inWrite[T any](ctx context.Context, s *Store, step string, work func(tx *Tx) T) (v T, err error) {
	if err = s.Write(ctx, step, func(tx *Tx) { v = work(tx) }); err != nil {
		v = *new(T)
	}
	return v, err
}

// column is a column of a table and the field of a row that holds its value: a pointer, which is both where a select
// scans the value into and what an insert or update takes it from. Rows that are only inserted may hold values.
type column struct {
	name  string
	field any
}

// columnList writes the names of columns, each after the prefix: "t." in a select that joins tables.
func columnList(prefix string, columns []column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = prefix + c.name
	}
	return strings.Join(names, ", ")
}

// fieldsOf returns the fields of columns, in their order.
func fieldsOf(columns []column) []any {
	fields := make([]any, len(columns))
	for i, c := range columns {
		fields[i] = c.field
	}
	return fields
}

// assignments writes the columns as an update sets them.
func assignments(columns []column) string {
	return strings.ReplaceAll(columnList("", columns), ",", " = ?,") + " = ?"
}

// placeholders writes as many question marks as there are values.
func placeholders(values int) string { return "?" + strings.Repeat(", ?", values-1) }

// insertInto writes the statement that adds a row with these columns.
func insertInto(table string, columns []column) string {
	return "insert into " + table + " (" + columnList("", columns) + ") values (" + placeholders(len(columns)) + ")"
}
