// Package cli is the command line: commands and flags, and the wiring of configuration, store, service and screen for
// each of them. It holds no logic that a screen also needs; that is the service's.
//
// [Run] is the whole program. Everything it has of the outside comes in an [Env], so that tests run it many times in
// one process. Before the screen's first frame nothing is opened, asked or started that the frame does not show.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"confab/internal/cli/panicguard"
	"confab/internal/safego"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/problem"
)

// Run carries out one call of the program and returns its exit code. Answers go to the environment's standard output,
// everything else to its standard error. A panic is caught: it ends the run with a masked report in a file.
func Run(ctx context.Context, args []string, env Env) (code int) {
	a := newApp(env)
	defer func() {
		if cause := recover(); cause != nil {
			fault := &panicguard.Fault{}
			fault.Catch(cause)
			code = a.report(fault)
		}
		if a.logFile != nil {
			_ = a.logFile.Close() // nobody can be told any more
		}
	}()
	if env.Signals == nil {
		// Writing to a pipe that nobody reads any more is then an error like
		// another, and does not end the program before it has stored what runs.
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGPIPE)
		defer signal.Stop(c)
	}
	root := a.root()
	root.SetArgs(append([]string{}, args...)) // nil would mean the process's own
	err := root.ExecuteContext(ctx)
	return a.end(cmp.Or(err, a.helpErr))
}

// end tells why a command ended, and returns the exit code.
func (c *console) end(err error) int {
	var silent exitCode
	switch {
	case err == nil, errors.As(err, &silent):
		return codeOf(err)
	case errors.Is(err, syscall.EPIPE):
		return exitFailed // who read has gone, and knows it
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

// errInterrupted is the cause with which a signal ends what runs: its answers become cancelled.
var errInterrupted = fmt.Errorf("interrupted: %w", context.Canceled)

// saveWait is how long what came of the answers may still be stored after a second signal.
const saveWait = time.Second

// untilSignal returns a context that the first signal ends. ctrl+c cancels what runs; being told to end leaves it
// interrupted, to be run again. A second signal gives the program a second to store what came of it, a third one none.
// A signal but ctrl+c ends nothing when handle, which may be nil, reports that the program continues; more are signals
// for handle alone.
func (c *console) untilSignal(ctx context.Context, handle func(context.Context, os.Signal) (continues bool),
	more ...os.Signal) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, release := c.signals(append(more, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)...)
	ended := make(chan struct{})
	safego.Go(c.log, "signals", func() {
		defer release()
		var limit <-chan time.Time // set by the second signal
		for {
			select {
			case s := <-signals:
				switch {
				case limit != nil:
					c.exitAtOnce()
				case ctx.Err() != nil:
					limit = time.After(saveWait)
				case s == os.Interrupt:
					cancel(errInterrupted)
				case handle == nil || !handle(ctx, s):
					cancel(service.ErrClosing)
				}
			case <-limit:
				c.exitAtOnce()
			case <-ended:
				return
			}
		}
	}, nil)
	return ctx, sync.OnceFunc(func() {
		cancel(nil)
		close(ended)
	})
}

// exitAtOnce ends the process, unless the signals are not the process's own but those of a client that it serves.
func (c *console) exitAtOnce() {
	if c.env.Signals == nil {
		os.Exit(exitInterrupted)
	}
}

// signals returns where signals arrive until release is called.
func (c *console) signals(which ...os.Signal) (arrive <-chan os.Signal, release func()) {
	if c.env.Signals != nil {
		return c.env.Signals, func() {}
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, which...)
	return signals, func() { signal.Stop(signals) }
}

// The exit codes of the program.
const (
	exitDone        = 0
	exitFailed      = 1   // an answer failed, or the command did
	exitUsage       = 2   // nothing was done: the call or the configuration is wrong
	exitTimeout     = 124 // as of timeout(1)
	exitInterrupted = 130 // as of a shell
)

// exitCode ends a command with a code of its own, when what there was to say has been said.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func codeOf(err error) int {
	var e exitCode
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

// asClause makes one clause of a message that is a sentence by itself, to stand after "confab: ".
func asClause(message string) string {
	return problem.Clause(strings.TrimRight(termtext.Line(message), "."))
}

// interrupted says that a signal came before anything was sent.
func interrupted(ctx context.Context) error {
	return &api.Error{Code: api.CodeCancelled, Message: "interrupted before anything was sent", Err: context.Cause(ctx)}
}
