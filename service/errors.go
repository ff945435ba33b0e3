package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"confab/history"
	"confab/service/api"
)

// ErrClosing is the cause with which running answers end when the program
// does: they become interrupted, not cancelled. A caller whose context ends
// because the program is told to end may cancel it with this cause.
var ErrClosing = errors.New("confab is closing")

// errStopped is the cause with which [Service.Stop] ends an answer.
var errStopped = errors.New("stopped by its owner")

// fail makes an error for people; its text becomes a whole sentence.
func fail(code api.Code, err error, format string, args ...any) *api.Error {
	return &api.Error{Code: code, Message: sentence(fmt.Sprintf(format, args...)), Err: err}
}

// sentence makes a text begin with a capital letter and end with a full stop.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(first)) + s[size:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// clause makes a sentence fit to stand behind a colon.
func clause(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsUpper(next) {
		return strings.TrimSuffix(s, ".") // an abbreviation
	}
	return string(unicode.ToLower(first)) + strings.TrimSuffix(s[size:], ".")
}

// usage makes an error about what was asked for.
func usage(format string, args ...any) *api.Error { return fail(api.CodeUsage, nil, format, args...) }

// closing is what is answered once Close was called.
func closing() *api.Error {
	return fail(api.CodeCancelled, ErrClosing, "confab is closing; start it again to go on")
}

// problemOf tells a person what is wrong with the store; nil when err is nil.
// An error that already is for people stays as it is.
func problemOf(err error) error {
	if err == nil {
		return nil
	}
	var known *api.Error
	if errors.As(err, &known) {
		return known
	}
	return storeProblem(err)
}

// storeProblem names what is wrong with the store in one sentence.
func storeProblem(err error) *api.Error {
	var several *history.AmbiguousNameError
	switch {
	case errors.As(err, &several):
		ids := make([]string, len(several.IDs))
		for i, id := range several.IDs {
			ids[i] = fmt.Sprintf("s%d", id)
		}
		return fail(api.CodeUsage, err, "there are %d sessions of that name, use an id instead: %s", len(ids),
			strings.Join(ids, ", "))
	case errors.Is(err, history.ErrNotFound):
		return fail(api.CodeUsage, err, "there is no such entry in the history; it may have been deleted")
	case errors.Is(err, context.Canceled), errors.Is(err, ErrClosing), errors.Is(err, errStopped):
		return fail(api.CodeCancelled, err, "cancelled before the history had answered")
	case errors.Is(err, context.DeadlineExceeded):
		return fail(api.CodeTimeout, err, "the history did not answer in time; try again")
	case errors.Is(err, history.ErrNewer):
		return fail(api.CodeStore, err, "the history was written by a newer confab and is left untouched; update confab "+
			"to use it")
	case errors.Is(err, history.ErrCorrupt):
		return fail(api.CodeStore, err, "the history file is damaged or is not a history; it is left untouched, copy it "+
			"aside to start a new one")
	case errors.Is(err, history.ErrBusy):
		return fail(api.CodeStore, err, "the history is locked by another program; try again when that one is done")
	case errors.Is(err, history.ErrFull), isFull(err):
		return fail(api.CodeDisk, err, "the disk of the history is full; make room and save again")
	case errors.Is(err, history.ErrGone):
		return fail(api.CodeStore, err, "the history file was moved or deleted while confab was using it; start confab again")
	case errors.Is(err, history.ErrReadOnly), errors.Is(err, fs.ErrPermission):
		return fail(api.CodeStore, err, "the history cannot be written; make its file and its folder writable")
	}
	return fail(api.CodeStore, err, "the history could not be used; the log says more")
}

// diskProblem names what is wrong with a folder or file in one sentence; what
// says what was to be done, as a verb. An error that already is for people stays
// as it is.
func diskProblem(what string, err error) *api.Error {
	if known := (*api.Error)(nil); errors.As(err, &known) {
		return known
	}
	why := "the disk refused it, the log says more"
	switch {
	case isFull(err):
		why = "the disk is full, make room and try again"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		why = "too many files are open, close some programs and try again"
	case errors.Is(err, syscall.EROFS):
		why = "the disk is read-only"
	case errors.Is(err, fs.ErrPermission):
		why = "the folder or file may not be written"
	case errors.Is(err, fs.ErrNotExist):
		why = "the folder or file is not there"
	case errors.Is(err, syscall.ENOTDIR):
		why = "a file stands where a folder should be"
	}
	return fail(api.CodeDisk, err, "could not %s: %s", what, why)
}

// isFull tells whether there is no room: a full disk, a quota, or a file
// larger than the process may write.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
