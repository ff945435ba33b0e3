package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/problem"
)

// reportEnd tells why a command ended, and returns the exit code.
func (c *console) reportEnd(err error) int {
	var silent exitCode
	switch {
	case err == nil, errors.As(err, &silent):
		return codeOf(err)
	case errors.Is(err, syscall.EPIPE):
		return ExitFailed // who read has gone, and knows it
	}
	if api.CodeOf(err) == "" {
		if c.running {
			if c.log != nil {
				c.log.Error("A command failed", "error", err)
			}
		} else {
			err = problem.Usage("%s", firstLine(err.Error()))
		}
	}
	c.info("confab: " + sentence(err))
	return codeOf(err)
}

// firstLine returns the first line of what the flag library says.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// The exit codes of the program.
const (
	ExitDone        = 0
	ExitFailed      = 1   // an answer failed, or the command did
	ExitUsage       = 2   // nothing was done: the call or the configuration is wrong
	ExitTimeout     = 124 // as of timeout(1)
	ExitInterrupted = 130 // as of a shell
)

// exitCode ends a command with a code of its own, when what there was to say has been said.
type exitCode int

// Error implements error.
func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func codeOf(err error) int {
	var e exitCode
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &e):
		return int(e)
	}
	switch api.CodeOf(err) {
	case api.CodeUsage, api.CodeConfig, api.CodeUnknownModel:
		return ExitUsage
	case api.CodeTimeout:
		return ExitTimeout
	case api.CodeCancelled:
		return ExitInterrupted
	}
	return ExitFailed
}

// sentence writes an error for people: one line, cleaned, the code at its end.
func sentence(err error) string {
	var known *api.Error
	if !errors.As(err, &known) {
		return termtext.Line(err.Error()) + " (service)"
	}
	return asClause(known.Message) + " (" + string(known.Code) + ")"
}

// asClause makes one clause of a message that is a sentence by itself, to stand after "confab: ".
func asClause(message string) string {
	return problem.Clause(strings.TrimRight(termtext.Line(message), "."))
}

// interrupted says that a signal came before anything was sent.
func interrupted(ctx context.Context) error {
	return &api.Error{Code: api.CodeCancelled, Message: "interrupted before anything was sent", Err: context.Cause(ctx)}
}
