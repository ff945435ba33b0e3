package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The ways in which the store can fail, to be told apart with [errors.Is]. Their
// texts are all a message of this package ever says; what SQLite or the system
// said stays reachable by unwrapping, for the log.
var (
	ErrNotFound = errors.New("there is no such entry in the history")
	ErrNewer    = errors.New("the history was written by a newer release")
	ErrCorrupt  = errors.New("the history file is damaged or is not a history")
	ErrBusy     = errors.New("the history is locked by another program")
	ErrFull     = errors.New("the disk is full")
	ErrReadOnly = errors.New("the history may not be written")
	ErrGone     = errors.New("the history file was removed or replaced while it was open")
	ErrIO       = errors.New("the history could not be read or written")
)

// storeError is an error of a step: it reads as the step and its kind, and unwraps
// to the kind and the cause.
type storeError struct {
	step  string
	kind  error
	cause error
}

func (f *storeError) Error() string { return f.step + ": " + f.kind.Error() }

func (f *storeError) Unwrap() []error {
	if f.cause == nil {
		return []error{f.kind}
	}
	return []error{f.kind, f.cause}
}

// asStoreError turns what a step returned into an error of this package. A nil error
// stays nil, and one that is explained already keeps its kind.
func asStoreError(ctx context.Context, step string, err error) error {
	if err == nil {
		return nil
	}
	var f *storeError
	var several *AmbiguousNameError
	if errors.As(err, &f) || errors.As(err, &several) {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", step, context.Cause(ctx))
	}
	return &storeError{step: step, kind: errorKind(err), cause: err}
}

// errorKind finds the sentinel of an error of SQLite or of the system.
func errorKind(err error) error {
	for _, known := range []error{ErrNotFound, ErrNewer, ErrCorrupt, ErrBusy, ErrFull, ErrReadOnly, ErrGone, ErrIO} {
		if errors.Is(err, known) {
			return known
		}
	}
	var se *sqlite.Error
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotFound
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return ErrFull
	case errors.As(err, &se):
		return errorKindOfCode(se.Code())
	}
	return ErrIO
}

func errorKindOfCode(code int) error {
	switch code {
	// A limit on the size of files and a full disk under shared memory arrive
	// as a failed write, not as SQLITE_FULL.
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE:
		return ErrFull
	case sqlite3.SQLITE_READONLY_DBMOVED:
		return ErrGone
	}
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return ErrBusy
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrCorrupt
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return ErrReadOnly
	}
	return ErrIO
}
