package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"confab/history"
	"confab/history/sqlstore"
	"confab/internal/fileio"
)

// backupWait bounds how long backing up and restoring wait for the locks of other programs.
const backupWait = 5 * time.Second

// sidecars are the suffixes of the files that SQLite creates next to a database.
var sidecars = []string{"-wal", "-shm", "-journal"}

// Backup writes a snapshot of the store at path to a new file while others may write, and checks the file before it
// renames it. The snapshot holds no purged text. An existing file is an [fs.ErrExist]; the store is not changed.
func Backup(ctx context.Context, path, file string) (err error) {
	defer func() { err = sqlstore.ErrorOf(ctx, "back up the history", err, errorKind) }()
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fs.ErrExist
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	fileio.RemoveStale(filepath.Dir(file))
	temp := fileio.TemporaryName(file)
	defer removeDatabase(temp)
	if err := copySnapshot(ctx, path, temp); err != nil {
		return err
	}
	if err := checkWhole(ctx, temp); err != nil {
		return err
	}
	return fileio.LinkNew(temp, filepath.Base(file))
}

// copySnapshot writes a snapshot of the store at path to a new file and syncs it.
func copySnapshot(ctx context.Context, path, file string) error {
	if _, err := readSchemaVersion(ctx, path, backupWait); err != nil {
		return errors.Join(err, openError(err, path))
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // SQLite fills an empty file
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(path, connectionOf("ro")))
	if err == nil {
		_, err = db.ExecContext(ctx, `vacuum into ?`, file)
		err = errors.Join(err, db.Close())
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// connectionOf returns the parameters of a maintenance connection.
func connectionOf(mode string) url.Values {
	return url.Values{"mode": {mode}, "_pragma": {"trusted_schema(0)", "cell_size_check(1)",
		"busy_timeout(" + strconv.FormatInt(backupWait.Milliseconds(), 10) + ")"}}
}

// Restore replaces the store at path by a backup and returns the new path of the former store, empty when there was
// none. It checks the backup first: [history.ErrCorrupt] means a damaged or foreign file, [history.ErrNewer] one of a
// newer release, and [history.ErrBusy] that another process has the store open. A killed process leaves one of the
// two stores in place.
func Restore(ctx context.Context, backup, path string) (former string, err error) {
	defer func() { err = sqlstore.ErrorOf(ctx, "restore the history", err, errorKind) }()
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	fileio.RemoveStale(filepath.Dir(path))
	temp := fileio.TemporaryName(path)
	defer removeDatabase(temp)
	if err := copyDatabase(backup, temp); err != nil {
		return "", err
	}
	if err := checkWhole(ctx, temp); err != nil {
		return "", err
	}
	release, err := lockAlone(ctx, path)
	if err != nil {
		return "", err
	}
	defer release()
	if runtime.GOOS == "windows" { // open files cannot be renamed there
		release()
	}
	if former, err = keepFormer(path); err != nil {
		return "", err
	}
	if err := os.Rename(temp, path); err != nil {
		return "", err
	}
	return former, fileio.SyncFolder(filepath.Dir(path))
}

// copyDatabase copies a database file with the files that complete it.
func copyDatabase(from, to string) error {
	for _, end := range []string{"", "-wal", "-journal"} {
		in, err := fileio.Open(from + end)
		if end != "" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if kind := (*fileio.FileTypeError)(nil); errors.As(err, &kind) {
			return fileError(history.ErrCorrupt, "it %w", kind)
		}
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := os.OpenFile(to+end, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		if _, err = io.Copy(out, in); err == nil {
			err = out.Sync()
		}
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
	return nil
}

// removeDatabase removes a temporary database and its sidecars.
func removeDatabase(path string) {
	for _, end := range append([]string{""}, sidecars...) {
		_ = os.Remove(path + end) // fileio.RemoveStale removes the rest
	}
}

// checkWhole checks that a file is an undamaged store of this or an earlier release. It moves the content of the -wal
// file into it.
func checkWhole(ctx context.Context, path string) error {
	if _, err := ensureFile(path); err != nil {
		return err
	}
	version, err := readSchemaVersion(ctx, path, backupWait)
	if err == nil && version == 0 {
		err = fileError(history.ErrCorrupt, "it is empty")
	}
	if err != nil {
		return err
	}
	db, err := openPool(path, connectionOf("rw"), 1)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // errors were returned before
	for _, check := range []struct{ statement, want string }{
		{`pragma journal_mode=delete`, "delete"},
		{`pragma integrity_check(1)`, "ok"},
		{`select count(*) from pragma_foreign_key_check`, "0"},
	} {
		var found string
		if err := db.QueryRowContext(ctx, check.statement).Scan(&found); err != nil {
			return err
		}
		if found != check.want {
			return fileError(history.ErrCorrupt, "%s: %s", check.statement, found)
		}
	}
	return checkSchema(ctx, db, version)
}

// checkSchema refuses a database whose tables, indexes, views or triggers are not those of a version of the schema:
// additional ones could change later reads and writes.
func checkSchema(ctx context.Context, db *sql.DB, version int) error {
	expected, err := openPool(Memory, nil, 1)
	if err != nil {
		return err
	}
	defer expected.Close() //nolint:errcheck // it is in memory
	if err := migrateUpTo(ctx, expected, version); err != nil {
		return err
	}
	for _, kind := range []string{sqlstore.SessionRows, sqlstore.TurnRows, sqlstore.AnswerRows} {
		if _, err := expected.ExecContext(ctx, createPartition(kind, 0)); err != nil {
			return err
		}
	}
	want, err := schemaObjects(ctx, expected)
	if err != nil {
		return err
	}
	found, err := schemaObjects(ctx, db)
	if err != nil {
		return err
	}
	for object, isPartition := range want {
		if _, ok := found[object]; !ok && !isPartition {
			return fileError(history.ErrCorrupt, "the schema lacks %.80q", object)
		}
		delete(found, object)
	}
	for object := range found {
		return fileError(history.ErrCorrupt, "the schema has %.80q", object)
	}
	return nil
}

// schemaObjects returns the objects of the schema of a database, and whether each belongs to the full-text index. It
// writes N for the numbers of index partitions.
func schemaObjects(ctx context.Context, db *sql.DB) (map[string]bool, error) {
	rows, err := db.QueryContext(ctx, `select type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '')
		from sqlite_schema`)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells what matters
	partition := regexp.MustCompile(`_words_\d+`)
	objects := map[string]bool{}
	for rows.Next() {
		var object string
		if err := rows.Scan(&object); err != nil {
			return nil, err
		}
		objects[partition.ReplaceAllString(object, "_words_N")] = partition.MatchString(object)
	}
	return objects, rows.Err()
}

// lockAlone locks the store at path until release is called and removes its sidecars. If another process has it open,
// the error is [history.ErrBusy]. It does not lock a damaged store, which nobody can use.
func lockAlone(ctx context.Context, path string) (release func(), err error) {
	release = func() {}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return release, nil
	}
	_, err = readSchemaVersion(ctx, path, backupWait)
	if errors.Is(err, history.ErrCorrupt) || err != nil && errorKind(err) == history.ErrCorrupt {
		return release, nil // a writing connection would remove its -wal file
	}
	db, err := openPool(path, connectionOf("rw"), 1)
	if err != nil {
		return release, err
	}
	var mode string
	for _, statement := range []string{`pragma journal_mode=delete`, `begin exclusive`} { // removes the -wal file
		if _, failed := db.ExecContext(ctx, statement); err == nil {
			err = failed
		}
	}
	if err == nil {
		err = db.QueryRowContext(ctx, `pragma journal_mode`).Scan(&mode)
	}
	if err == nil && mode != "delete" { // another process opened it meanwhile
		err = history.ErrBusy
	}
	if err == nil {
		return func() { _ = db.Close() }, nil
	}
	_ = db.Close()
	if errorKind(err) == history.ErrCorrupt {
		err = nil
	}
	return release, err
}

// keepFormer links the store at path to another name and returns that; empty when there is no store. It renames
// sidecars, because they would damage the new store.
func keepFormer(path string) (former string, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	err = fs.ErrExist
	for n := 1; errors.Is(err, fs.ErrExist); n++ {
		former = filepath.Join(filepath.Dir(path), fileio.NumberedName(filepath.Base(path)+".before", n))
		err = fileio.LinkNew(path, filepath.Base(former))
	}
	for _, end := range sidecars {
		if err == nil {
			err = os.Rename(path+end, former+end)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return former, err
}
