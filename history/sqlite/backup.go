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

// backupWait is how long backing up and restoring wait for the locks of other programs.
const backupWait = 5 * time.Second

// sidecars are what the names of the files end in that SQLite lays beside a database.
var sidecars = []string{"-wal", "-shm", "-journal"}

// Backup writes what the store at path holds at one moment into a new file, whole or not at all, while others write.
// What was deleted for good is not in it. It checks the file before it gets its name. An existing file is
// [fs.ErrExist]; the store is not changed.
func Backup(ctx context.Context, path, file string) (err error) {
	defer func() { err = sqlstore.ErrorOf(ctx, "back up the history", err, errorKind) }()
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fs.ErrExist
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

// copySnapshot writes what the store at path holds at one moment into a new file, and syncs it.
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

// connectionOf returns the parameters of a connection that only looks after a file.
func connectionOf(mode string) url.Values {
	return url.Values{"mode": {mode}, "_pragma": {"trusted_schema(0)", "cell_size_check(1)",
		"busy_timeout(" + strconv.FormatInt(backupWait.Milliseconds(), 10) + ")"}}
}

// Restore puts a backup in the place of the store at path and returns the path that the former store has now, empty
// when there was none. The backup is checked before anything is changed: one that is damaged, that confab did not
// write or that a newer release wrote is refused with [history.ErrCorrupt] or [history.ErrNewer]. A store that another
// process has open is refused with [history.ErrBusy]. A process that is killed leaves either store in its place.
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

// copyDatabase copies the bytes of a database with what is in its -wal file.
func copyDatabase(from, to string) error {
	for _, end := range []string{"", "-wal"} {
		in, err := fileio.Open(from + end)
		if end != "" && errors.Is(err, fs.ErrNotExist) {
			return nil
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

// removeDatabase removes a temporary database with the files beside it.
func removeDatabase(path string) {
	for _, end := range append([]string{""}, sidecars...) {
		_ = os.Remove(path + end) // fileio.RemoveStale finds what stays
	}
}

// checkWhole refuses a file that is no store of this or an earlier release, or that is damaged. It moves what is in
// its -wal file into it.
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
	defer db.Close() //nolint:errcheck // it has told
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

// checkSchema refuses a database that has other tables, indexes, views or triggers than those of a version of the
// schema, or lacks one: they could change what is read and written later.
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

// schemaObjects returns what the schema of a database consists of, and whether it belongs to the full-text index, whose
// partitions all have the same number in it.
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

// lockAlone locks the store at path until release is called, and leaves nothing beside it. When another process has it
// open, the error is [history.ErrBusy]. A damaged store is not locked: nobody can use it.
func lockAlone(ctx context.Context, path string) (release func(), err error) {
	release = func() {}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return release, nil
	}
	_, err = readSchemaVersion(ctx, path, backupWait)
	if errors.Is(err, history.ErrCorrupt) || err != nil && errorKind(err) == history.ErrCorrupt {
		return release, nil // a connection that may write would remove its -wal file
	}
	db, err := openPool(path, connectionOf("rw"), 1)
	if err != nil {
		return release, err
	}
	var mode string
	for _, statement := range []string{`pragma journal_mode=delete`, `begin exclusive`} { // leaves no -wal file
		if _, failed := db.ExecContext(ctx, statement); err == nil {
			err = failed
		}
	}
	if err == nil {
		err = db.QueryRowContext(ctx, `pragma journal_mode`).Scan(&mode)
	}
	if err == nil && mode != "delete" { // it was opened in between
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

// keepFormer gives the store at path another name as well, and returns it; empty when there is no store. What SQLite
// left beside it gets that name only: beside another store it would damage that one.
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
