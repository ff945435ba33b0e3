package sqlite

import (
	"errors"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"confab/history"
)

// errorKind returns the error of package history for an error of SQLite or the system.
func errorKind(err error) error {
	var se *sqlite.Error
	switch {
	case errors.Is(err, history.ErrBusy):
		return history.ErrBusy
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return history.ErrReadOnly
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return history.ErrFull
	case errors.As(err, &se):
		return errorKindOfCode(se.Code())
	}
	return history.ErrIO
}

func errorKindOfCode(code int) error {
	switch code {
	// A file size limit, or a full disk under shared memory, is a failed write and not SQLITE_FULL.
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE:
		return history.ErrFull
	case sqlite3.SQLITE_READONLY_DBMOVED:
		return history.ErrGone
	}
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return history.ErrBusy
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return history.ErrCorrupt
	case sqlite3.SQLITE_FULL:
		return history.ErrFull
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return history.ErrReadOnly
	}
	return history.ErrIO
}
