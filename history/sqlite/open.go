package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"confab/history"
)

// openFile prepares the file and connects to it. It changes nothing before it knows that the file is a history of
// this or an older release.
func (d *database) openFile(ctx context.Context, o Options) error {
	full, err := filepath.Abs(d.path)
	if err != nil {
		return err
	}
	d.path = full
	if d.file, err = ensureFile(full); err != nil {
		return err
	}
	if err := checkWritable(full, d.file); err != nil {
		return err
	}
	alignFileModes(full, d.file)
	d.network = o.isOnNetwork(filepath.Dir(full))
	// Turning on WAL needs an exclusive lock, for which SQLite does not wait by itself.
	return d.retryWhileBusy(ctx, o.Busy, func() error {
		d.close() //nolint:errcheck // connections of a failed attempt
		return d.connect(ctx, o.Busy)
	})
}

// connect checks the file, creates or updates its schema, and opens the connections of the store.
func (d *database) connect(ctx context.Context, busy time.Duration) error {
	version, err := readSchemaVersion(ctx, d.path, busy)
	if err != nil {
		return errors.Join(err, openError(err, d.path))
	}
	if version == 0 {
		if err := createSchema(ctx, d.path, busy); err != nil {
			return err
		}
	}
	q := connectionParameters(sqliteBusyTimeout)
	q.Add("_pragma", "journal_mode(wal)")
	if d.network { // WAL needs memory shared by all processes
		q = connectionParameters(busy)
		q.Add("_pragma", "journal_mode(delete)")
	}
	q.Set("_txlock", "immediate")
	if d.w, err = openPool(d.path, q, 1); err != nil {
		return err
	}
	if err := migrate(ctx, d.w); err != nil {
		return err
	}
	if version != 0 && version < newestSchema() { // moves out of the -wal file what a migration deleted
		if _, err := d.w.ExecContext(ctx, `pragma wal_checkpoint(truncate)`); err != nil {
			return err
		}
	}
	q = connectionParameters(busy)
	q.Set("_query_only", "1")
	d.r, err = openPool(d.path, q, maxReaders)
	return err
}

// openPool returns a pool of permanent connections. It connects on first use.
func openPool(path string, q url.Values, connections int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn(path, q))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// connectionParameters returns the settings of every connection. They are part of the address, so that all
// connections of a pool have them.
func connectionParameters(busy time.Duration) url.Values {
	return url.Values{
		"_dqs": {"0"},
		"_pragma": {
			"busy_timeout(" + strconv.FormatInt(busy.Milliseconds(), 10) + ")",
			"cache_size(-4096)", // KiB
			"foreign_keys(1)",
			"secure_delete(1)",
			"synchronous(full)",
			"temp_store(memory)",
			"journal_size_limit(16777216)",
		},
	}
}

// dsn returns the address of a path, or of [Memory], with its parameters.
func dsn(path string, q url.Values) string {
	if path == Memory {
		return Memory + "?" + q.Encode()
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/… of Windows
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}
	return u.String()
}

// smallestDatabase is SQLite's smallest page size in bytes.
const smallestDatabase = 512

// ensureFile creates the file at path if necessary. SQLite would make it, and its -wal and -shm files, readable for
// others.
func ensureFile(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			err = f.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		return os.Stat(path)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // SQLite would block on a pipe, or write next to a device
		return nil, fileError(history.ErrCorrupt, "mode %s", info.Mode())
	}
	if size := info.Size(); size > 0 && size < smallestDatabase { // SQLite would overwrite it
		return nil, fileError(history.ErrCorrupt, "%d bytes", size)
	}
	return info, nil
}

func fileError(kind error, format string, args ...any) error {
	return &history.StoreError{Step: "look at the file", Kind: kind, Cause: fmt.Errorf(format, args...)}
}

