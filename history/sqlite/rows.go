package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"confab/history"
)

// rowScanner is one row of a result.
type rowScanner interface{ Scan(...any) error }

// errStopRows ends [forEachRow] early without being an error.
var errStopRows = errors.New("enough rows")

// forEachRow calls scan for every row and closes them. It takes the result of a query as it is returned.
func forEachRow(rows *sql.Rows, err error, scan func() error) error {
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells what matters
	for rows.Next() {
		if err := scan(); errors.Is(err, errStopRows) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return rows.Err()
}

// selectRows returns what scan reads of each row of a query.
func selectRows[T any](ctx context.Context, tx *sql.Tx, scan func(rowScanner) (T, error), query string,
	args ...any) ([]T, error) {
	var all []T
	rows, err := tx.QueryContext(ctx, query, args...)
	err = forEachRow(rows, err, func() error {
		v, err := scan(rows)
		all = append(all, v)
		return err
	})
	return all, err
}

// selectColumn returns the values of a query for one column.
func selectColumn[T any](ctx context.Context, tx *sql.Tx, query string, args ...any) ([]T, error) {
	return selectRows(ctx, tx, func(r rowScanner) (v T, err error) {
		err = r.Scan(&v)
		return v, err
	}, query, args...)
}

// selectValue returns the one value of a query that has a row.
func selectValue[T any](ctx context.Context, tx *sql.Tx, query string, args ...any) (v T, err error) {
	err = tx.QueryRowContext(ctx, query, args...).Scan(&v)
	return v, err
}

// execute runs statements whose result is of no interest.
func execute(ctx context.Context, tx *sql.Tx, statements string, args ...any) error {
	_, err := tx.ExecContext(ctx, statements, args...)
	return err
}

// changeRow runs a statement that changes one row; without such a row, the error is [history.ErrNotFound].
func changeRow(ctx context.Context, tx *sql.Tx, statement string, args ...any) error {
	res, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		err = history.ErrNotFound
	}
	return err
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

// insertRow adds a row and returns its id.
func insertRow(ctx context.Context, tx *sql.Tx, table string, columns []column) (int64, error) {
	res, err := tx.ExecContext(ctx, insertInto(table, columns), fieldsOf(columns)...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// updateRow changes columns of the row with an id.
func updateRow(ctx context.Context, tx *sql.Tx, table string, columns []column, id int64) error {
	return changeRow(ctx, tx, `update `+table+` set (`+columnList("", columns)+`) = (`+placeholders(len(columns))+
		`) where id = ?`, append(fieldsOf(columns), id)...)
}

// toMillis is a time as it is stored: milliseconds, null when zero.
func toMillis(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: !t.IsZero()}
}

// fromMillis is the opposite of [toMillis].
func fromMillis(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.UnixMilli(n.Int64).UTC()
}

// storedTime returns a time as reading it back will return it.
func storedTime(t time.Time) time.Time { return fromMillis(toMillis(t)) }
