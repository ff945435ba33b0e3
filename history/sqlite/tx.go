package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"confab/history"
)

// transaction runs statements up to the first error. After it, statements do nothing and return zero values, and
// [Store.read] or [Store.write] returns the error: the steps of an operation do not look for the errors of each other.
type transaction struct {
	sql   *sql.Tx
	ctx   context.Context
	store *Store
	err   error
}

// fail makes err the error of the transaction unless it has one.
func (tx *transaction) fail(err error) {
	if tx.err == nil {
		tx.err = err
	}
}

// execute runs statements and returns how many rows the last one changed.
func (tx *transaction) execute(statements string, args ...any) (changed int64) {
	if tx.err != nil {
		return 0
	}
	result, err := tx.sql.ExecContext(tx.ctx, statements, args...)
	if err == nil {
		changed, err = result.RowsAffected()
	}
	tx.err = err
	return changed
}

// changeRow runs a statement that changes one row; without such a row, the error is [history.ErrNotFound].
func (tx *transaction) changeRow(statement string, args ...any) {
	if tx.execute(statement, args...) == 0 {
		tx.fail(history.ErrNotFound)
	}
}

// insertRow adds a row and returns its id.
func (tx *transaction) insertRow(table string, columns []column) int64 {
	return selectValue[int64](tx, insertInto(table, columns)+" returning id", fieldsOf(columns)...)
}

// updateRow changes columns of the row with an id.
func (tx *transaction) updateRow(table string, columns []column, id int64) {
	tx.changeRow(`update `+table+` set (`+columnList("", columns)+`) = (`+placeholders(len(columns))+`) where id = ?`,
		append(fieldsOf(columns), id)...)
}

// scanner reads the columns of a row into variables. Its error becomes that of the transaction.
type scanner func(into ...any)

// eachRow calls scan for the rows of a query until it returns false.
func (tx *transaction) eachRow(scan func(row scanner) (more bool), query string, args ...any) {
	if tx.err != nil {
		return
	}
	rows, err := tx.sql.QueryContext(tx.ctx, query, args...)
	if err != nil {
		tx.err = err
		return
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells what matters
	row := func(into ...any) { tx.fail(rows.Scan(into...)) }
	for tx.err == nil && rows.Next() {
		if !scan(row) {
			return
		}
	}
	tx.fail(rows.Err())
}

// selectRows returns what scan reads of each row of a query.
func selectRows[T any](tx *transaction, scan func(scanner) T, query string, args ...any) (all []T) {
	tx.eachRow(func(row scanner) bool {
		all = append(all, scan(row))
		return true
	}, query, args...)
	return all
}

// selectRow returns what scan reads of the first row of a query; without one, the error is [history.ErrNotFound].
func selectRow[T any](tx *transaction, scan func(scanner) T, query string, args ...any) (found T) {
	all := selectRows(tx, scan, query, args...)
	if len(all) == 0 {
		tx.fail(history.ErrNotFound)
		return found
	}
	return all[0]
}

func scanValue[T any](row scanner) (v T) {
	row(&v)
	return v
}

// selectColumn returns the values of a query for one column.
func selectColumn[T any](tx *transaction, query string, args ...any) []T {
	return selectRows(tx, scanValue[T], query, args...)
}

// selectValue returns the one value of a query; without a row, the error is [history.ErrNotFound].
func selectValue[T any](tx *transaction, query string, args ...any) T {
	return selectRow(tx, scanValue[T], query, args...)
}

// inRead returns the result of work, which sees one state of the store whatever others write meanwhile.
func inRead[T any](ctx context.Context, s *Store, step string, work func(tx *transaction) T) (v T, err error) {
	err = s.read(ctx, step, func(tx *transaction) { v = work(tx) })
	return orZero(v, err)
}

// inWrite returns the result of work, which runs as in [Store.write].
func inWrite[T any](ctx context.Context, s *Store, step string, work func(tx *transaction) T) (v T, err error) {
	err = s.write(ctx, step, func(tx *transaction) { v = work(tx) })
	return orZero(v, err)
}

func orZero[T any](v T, err error) (T, error) {
	if err != nil {
		var zero T
		return zero, err
	}
	return v, nil
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

// placeholders writes as many question marks as there are values.
func placeholders(values int) string { return "?" + strings.Repeat(", ?", values-1) }

// insertInto writes the statement that adds a row with these columns.
func insertInto(table string, columns []column) string {
	return "insert into " + table + " (" + columnList("", columns) + ") values (" + placeholders(len(columns)) + ")"
}
