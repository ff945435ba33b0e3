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

// openFile prepares the file and connects to it. Nothing is changed before the
// file has been found to be a history of this or an older release.
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
	// Turning on WAL, which ends the making of a store, needs it for itself, and
	// SQLite does not wait for others who are opening it at the same moment.
	return d.retryWhileBusy(ctx, o.Busy, func() error {
		d.close() //nolint:errcheck // what another attempt opened
		return d.connect(ctx, o.Busy)
	})
}

// connect looks at the file, makes its schema or brings it up to date, and opens the connections of the running store.
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
	if d.network { // WAL needs memory shared between machines
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
	if version != 0 && version < newestSchema() { // what a migration took out of the file is in the -wal file no more
		if _, err := d.w.ExecContext(ctx, `pragma wal_checkpoint(truncate)`); err != nil {
			return err
		}
	}
	q = connectionParameters(busy)
	q.Set("_query_only", "1")
	d.r, err = openPool(d.path, q, maxReaders)
	return err
}

// openPool returns a pool of at most so many connections, which stay open. Nothing connects before it is used.
func openPool(path string, q url.Values, connections int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn(path, q))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// connectionParameters are the settings of every connection. They stand in its address,
// so that no connection of a pool can be without them.
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

// dsn writes a path, or [Memory], and its parameters as SQLite wants them.
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

// smallestDatabase is the smallest page SQLite knows.
const smallestDatabase = 512

// ensureFile makes sure that a file lies at path and returns it. It is made here and not by SQLite, which would make
// it readable for others, and its -wal and -shm files like it.
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
	if !info.Mode().IsRegular() { // SQLite would wait for a pipe, and lay its journal beside a device
		return nil, fileError(history.ErrCorrupt, "mode %s", info.Mode())
	}
	if size := info.Size(); size > 0 && size < smallestDatabase { // SQLite would take it for empty and write over it
		return nil, fileError(history.ErrCorrupt, "%d bytes", size)
	}
	return info, nil
}

// fileError says what is wrong with the file of the store.
func fileError(kind error, format string, args ...any) error {
	return &history.StoreError{Step: "look at the file", Kind: kind, Cause: fmt.Errorf(format, args...)}
}

// checkWritable refuses a file that this process may not write before SQLite opens it: even reading through SQLite
// would lay a -shm file beside it, with the mode of the file, which nobody could write once the file can be written
// again. The file is not opened for asking, see [openError].
func checkWritable(path string, info os.FileInfo) error {
	err := mayWrite(path, info)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fileError(history.ErrReadOnly, "%w", err)
	}
	return nil // any other trouble is told better by opening the file
}

// alignFileModes gives the files that SQLite left beside the store the mode of the store. SQLite gives them the mode
// that the store has when it makes them, so a store that was read-only then, or readable for others, would stay so by
// them. Where that is not allowed, opening the store tells what is wrong.
func alignFileModes(path string, store os.FileInfo) {
	for _, end := range []string{"-wal", "-shm", "-journal"} {
		info, err := os.Lstat(path + end)
		if err == nil && info.Mode().IsRegular() && info.Mode().Perm() != store.Mode().Perm() {
			_ = os.Chmod(path+end, store.Mode().Perm())
		}
	}
}

// readSchemaVersion reads the version of the schema without changing a byte, 0 for a new
// file. It goes through SQLite, because the newest version may still lie in the
// -wal file, and read-only, so that it does not move that into the file.
func readSchemaVersion(ctx context.Context, path string, busy time.Duration) (int, error) {
	q := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(" + strconv.FormatInt(busy.Milliseconds(), 10) + ")"}}
	db, err := openPool(path, q, 1)
	if err != nil {
		return 0, err
	}
	defer db.Close() //nolint:errcheck // it only read
	var version, id, objects int
	// One transaction, because another process may be making the store just now.
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() //nolint:errcheck // it only read
	// Asking for the schema only where it tells something keeps opening cheap: a large store has many tables.
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

// openError asks the system why SQLite could not open a file, which it does not tell. The file is opened only then:
// closing it would take away the locks that SQLite holds on it elsewhere in this process.
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

// createSchema makes the schema in a new file. That comes before WAL is turned on,
// because whether a file can shrink is settled by the first page written.
func createSchema(ctx context.Context, path string, busy time.Duration) error {
	q := connectionParameters(busy)
	q.Set("_auto_vacuum", "incremental")
	q.Set("_txlock", "immediate")
	db, err := openPool(path, q, 1)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // the commit has told
	return migrate(ctx, db)
}

// sleep waits, or ends with the context.
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
