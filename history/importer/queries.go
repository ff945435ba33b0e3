package importer

import (
	"context"
	"database/sql"
	"errors"
)

// queries are queries of a foreign database until the first error.
type queries struct {
	ctx  context.Context
	db   *sql.DB
	err  error
	left int // bytes that the queries for one conversation may still return
}

// each calls visit for each row, with its columns in into.
func (q *queries) each(query string, args []any, visit func(), into ...any) {
	if q.err != nil || q.left < 0 {
		return
	}
	rows, err := q.db.QueryContext(q.ctx, query, args...)
	if err != nil {
		q.err = err
		return
	}
	defer rows.Close() //nolint:errcheck // Rows.Err returns the error
	for rows.Next() && q.err == nil && q.left >= 0 {
		q.err = rows.Scan(into...)
		q.left -= 64 // of the row itself
		for _, column := range into {
			if text, ok := column.(*string); ok {
				q.left -= len(*text)
			}
		}
		if q.err == nil && q.left >= 0 {
			visit()
		}
	}
	q.err = errors.Join(q.err, rows.Err())
}

// texts returns the values of a query for one column.
func (q *queries) texts(query string) (all []string) {
	var one string
	q.each(query, nil, func() { all = append(all, one) }, &one)
	q.left = maxBytes
	return all
}

// text returns a value, empty where there is none.
func (q *queries) text(query string, args ...any) string {
	var one sql.NullString
	q.each(query, args, func() { q.left -= len(one.String) }, &one)
	return one.String
}

func (q *queries) number(query string, args ...any) (n int) {
	q.each(query, args, func() {}, &n)
	return n
}

// has reports whether there is a table with a column. A view is no table: it could compute for ever.
func (q *queries) has(table, column string) bool {
	return q.number(`select count(*) from sqlite_schema s join pragma_table_info(s.name) c
		where s.type = 'table' and s.name = ? and c.name = ?`, table, column) > 0
}

// offer gives a conversation that the queries have read, unless it is too large.
func (s *Source) offer(q *queries, c conversation, give func(conversation) bool) {
	if q.left < 0 {
		s.Skipped[tooLarge]++
	} else if q.err == nil && !give(c) {
		q.err = errStopped
	}
	q.left = maxBytes
}
