package history

import (
	"errors"
	"fmt"
)

// The ways in which the store can fail, to be told apart with [errors.Is]. Their texts are all a message of this
// package ever says; what SQLite or the system said stays reachable by unwrapping, for the log.
var (
	ErrNotFound = errors.New("there is no such entry in the history")
	ErrShared   = errors.New("the entry is another user's, who shares it to be read")
	ErrNewer    = errors.New("the history was written by a newer release")
	ErrCorrupt  = errors.New("the history file is damaged or is not a history")
	ErrBusy     = errors.New("the history is locked by another program")
	ErrFull     = errors.New("the disk is full")
	ErrReadOnly = errors.New("the history may not be written")
	ErrGone     = errors.New("the history file was removed or replaced while it was open")
	ErrIO       = errors.New("the history could not be read or written")

	ErrUnreachable = errors.New("the history is not reachable")
	ErrRefused     = errors.New("the database of the history refuses the program")

	// Why it does; each is an ErrRefused as well.
	ErrWrongPassword      = fmt.Errorf("%w: the password is wrong", ErrRefused)
	ErrWrongRole          = fmt.Errorf("%w: the role may not use it", ErrRefused)
	ErrWrongDatabase      = fmt.Errorf("%w: there is no such database", ErrRefused)
	ErrWrongCertificate   = fmt.Errorf("%w: its certificate cannot be verified", ErrRefused)
	ErrExpiredCertificate = fmt.Errorf("%w: its certificate has expired", ErrRefused)
)

// StoreError says which step of a store failed and how. It unwraps to both Kind and Cause; its text leaves the cause
// out, which may name files and statements that mean nothing to a user.
type StoreError struct {
	Step  string // what the store was doing, such as "record the turn"
	Kind  error  // one of the errors above, or ErrTaken
	Cause error  // what the database or the system said; nil when there is nothing more to say
}

func (e *StoreError) Error() string { return e.Step + ": " + e.Kind.Error() }

// Unwrap returns the kind and the cause.
func (e *StoreError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// SetupError says what the operator of a database has to change before it can hold a history. Its message is a clause
// without a capital letter and may be shown.
type SetupError struct{ Message string }

func (e *SetupError) Error() string { return e.Message }
