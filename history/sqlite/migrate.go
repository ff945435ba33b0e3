package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"strconv"
)

// applicationID marks the files of this program; it is set by the first migration.
const applicationID = 1668247142

// migrations are the schema: files named 0001_what.sql and on, without a gap,
// run in order. A file is never edited once it was in a release.
//
//go:embed migrations/*.sql
var migrations embed.FS

// newestSchema is the version this release writes.
func newestSchema() int {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return 0 // cannot be: the folder is embedded
	}
	return len(files)
}

// migrate brings the schema up to date, each step in a transaction of its own,
// which asks again how far it is: another process may have been quicker.
func migrate(ctx context.Context, db *sql.DB) error { return migrateUpTo(ctx, db, newestSchema()) }

// migrateUpTo brings the schema up to a version.
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
		if err := migrateTo(ctx, db, at+1, string(script)); err != nil {
			return fmt.Errorf("migration %s: %w", name, err)
		}
	}
	return nil
}

// migrateTo runs the script that leads to a version, unless it was run. The version is part of the transaction.
func migrateTo(ctx context.Context, db *sql.DB, to int, script string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
	var version int
	if err := tx.QueryRowContext(ctx, `pragma user_version`).Scan(&version); err != nil {
		return err
	}
	if version >= to {
		return nil
	}
	if _, err := tx.ExecContext(ctx, script); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `pragma user_version = `+strconv.Itoa(to)); err != nil {
		return err
	}
	return tx.Commit()
}
