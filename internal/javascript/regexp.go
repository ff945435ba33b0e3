// Package javascript evaluates JavaScript with the QuickJS engine, bounded in time and memory. Scripts reach no file,
// no network and no clock but Date.
package javascript

import (
	"context"
	"errors"
	"time"

	"modernc.org/quickjs"
)

// The bounds of one evaluation.
const (
	maxTime   = time.Second
	maxMemory = 64 << 20 // bytes
)

// ErrLimit means that an evaluation was stopped: it needed more time or memory than it may have, or the context ended.
var ErrLimit = errors.New("it needs too much time or memory")

// MatchRegexp reports whether a regular expression with flags matches a part of a text. The error is [ErrLimit] or
// describes the syntax of the expression.
func MatchRegexp(ctx context.Context, source, flags, text string) (bool, error) {
	vm, err := newVM()
	if err != nil {
		return false, err
	}
	defer vm.Close()                             //nolint:errcheck // nothing can be done about it
	defer context.AfterFunc(ctx, vm.Interrupt)() // the engine asks for it while it searches
	matched, err := vm.Call(`(source, flags, text) => new RegExp(source, flags).test(text)`, source, flags, text)
	var e *quickjs.Error
	switch {
	case err == nil:
		return matched == true, nil
	case errors.As(err, &e) && e.Name == "SyntaxError":
		return false, errors.New(e.Message)
	}
	return false, ErrLimit
}

func newVM() (*quickjs.VM, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, err
	}
	vm.SetMemoryLimit(maxMemory)
	return vm, vm.SetEvalTimeout(maxTime)
}
