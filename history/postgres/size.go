package postgres

import (
	"context"

	"confab/history/sqlstore"
)

// Size estimates the bytes of the user's rows, including drafts: the stored size of the long columns, and a few bytes
// per row.
func (s *Store) Size(ctx context.Context) (bytes int64, err error) {
	err = s.Read(ctx, "measure the history", func(tx *sqlstore.Tx) {
		bytes = sqlstore.SelectValue[int64](tx, `select cast(coalesce(sum(n), 0) as bigint) from (
			select sum(500 + pg_column_size(answer) + pg_column_size(reasoning) + pg_column_size(sent_prompt)) n from answers
			union all select sum(200 + pg_column_size(prompt) + pg_column_size(system)) from turns
			union all select sum(50 + pg_column_size(body)) from exchanges
			union all select sum(50 + pg_column_size(words)) from words
			union all select sum(100 + pg_column_size(text)) from drafts) sizes`)
	})
	return bytes, err
}

// Ping checks once whether the database responds.
func (s *Server) Ping(ctx context.Context) error {
	return sqlstore.ErrorOf(ctx, "reach the history", s.db.PingContext(ctx), errorKind)
}
