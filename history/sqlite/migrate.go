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

// schema makes a new store as all migrations would, in a fifth of the time. A test makes it from them.
//
//go:embed schema.sql
var schema string

// newestSchema returns the schema version of this release.
func newestSchema() int {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return 0 // cannot happen: the folder is embedded
	}
	return len(files)
}

// migrate updates the schema, each step in its own transaction. A step checks the version again, because another
// process may have run it.
func migrate(ctx context.Context, db *sql.DB) error {
	if err := migrateTo(ctx, db, 0, newestSchema(), schema); err != nil {
		return fmt.Errorf("new schema: %w", err)
	}
	return migrateUpTo(ctx, db, newestSchema())
}

// migrateUpTo updates the schema to a version.
func migrateUpTo(ctx context.Context, db *sql.DB, newest int) error {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return err
	}
	var version int
	if err := db.QueryRowContext(ctx, `pragma user_version`).Scan(&version); err != nil {
		return err
	}
	for at := version; at < newest; at++ {
		name := files[at].Name()
		script, err := migrations.ReadFile("migrations/" + name)
		if err != nil {
			return err
		}
		if err := migrateTo(ctx, db, at, at+1, string(script)); err != nil {
			return fmt.Errorf("migration %s: %w", name, err)
		}
	}
	return nil
}

// migrateTo runs a script and sets the version in the same transaction, where the store is of the version from.
func migrateTo(ctx context.Context, db *sql.DB, from, to int, script string) error {
	var version int
	if err := db.QueryRowContext(ctx, `pragma user_version`).Scan(&version); err != nil || version != from {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
	if err := tx.QueryRowContext(ctx, `pragma user_version`).Scan(&version); err != nil || version != from {
		return err // another process may have run it
	}
	if _, err := tx.ExecContext(ctx, script); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `pragma user_version = `+strconv.Itoa(to)); err != nil {
		return err
	}
	return tx.Commit()
}