// checkWritable refuses a file that this process may not write. Otherwise SQLite would create a -shm file with the
// mode of the file, which would stay read-only when the file becomes writable. It does not open the file, see
// [openError].
func checkWritable(path string, info os.FileInfo) error {
	err := mayWrite(path, info)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fileError(history.ErrReadOnly, "%w", err)
	}
	return nil // opening the file returns a better error
}

// alignFileModes sets the mode of the store on its sidecars. SQLite creates them with the mode that the store has at
// that time. If it fails, opening the store returns the error.
func alignFileModes(path string, store os.FileInfo) {
	for _, end := range []string{"-wal", "-shm", "-journal"} {
		info, err := os.Lstat(path + end)
		if err == nil && info.Mode().IsRegular() && info.Mode().Perm() != store.Mode().Perm() {
			_ = os.Chmod(path+end, store.Mode().Perm())
		}
	}
}

// readSchemaVersion returns the version of the schema, 0 for a new file. It changes nothing, but undoes the transaction
// of a process that was killed.
func readSchemaVersion(ctx context.Context, path string, busy time.Duration) (int, error) {
	version, err := readSchemaVersionAs(ctx, "ro", path, busy)
	if needsRecovery(err) {
		return readSchemaVersionAs(ctx, "rw", path, busy)
	}
	return version, err
}

// needsRecovery reports whether a process was killed within a transaction, so that only a connection that may write can
// read the file: it undoes the transaction, or rebuilds the index of the -wal file.
func needsRecovery(err error) bool {
	var se *sqlite.Error
	return errors.As(err, &se) && (se.Code() == sqlite3.SQLITE_READONLY_ROLLBACK ||
		se.Code() == sqlite3.SQLITE_READONLY_RECOVERY || se.Code() == sqlite3.SQLITE_READONLY_CANTINIT)
}

// readSchemaVersionAs is readSchemaVersion through a connection of a mode of SQLite: the newest version may be in the
// -wal file.
func readSchemaVersionAs(ctx context.Context, mode, path string, busy time.Duration) (int, error) {
	q := url.Values{"mode": {mode}, "_pragma": {"busy_timeout(" + strconv.FormatInt(busy.Milliseconds(), 10) + ")"}}
	db, err := openPool(path, q, 1)
	if err != nil {
		return 0, err
	}
	defer db.Close() //nolint:errcheck // it only read
	var version, id, objects int
	// One transaction, because another process may be creating the store.
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() //nolint:errcheck // it only read
	// Large stores have many tables, so it reads the schema only when necessary.
	err = errors.Join(
		tx.QueryRowContext(ctx, `pragma user_version`).Scan(&version),
		tx.QueryRowContext(ctx, `pragma application_id`).Scan(&id),
	)
	if err == nil && version == 0 {
		err = tx.QueryRowContext(ctx, `select count(*) from sqlite_schema`).Scan(&objects)
	}
	switch {
	case err != nil:
		return 0, err
	case objects == 0 && version == 0:
		return 0, nil
	case id != applicationID || version < 1:
		return 0, fileError(history.ErrCorrupt, "a database of another program: application %d", id)
	case version > newestSchema():
		return 0, fileError(history.ErrNewer, "schema %d, newest known %d", version, newestSchema())
	}
	return version, nil
}

// openError finds out why SQLite could not open a file, which SQLite does not report. It opens the file only after
// SQLite failed: closing it would release other locks of this process on it.
func openError(err error, path string) error {
	var se *sqlite.Error
	if !errors.As(err, &se) || se.Code()&0xff != sqlite3.SQLITE_CANTOPEN {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// createSchema creates the schema in a new file before WAL is turned on, because the first written page determines
// whether the file can shrink.
func createSchema(ctx context.Context, path string, busy time.Duration) error {
	q := connectionParameters(busy)
	q.Set("_auto_vacuum", "incremental")
	q.Set("_txlock", "immediate")
	db, err := openPool(path, q, 1)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // the commit returned its error
	return migrate(ctx, db)
}

// sleep waits for d or the end of the context.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
