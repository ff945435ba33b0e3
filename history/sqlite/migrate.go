package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"strconv"
)

// applicationID marks the files of this program. The first migration sets it.
const applicationID = 1668247142

// migrations are the schema: files named 0001_what.sql and on, without a gap,
// run in order. A file is never edited once it was in a release.
//
//go:embed migrations/*.sql
var migrations embed.FS

// newestSchema returns the schema version of this release.
func newestSchema() int {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return 0 // cannot happen: the folder is embedded
	}
	return len(files)
}

// migrate updates the schema in one transaction, which reads the version again, because another process may have
// updated it.
func migrate(ctx context.Context, db *sql.DB) error { return migrateUpTo(ctx, db, newestSchema()) }

// migrateUpTo updates the schema to a version.
func migrateUpTo(ctx context.Context, db *sql.DB, newest int) error {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return err
	}
	var version int
	if err := db.QueryRowContext(ctx, `pragma user_version`).Scan(&version); err != nil || version >= newest {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
	if err := tx.QueryRowContext(ctx, `pragma user_version`).Scan(&version); err != nil {
		return err
	}
	for ; version < newest; version++ {
		name := files[version].Name()
		script, err := migrations.ReadFile("migrations/" + name)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(script)); err != nil {
			return fmt.Errorf("migration %s: %w", name, err)
		}
	}
	if _, err := tx.ExecContext(ctx, `pragma user_version = `+strconv.Itoa(version)); err != nil {
		return err
	}
	return tx.Commit()
}
