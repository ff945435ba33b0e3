package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"confab/internal/format"
	"confab/internal/safego"
	"confab/internal/termtext"
)

// healthTimeout is how long a reader of health may take for a request and for the response.
const healthTimeout = 10 * time.Second

// serveHealth serves /healthz and /readyz on an address of their own until stop is called. An empty address serves
// nothing.
func (a *app) serveHealth(ctx context.Context, log *slog.Logger, address string, handler http.Handler) (
	stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	l, err := listenTCP(ctx, address)
	if err != nil {
		return nil, err
	}
	server := &http.Server{
		Handler: handler, ReadTimeout: healthTimeout, WriteTimeout: healthTimeout, IdleTimeout: healthTimeout,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	finished := make(chan struct{})
	safego.Go(log, "health", func() {
		defer close(finished)
		_ = server.Serve(l) // it always ends with an error, after Close with ErrServerClosed
	}, nil)
	a.info(fmt.Sprintf("health is on http://%s/healthz and /readyz", l.Addr()))
	return func() { _ = server.Close(); <-finished }, nil
}

// newAccessLog returns the log of requests and a function that writes what is still buffered, to be called at the end.
func (a *app) newAccessLog() (log *slog.Logger, closeLog func()) {
	if a.flags.quiet || a.config.Serve.Log == "off" {
		return slog.New(slog.DiscardHandler), func() {}
	}
	clean := func(line string) string { return a.secrets.Masker().String(termtext.Line(line)) }
	l := newBackgroundLog(a.err, clean, func(lines int) string {
		return "confab: " + format.Several(lines, "line of the log was", "lines of the log were") +
			" left out here, as nothing took them"
	})
	if a.config.Serve.Log == "json" {
		return slog.New(slog.NewJSONHandler(l, nil)), l.Close
	}
	return slog.New(slog.NewTextHandler(l, nil)), l.Close
}

// maskedLogWriter writes each line of a log to standard error at once, with API keys masked.
type maskedLogWriter struct{ app *app }

// Write implements [io.Writer]; each write is a whole line.
func (w maskedLogWriter) Write(line []byte) (int, error) {
	w.app.info(termtext.Line(string(line)))
	return len(line), nil
}

// tuneCollector sets by how many percent of the live memory the heap may grow before it is collected, and has the
// collector work harder near four fifths of the memory that the process may have, before the system ends it. GOGC and
// GOMEMLIMIT in the environment come first. The returned function restores the settings before.
func (a *app) tuneCollector(percent int) (restore func()) {
	percentBefore, limitBefore := -1, debug.SetMemoryLimit(-1)
	if a.env.Get("GOGC") == "" {
		percentBefore = debug.SetGCPercent(percent)
	}
	_, err := memlimit.SetGoMemLimitWithOpts(memlimit.WithRatio(0.8),
		memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)))
	if err != nil {
		a.log.Debug("The memory of this machine is not known", "error", err)
	}
	return func() {
		if a.env.Get("GOGC") == "" {
			debug.SetGCPercent(percentBefore)
		}
		debug.SetMemoryLimit(limitBefore)
	}
}
