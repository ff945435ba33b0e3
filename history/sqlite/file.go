package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"time"

	"confab/history/sqlstore"
)

// File is a small SQLite database that is no history. Several processes may use it at once.
type File struct{ db *sql.DB }

// OpenFile opens the database at path, or one in [Memory], and runs the schema, which makes what is missing. A missing
// file is made (0600).
func OpenFile(ctx context.Context, path, schema string) (*File, error) {
	q := connectionParameters(5 * time.Second)
	q.Set("_txlock", "immediate")
	var err error
	if path != Memory {
		if path, err = filepath.Abs(path); err == nil {
			_, err = ensureFile(path)
		}
		q.Add("_pragma", "journal_mode(delete)") // also right where the folder is shared between machines
	}
	f := &File{}
	if err == nil {
		f.db, err = openPool(path, q, 1) // a second one in memory would be another database
	}
	if err == nil {
		_, err = f.db.ExecContext(ctx, schema)
	}
	if err != nil {
		f.Close() //nolint:errcheck // the first error is the one that tells
		return nil, sqlstore.ErrorOf(ctx, "open a database", err, errorKind)
	}
	return f, nil
}

// Transact runs do in a transaction that holds the right to write from its start, and commits it.
func (f *File) Transact(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err == nil {
		defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
		err = do(tx)
	}
	if err == nil {
		err = tx.Commit()
	}
	return sqlstore.ErrorOf(ctx, "use a database", err, errorKind)
}

// Close ends the use of the database.
func (f *File) Close() error {
	if f.db == nil {
		return nil
	}
	return f.db.Close()
}
