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

// OpenForeign opens the database of another program for reading, with values of at most maxBytes. Nothing in its schema
// can run a function with effects, or change a file.
func OpenForeign(ctx context.Context, path string, maxBytes int) (*sql.DB, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	db, err := connectForeign(ctx, full, "ro", maxBytes)
	if needsRecovery(err) {
		db, err = connectForeign(ctx, full, "rw", maxBytes)
	}
	return db, err
}

// connectForeign opens the only connection of the pool, for which SQLite keeps the limit.
func connectForeign(ctx context.Context, path, mode string, maxBytes int) (*sql.DB, error) {
	q := url.Values{"mode": {mode}, "_query_only": {"1"}, "_pragma": {"busy_timeout(5000)", "trusted_schema(0)",
		"cell_size_check(1)", "mmap_size(0)", "temp_store(memory)"}}
	db, err := openPool(path, q, 1)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err == nil {
		if _, err = sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, maxBytes); err == nil {
			err = conn.QueryRowContext(ctx, `select count(*) from sqlite_schema`).Scan(new(int))
		}
		err = errors.Join(err, conn.Close())
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
