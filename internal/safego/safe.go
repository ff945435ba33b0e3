// Package safego starts goroutines that cannot take the program down: a panic in
// one of them ends only its own work, and is reported with secrets masked.
package safego

import (
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
)

// Go runs work in a goroutine of its own. A panic is recovered, logged to log
// (a nil log discards it) under the given name, and passed to failed as an error unless failed is
// nil. Whoever builds log is in charge of masking what it writes.
func Go(log *slog.Logger, name string, work func(), failed func(error)) {
	go func() {
		defer Recover(log, name, failed)
		work()
	}()
}

// Recover is the deferred half of [Go], for goroutines started by others.
func Recover(log *slog.Logger, name string, failed func(error)) {
	cause := recover()
	if cause == nil {
		return
	}
	if log != nil {
		Log(log, cause, "in", name)
	}
	if failed != nil {
		failed(fmt.Errorf("%s: unexpected fault: %v", name, cause))
	}
}

// Log writes the line about a recovered panic, with the stack and the fields of whoever recovered it. The deferred
// function that recovers must call it. A value that is no error of Go itself may quote a prompt, so only its type is
// logged.
func Log(log *slog.Logger, cause any, fields ...any) {
	text := fmt.Sprintf("a panic with a %T", cause)
	if err, isRuntime := cause.(runtime.Error); isRuntime {
		text = err.Error()
	}
	log.With(fields...).Error("Recovered from a panic", "cause", text, "stack", string(debug.Stack()))
}
