package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"

	"confab/history"
	"confab/history/sqlstore"
)

// OpenForReading opens the store at path without changing it. It migrates a store of an earlier release in a
// temporary copy.
func OpenForReading(ctx context.Context, path string) (*Store, error) {
	d := &database{path: path, busy: backupWait}
	err := d.openForReading(ctx)
	if err != nil {
		d.close() //nolint:errcheck // the first error is returned
		return nil, sqlstore.ErrorOf(ctx, "open the history", err, errorKind)
	}
	return &Store{db: d, Store: sqlstore.New(d, sqlstore.Options{Wait: backupWait})}, nil
}

// OpenCopy opens a copy, made in a folder, of a readable store at path. The caller removes the folder after closing
// the store.
func OpenCopy(ctx context.Context, path, folder string) (*Store, error) {
	copied := filepath.Join(folder, "history.db")
	err := copySnapshot(ctx, path, copied)
	if err != nil { // SQLite may be unable to create its sidecars
		removeDatabase(copied)
		if err = copyDatabase(path, copied); err == nil {
			err = checkWhole(ctx, copied)
		}
	}
	if err != nil {
		return nil, sqlstore.ErrorOf(ctx, "copy the history", err, errorKind)
	}
	return Open(ctx, copied, Options{})
}

func (d *database) openForReading(ctx context.Context) (err error) {
	if d.path, err = filepath.Abs(d.path); err != nil {
		return err
	}
	if d.file, err = os.Stat(d.path); err != nil {
		return err
	}
	version, err := readSchemaVersion(ctx, d.path, d.busy)
	switch {
	case err != nil:
		return errors.Join(err, openError(err, d.path))
	case version == 0:
		return fileError(history.ErrCorrupt, "it is empty")
	case version < newestSchema():
		if d.temporary, err = os.MkdirTemp("", "confab-"); err != nil {
			return err
		}
		copied := filepath.Join(d.temporary, "history.db")
		if err := copySnapshot(ctx, d.path, copied); err != nil {
			return err
		}
		d.path, d.file = copied, nil
		if err := createSchema(ctx, copied, d.busy); err != nil { // runs the missing migrations
			return err
		}
	}
	q := connectionParameters(d.busy)
	q.Set("mode", "ro")
	q.Set("_query_only", "1")
	d.r, err = sql.Open("sqlite", dsn(d.path, q))
	d.w = d.r
	return err
}
