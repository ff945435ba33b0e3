package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Foreign is a connection to the database of another program.
type Foreign struct {
	*sql.Conn
	pool *sql.DB
}

// Close closes the connection.
func (f Foreign) Close() error { return errors.Join(f.Conn.Close(), f.pool.Close()) }

// OpenForeign opens the database of another program for reading, with values of at most maxBytes. Nothing in its schema
// can run a function with effects, or change a file.
func OpenForeign(ctx context.Context, path string, maxBytes int) (f Foreign, err error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return f, err
	}
	if f, err = connectForeign(ctx, full, "ro", maxBytes); needsRecovery(err) {
		f, err = connectForeign(ctx, full, "rw", maxBytes)
	}
	return f, err
}

func connectForeign(ctx context.Context, path, mode string, maxBytes int) (f Foreign, err error) {
	q := url.Values{"mode": {mode}, "_query_only": {"1"}, "_pragma": {"busy_timeout(5000)", "trusted_schema(0)",
		"cell_size_check(1)", "mmap_size(0)", "temp_store(memory)"}}
	if f.pool, err = openPool(path, q, 1); err != nil {
		return f, err
	}
	if f.Conn, err = f.pool.Conn(ctx); err != nil {
		return f, errors.Join(err, f.pool.Close())
	}
	if _, err = sqlite.Limit(f.Conn, sqlite3.SQLITE_LIMIT_LENGTH, maxBytes); err == nil {
		err = f.QueryRowContext(ctx, `select count(*) from sqlite_schema`).Scan(new(int))
	}
	if err != nil {
		return f, errors.Join(err, f.Close())
	}
	return f, nil
}
