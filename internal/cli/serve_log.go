package cli

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"confab/ui/terminal"
)

// accessLog returns where the line of each request goes.
func (a *app) accessLog(quiet bool) *slog.Logger {
	switch {
	case quiet, a.cfg.Serve.Log == "off":
		return slog.New(slog.DiscardHandler)
	case a.cfg.Serve.Log == "json":
		return slog.New(slog.NewJSONHandler(maskedWriter{a}, nil))
	}
	return slog.New(slog.NewTextHandler(maskedWriter{a}, nil))
}

// maskedWriter writes lines of a log to standard error.
type maskedWriter struct{ a *app }

// Write implements [io.Writer]; each write is a whole line.
func (w maskedWriter) Write(line []byte) (int, error) {
	w.a.say(terminal.Line(string(line)))
	return len(line), nil
}

// tlsFiles are a certificate and its key in files, read again when they
// change, so that a renewed one needs no restart.
type tlsFiles struct {
	cert, key string

	mu     sync.Mutex
	held   *tls.Certificate
	stamp  time.Time
	looked time.Time
}

// get implements GetCertificate of [tls.Config]. A changed certificate that
// cannot be used leaves the old one in use.
func (t *tlsFiles) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	const look = 10 * time.Second
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held != nil && time.Since(t.looked) < look {
		return t.held, nil
	}
	t.looked = time.Now()
	info, err := os.Stat(t.cert)
	if err == nil && t.held != nil && info.ModTime().Equal(t.stamp) {
		return t.held, nil
	}
	if err == nil {
		var c tls.Certificate
		if c, err = tls.LoadX509KeyPair(t.cert, t.key); err == nil {
			t.held, t.stamp = &c, info.ModTime()
		}
	}
	if t.held == nil {
		return nil, fmt.Errorf("load the certificate: %w", err)
	}
	return t.held, nil
}
