package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"confab/internal/safego"
	"confab/service"
)

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
		os.Exit(ExitInterrupted)
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
