package cli

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"confab/internal/safego"
	"confab/internal/termtext"
	"confab/service/api"
)

// listenTCP opens the port of a server. Its errors are [*api.Error].
func listenTCP(ctx context.Context, address string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, &api.Error{Code: api.CodeNetwork, Err: err, Message: fmt.Sprintf(
			"cannot listen on %s; it may be taken already, or not be of this machine", termtext.Line(address))}
	}
	return l, nil
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

// maskedLogWriter writes each line of a log to standard error at once, with API keys masked.
type maskedLogWriter struct{ app *app }

// Write implements [io.Writer]; each write is a whole line.
func (w maskedLogWriter) Write(line []byte) (int, error) {
	w.app.info(termtext.Line(string(line)))
	return len(line), nil
}

// checkSecretFile refuses a file of secrets that others on this machine can read or write. A file of root's may be
// readable by its group, as system-wide certificates are. A missing file is not an error here: reading it will be.
func checkSecretFile(setting, path string) error {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" {
		return nil
	}
	mode := info.Mode().Perm()
	if mode&0o077 == 0 || mode&0o037 == 0 && ownedByRoot(info) {
		return nil
	}
	return &api.Error{Code: api.CodeConfig, Err: fs.ErrPermission, Message: fmt.Sprintf(
		"%s: the file %s can be read by others on this machine: run chmod 600 on it", setting, termtext.Line(path))}
}
