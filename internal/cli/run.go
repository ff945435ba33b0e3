package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"confab/internal/safego"
	"confab/service"
	"confab/service/api"
)

// Run carries out one call of the program and returns its exit code. Answers
// go to the environment's standard output, everything else to its standard
// error. A panic is caught: it ends the run with a masked report in a file.
func Run(ctx context.Context, args []string, env Env) (code int) {
	a := newApp(env)
	defer func() {
		if cause := recover(); cause != nil {
			c := &crash{}
			c.caught(cause)
			code = a.report(c)
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
func (a *app) end(err error) int {
	var silent exit
	switch {
	case err == nil, errors.As(err, &silent):
		return codeOf(err)
	case errors.Is(err, syscall.EPIPE):
		return exitFailed // who read has gone, and knows it
	}
	if api.CodeOf(err) == "" {
		if a.running {
			if a.log != nil {
				a.log.Error("A command failed", "error", err)
			}
		} else {
			err = usage("%s", firstLine(err.Error()))
		}
	}
	a.info("confab: " + sentence(err))
	return codeOf(err)
}

// firstLine returns the first line of what the flag library says.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// errInterrupted is the cause with which a signal ends what runs: its answers
// become cancelled.
var errInterrupted = fmt.Errorf("interrupted: %w", context.Canceled)

// interruptible returns a context that the first signal ends. ctrl+c cancels
// what runs; being told to end leaves it interrupted, to be run again. A second
// signal has its usual effect.
func (a *app) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	return a.untilSignal(ctx, func(context.Context) (goesOn bool) { return false })
}

// untilSignal returns a context that the first signal ends, but for SIGHUP when hangup says that all goes on.
func (a *app) untilSignal(ctx context.Context, hangup func(context.Context) (goesOn bool)) (context.Context,
	context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, release := a.signals(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	safego.Go(a.log, "signals", func() {
		defer release()
		for ctx.Err() == nil {
			select {
			case s := <-signals:
				switch {
				case s == os.Interrupt:
					cancel(errInterrupted)
				case s != syscall.SIGHUP || !hangup(ctx):
					cancel(service.ErrClosing)
				}
			case <-ctx.Done():
			}
		}
	}, nil)
	return ctx, func() { cancel(nil) }
}

// signals returns where signals arrive until release is called.
func (a *app) signals(which ...os.Signal) (arrive <-chan os.Signal, release func()) {
	if a.env.Signals != nil {
		return a.env.Signals, func() {}
	}
	c := make(chan os.Signal, 2)
	signal.Notify(c, which...)
	return c, func() { signal.Stop(c) }
}
