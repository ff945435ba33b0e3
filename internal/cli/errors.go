package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"confab/internal/termtext"
	"confab/service/api"
)

// The exit codes of the program.
const (
	exitDone        = 0
	exitFailed      = 1   // an answer failed, or the command did
	exitUsage       = 2   // nothing was done: the call or the configuration is wrong
	exitTimeout     = 124 // as of timeout(1)
	exitInterrupted = 130 // as of a shell
)

// exit ends a command with a code of its own, when what there was to say has
// been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usage makes an error about how the program was called.
func usage(format string, args ...any) *api.Error {
	return &api.Error{Code: api.CodeUsage, Message: fmt.Sprintf(format, args...)}
}

// codeOf returns the exit code of an error.
func codeOf(err error) int {
	var e exit
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &e):
		return int(e)
	}
	switch api.CodeOf(err) {
	case api.CodeUsage, api.CodeConfig, api.CodeUnknownModel:
		return exitUsage
	case api.CodeTimeout:
		return exitTimeout
	case api.CodeCancelled:
		return exitInterrupted
	}
	return exitFailed
}

// sentence writes an error for people: one line, cleaned, the code at its end.
func sentence(err error) string {
	var known *api.Error
	if !errors.As(err, &known) {
		return termtext.Line(err.Error()) + " (service)"
	}
	return asClause(known.Message) + " (" + string(known.Code) + ")"
}

// said makes one clause of a message that is a sentence by itself, to stand
// after "confab: ".
func asClause(message string) string {
	text := strings.TrimRight(termtext.Line(message), ".")
	first, size := utf8.DecodeRuneInString(text)
	next, _ := utf8.DecodeRuneInString(text[size:])
	if unicode.IsUpper(first) && (unicode.IsLower(next) || next == ' ') {
		text = string(unicode.ToLower(first)) + text[size:]
	}
	return text
}

// interrupted says that a signal came before anything was sent.
func interrupted(ctx context.Context) error {
	return &api.Error{Code: api.CodeCancelled, Message: "interrupted before anything was sent", Err: context.Cause(ctx)}
}
