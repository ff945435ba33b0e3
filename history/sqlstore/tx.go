package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"strings"
	"time"

	"confab/history"
)

// Tx is a transaction that runs statements until the first error. After it, statements do nothing and return zero
// values, and [Store.Read] or [Store.Write] returns the error, so callers need not check each statement.
type Tx struct {
	sql    *sql.Tx
	ctx    context.Context
	store  *Store
	err    error
	owner  string // the other user whose rows are read; empty for one's own
	number int64  // of that user; 0 for oneself
}

// SharedIDs is the distance between the ids of two users. A shared entry has the id of its owner's history plus the
// owner's number times SharedIDs, because ids of each history start from 1.
const SharedIDs = 10_000_000_000

// Owner returns the other user whose rows the transaction reads; "" for the own rows.
func (tx *Tx) Owner() string { return tx.owner }

// LookAt makes the following statements read the rows shared by the user with this number; 0 selects the own rows.
func (tx *Tx) LookAt(number int64) {
	if number == tx.number {
		return
	}
	tx.number, tx.owner = number, tx.store.db.LookAt(tx, number)
	if tx.owner == "" {
		tx.number = 0
	}
}

// lookInto makes the following statements read the history of an entry, and returns the entry's id in it.
func (tx *Tx) lookInto(id int64) int64 {
	tx.LookAt(id / SharedIDs)
	return tx.ownID(id)
}

// ownID returns the id of an entry in the history that is read.
func (tx *Tx) ownID(id int64) int64 {
	if tx.number != 0 && id/SharedIDs == tx.number {
		return id % SharedIDs
	}
	return id
}

// markIDs changes ids from the owner's to the reader's.
func (tx *Tx) markIDs(ids ...*int64) { markIDsOf(tx.number, ids...) }

// markIDsOf changes ids of the user with a number to the reader's.
func markIDsOf(number int64, ids ...*int64) {
	for _, id := range ids {
		if *id > 0 && *id < SharedIDs {
			*id += number * SharedIDs
		}
	}
}

// explainMissing replaces the error for an entry that belongs to another user.
func (tx *Tx) explainMissing(id int64) {
	if tx.number == 0 && id >= SharedIDs && errors.Is(tx.err, history.ErrNotFound) {
		tx.err = history.ErrShared
	}
}

// Fail sets the error of the transaction if it has none.
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

// changeRow runs a statement that changes one row; if it changes none, the error is [history.ErrNotFound].
func (tx *Tx) changeRow(statement string, args ...any) {
	if tx.Execute(statement, args...) == 0 {
		tx.Fail(history.ErrNotFound)
	}
}

// insertRow adds a row and returns its id.
func (tx *Tx) insertRow(table string, columns []column) int64 {
	return SelectValue[int64](tx, insertInto(table, columns)+" returning id", fieldsOf(columns)...)
}

func (tx *Tx) updateRow(table string, columns []column, id int64) {
	tx.changeRow(`update `+table+` set `+assignments(columns)+` where id = ?`, append(fieldsOf(columns), id)...)
}

// upsertRow changes the row with the key columns, or adds it.
func (tx *Tx) upsertRow(table string, key, columns []column) {
	where := strings.ReplaceAll(assignments(key), ", ", " and ")
	if tx.Execute(`update `+table+` set `+assignments(columns)+` where `+where,
		append(fieldsOf(columns), fieldsOf(key)...)...) == 0 {
		all := append(key[:len(key):len(key)], columns...)
		tx.Execute(insertInto(table, all), fieldsOf(all)...)
	}
}

// Scanner scans the columns of a row. Its error becomes that of the transaction.
type Scanner func(into ...any)

// Rows iterates over the rows of a query. No other statement may run during the iteration.
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
		defer rows.Close() //nolint:errcheck // Rows.Err returns the error
		row := func(into ...any) { tx.Fail(rows.Scan(tx.store.db.Fields(into)...)) }
		for tx.err == nil && rows.Next() {
			if !yield(row) {
				return
			}
		}
		tx.Fail(rows.Err())
	}
}

// selectRows returns the results of scan for each row of a query.
func selectRows[T any](tx *Tx, scan func(Scanner) T, query string, args ...any) (all []T) {
	for row := range tx.Rows(query, args...) {
		all = append(all, scan(row))
	}
	return all
}

// selectRow returns the result of scan for the first row of a query; if there is none, the error is
// [history.ErrNotFound].
func selectRow[T any](tx *Tx, scan func(Scanner) T, query string, args ...any) (found T) {
	all := selectRows(tx, scan, query, args...)
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
	return selectRows(tx, scanValue[T], query, args...)
}

// SelectValue returns a single value; if there is no row, the error is [history.ErrNotFound].
func SelectValue[T any](tx *Tx, query string, args ...any) T {
	return selectRow(tx, scanValue[T], query, args...)
}

// reading is the wait of transactions that only read.
const reading = 0

// inTx returns the result of work in a transaction, which it commits. Work may run again after a failed attempt.
func inTx[T any](ctx context.Context, s *Store, wait time.Duration, step string, work func(tx *Tx) T) (v T, err error) {
	a := Attempts{Wait: wait, Began: time.Now()}
	attempt := func() error {
		tx, err := s.db.Begin(ctx, &a)
		if err != nil || tx == nil {
			return err
		}
		defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
		running := &Tx{sql: tx, ctx: ctx, store: s}
		if v = work(running); running.err != nil {
			return running.err
		}
		return tx.Commit()
	}
	for err = attempt(); s.db.Repeats(ctx, &a, err); {
		err = attempt()
	}
	if err != nil {
		return *new(T), s.Error(ctx, step, err)
	}
	return v, nil
}

// column is a column with a pointer to its field, which select scans into and insert and update read. Rows that are
// only inserted may hold values.
type column struct {
	name  string
	field any
}

// columnList returns the names of columns, each after a prefix such as "t.".
func columnList(prefix string, columns []column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = prefix + c.name
	}
	return strings.Join(names, ", ")
}

func fieldsOf(columns []column) []any {
	fields := make([]any, len(columns))
	for i, c := range columns {
		fields[i] = c.field
	}
	return fields
}

// assignments returns the columns as an update sets them.
func assignments(columns []column) string {
	return strings.ReplaceAll(columnList("", columns), ",", " = ?,") + " = ?"
}

// placeholders returns a list of question marks.
func placeholders(values int) string { return "?" + strings.Repeat(", ?", values-1) }

// insertInto returns the statement that inserts a row.
func insertInto(table string, columns []column) string {
	return "insert into " + table + " (" + columnList("", columns) + ") values (" + placeholders(len(columns)) + ")"
}
