// Package problem makes errors for people: an [api.Error] with a code and one whole sentence.
package problem

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
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/api"
)

// ErrClosing is the cause with which running answers end when the program ends: they become interrupted, not cancelled.
var ErrClosing = errors.New("confab is closing")

// ErrStopped is the cause with which the user ends an answer.
var ErrStopped = errors.New("stopped by its owner")

// New returns an error whose formatted text becomes a whole sentence.
func New(code api.Code, err error, format string, args ...any) *api.Error {
	return &api.Error{Code: code, Message: Sentence(fmt.Sprintf(format, args...)), Err: err}
}

// Sentence makes one line of a text that begins with a capital letter and ends with a full stop. What a text quotes
// from a file or a service may have any characters.
func Sentence(s string) string {
	s = format.Capitalize(termtext.Line(s))
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// Clause returns a sentence as it stands after a colon: without its capital letter and full stop.
func Clause(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsUpper(next) {
		return strings.TrimSuffix(s, ".") // an abbreviation
	}
	return string(unicode.ToLower(first)) + strings.TrimSuffix(s[size:], ".")
}

// Usage returns an error about what was asked for.
func Usage(format string, args ...any) *api.Error { return New(api.CodeUsage, nil, format, args...) }

// Store returns an error of the store with a sentence that says what is wrong; nil when err is nil. An error that
// already is for people stays as it is.
func Store(err error) error {
	if err == nil {
		return nil
	}
	var known *api.Error
	if errors.As(err, &known) {
		return known
	}
	return storeError(err)
}

func storeError(err error) *api.Error {
	var several *history.AmbiguousNameError
	var setup *history.SetupError
	switch {
	case errors.As(err, &several):
		ids := make([]string, len(several.IDs))
		for i, id := range several.IDs {
			ids[i] = fmt.Sprintf("s%d", id)
		}
		return New(api.CodeUsage, err, "there are %s of that name, use an id instead: %s",
			format.Count(len(ids), "session"), strings.Join(ids, ", "))
	case errors.Is(err, history.ErrNotFound):
		return New(api.CodeUsage, err, "there is no such entry in the history; it may have been deleted")
	case errors.Is(err, context.Canceled), errors.Is(err, ErrClosing), errors.Is(err, ErrStopped):
		return New(api.CodeCancelled, err, "cancelled before the history had answered")
	case errors.Is(err, context.DeadlineExceeded):
		return New(api.CodeTimeout, err, "the history did not answer in time; try again")
	case errors.Is(err, history.ErrShared):
		return New(api.CodeUsage, err,
			"it belongs to another user, who shares it to be read; fork it for a copy of your own")
	case errors.Is(err, history.ErrNewer):
		return New(api.CodeStore, err,
			"the history was written by a newer confab and is left untouched; update confab "+
				"to use it")
	case errors.Is(err, history.ErrCorrupt):
		return New(api.CodeStore, err,
			"the history file is damaged or is not a history; it is left untouched, copy it "+
				"aside to start a new one")
	case errors.As(err, &setup):
		return New(api.CodeStore, err, "%s", setup.Message)
	case errors.Is(err, history.ErrUnreachable):
		return New(api.CodeStore, err, "the history is not reachable; try again when it is back")
	case errors.Is(err, history.ErrWrongPassword):
		return New(api.CodeStore, err, "the database of the history does not take confab's password; set the current "+
			"one in CONFAB_HISTORY_PASSWORD or history.password_file")
	case errors.Is(err, history.ErrWrongRole):
		return New(api.CodeStore, err, "the database of the history does not let the role of history.url in, or not "+
			"to its tables; grant it that, or name another role")
	case errors.Is(err, history.ErrWrongDatabase):
		return New(api.CodeStore, err, "the server of the history has no such database; make it, "+
			"or name another one in history.url")
	case errors.Is(err, history.ErrExpiredCertificate):
		return New(api.CodeStore, err, "the certificate of the history's database has expired; its server needs a "+
			"new one")
	case errors.Is(err, history.ErrWrongCertificate):
		return New(api.CodeStore, err, "the certificate of the history's database cannot be verified; see to "+
			"its authority (sslrootcert) and the host name in history.url")
	case errors.Is(err, history.ErrRefused):
		return New(api.CodeStore, err, "the database of the history refuses confab: see to the role, the password and "+
			"the certificate of history.url")
	case errors.Is(err, history.ErrBusy):
		return New(api.CodeStore, err, "the history is locked by another program; try again when that one is done")
	case errors.Is(err, history.ErrFull), isFull(err):
		return New(api.CodeDisk, err, "the disk of the history is full; make room and save again")
	case errors.Is(err, history.ErrGone):
		return New(api.CodeStore, err, "the history file was moved or deleted while confab was using it; start "+
			"confab again")
	case errors.Is(err, history.ErrReadOnly), errors.Is(err, fs.ErrPermission):
		return New(api.CodeStore, err, "the history cannot be written; make its file and its folder writable")
	}
	return New(api.CodeStore, err, "the history could not be used; the log says more")
}

// Disk returns an error of a folder or file with a sentence that says what is wrong. The step is what was to be done,
// as a verb: "save the draft". An error that already is for people stays as it is.
func Disk(step string, err error) *api.Error {
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
	return New(api.CodeDisk, err, "could not %s: %s", step, why)
}

// isFull reports whether nothing more can be written: a full disk, a disk quota, or a file as large as the process may
// write.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
