package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"confab/history/sqlstore"
)

// beginShared makes a transaction find the tables that belong to no user.
const beginShared = `select set_config('search_path', 'confab', true),
	set_config('statement_timeout', '` + statementTimeout + `', true),
	set_config('idle_in_transaction_session_timeout', '` + idleTimeout + `', true)`

// Transact runs do in a transaction on the tables that belong to no user, and commits it. It may run do again when
// nothing came of the time before, or when the connection was lost so that nobody knows.
func (s *Server) Transact(ctx context.Context, do func(*sql.Tx) error) error {
	err := s.try(ctx, func(ctx context.Context) error {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
		if _, err := tx.ExecContext(ctx, beginShared); err != nil {
			return err
		}
		if err := do(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
	return sqlstore.ErrorOf(ctx, "use the database", err, errorKind)
}

// TakeJob reports whether this process does, for so long, what only one process is to do at a time. Taking a job again
// extends that.
func (s *Server) TakeJob(ctx context.Context, name string, duration time.Duration) (isTaken bool, err error) {
	err = s.Transact(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `with taken as (insert into jobs as j (name, holder, expires)
			values ($1, $2, now() + make_interval(secs => $3))
			on conflict (name) do update set holder = excluded.holder, expires = excluded.expires
				where j.expires < now() or j.holder = excluded.holder
			returning 1)
			select exists (select 1 from taken)`, name, fmt.Sprint(s.o.Process), duration.Seconds()).Scan(&isTaken)
	})
	return isTaken, err
}
