package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"confab/internal/cli/logs"
	"confab/internal/netaddr"
	"confab/internal/safego"
	"confab/internal/termtext"
	"confab/service/api"
)

// listenTCP opens the port of a server that may be behind balancers, which are addresses or networks. Its errors are
// [*api.Error].
func listenTCP(ctx context.Context, address string, balancers ...string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, &api.Error{Code: api.CodeNetwork, Err: err, Message: fmt.Sprintf(
			"cannot listen on %s; it may be taken already, or not be of this machine", termtext.Line(address))}
	}
	return netaddr.BehindBalancers(l, netaddr.Networks(balancers)), nil
}

// metricsTimeout is how long a reader of metrics may take for a request and for the response.
const metricsTimeout = 10 * time.Second

// serveMetrics serves metrics and health on an address of their own until stop is called. An empty address serves
// nothing. announcement is printed with the address in the place of its verb.
func (a *app) serveMetrics(
	ctx context.Context, log *slog.Logger, address, announcement string, handler http.Handler,
) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	l, err := listenTCP(ctx, address)
	if err != nil {
		return nil, err
	}
	server := &http.Server{
		Handler: handler, ReadTimeout: metricsTimeout, WriteTimeout: metricsTimeout, IdleTimeout: metricsTimeout,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	finished := make(chan struct{})
	safego.Go(log, "metrics", func() {
		defer close(finished)
		_ = server.Serve(l) // it always ends with an error, after Close with ErrServerClosed
	}, nil)
	a.info(fmt.Sprintf(announcement, l.Addr()))
	return func() { _ = server.Close(); <-finished }, nil
}

// setGCPercent sets by how many percent of the live memory the heap may grow before it is collected, unless GOGC in
// the environment says so. The returned function restores the setting before.
func (a *app) setGCPercent(percent int) (restore func()) {
	if a.env.get("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// newAccessLog returns the log of requests and a function that writes what is still buffered, to be called at the end.
func (a *app) newAccessLog() (log *slog.Logger, closeLog func()) {
	if a.flags.quiet || a.cfg.Serve.Log == "off" {
		return slog.New(slog.DiscardHandler), func() {}
	}
	clean := func(line string) string { return a.secrets.Masker().String(termtext.Line(line)) }
	l := logs.NewBackground(a.err, clean, func(lines int) string {
		return fmt.Sprintf("confab: %d lines of the log were left out here, as nothing took them", lines)
	})
	if a.cfg.Serve.Log == "json" {
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
