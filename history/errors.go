package history

import (
	"errors"
	"fmt"
)

// These errors classify what can go wrong in a store; test for them with [errors.Is]. Messages of this package show
// only their texts. The error of the database or the system can be unwrapped for the log.
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

	// The reasons of a refusal wrap ErrRefused.
	ErrWrongPassword      = fmt.Errorf("%w: the password is wrong", ErrRefused)
	ErrWrongRole          = fmt.Errorf("%w: the role may not use it", ErrRefused)
	ErrWrongDatabase      = fmt.Errorf("%w: there is no such database", ErrRefused)
	ErrWrongCertificate   = fmt.Errorf("%w: its certificate cannot be verified", ErrRefused)
	ErrExpiredCertificate = fmt.Errorf("%w: its certificate has expired", ErrRefused)
)

// StoreError names the step of a store that failed, and the kind of the failure. It unwraps to Kind and Cause. Its
// text omits the cause, whose file names and statements mean nothing to a user.
type StoreError struct {
	Step  string // such as "record the turn"
	Kind  error  // one of the errors above, or ErrTaken
	Cause error  // the error of the database or the system; may be nil
}

func (e *StoreError) Error() string { return e.Step + ": " + e.Kind.Error() }

func (e *StoreError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// SetupError tells the operator of a database what to change before it can hold a history. Its message is a clause
// without a capital letter and may be shown.
type SetupError struct{ Message string }

func (e *SetupError) Error() string { return e.Message }
