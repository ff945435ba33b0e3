package api

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// errProxy and errNotLoopback are refusals of this package's own hooks.
var (
	errProxy       = errors.New("proxy refused the connection")
	errNotLoopback = errors.New("plain http to another machine refused")
)

// httpPrefix is how every HTTP/1 response begins.
const httpPrefix = "HTTP/"

// newTransport returns the transport that those of attempts are copies of. It sends one request per connection. Without
// reused connections net/http repeats nothing by itself; it asks for no compression, and speaks HTTP/1.1 only, whose
// connections end with their call.
func newTransport(o Options, maxHeader int64) *http.Transport {
	if o.Dial == nil {
		o.Dial = (&net.Dialer{}).DialContext
	}
	if o.Proxy == nil {
		o.Proxy = http.ProxyFromEnvironment
	}
	tlsConfig := &tls.Config{}
	if o.TLS != nil {
		tlsConfig = o.TLS.Clone()
	}
	tlsConfig.MinVersion = max(tlsConfig.MinVersion, tls.VersionTLS12)
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:       o.Proxy,
		DialContext: o.Dial,
		OnProxyConnectResponse: func(_ context.Context, _ *url.URL, _ *http.Request, r *http.Response) error {
			if r.StatusCode != http.StatusOK {
				return errProxy // its own text would be the proxy's, raw
			}
			return nil
		},
		TLSClientConfig:        tlsConfig,
		Protocols:              protocols,
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// transportFor returns the transport of one attempt, which ends with ctx. Plain http goes to this machine, to a proxy,
// or where it is allowed.
func (k *call) transportFor(ctx context.Context, at *attempt) *http.Transport {
	t := k.transport.Clone()
	isGuarded := k.base.Scheme == "http" && !k.allowsPlainHTTP
	t.Proxy = func(r *http.Request) (*url.URL, error) {
		u, err := k.transport.Proxy(r)
		isGuarded = isGuarded && u == nil
		return u, err
	}
	// The context that net/http passes lets a dial go on when the request has ended.
	t.DialContext = func(_ context.Context, network, addr string) (net.Conn, error) {
		inner, err := k.transport.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		if tcp, ok := inner.RemoteAddr().(*net.TCPAddr); ok && isGuarded && !tcp.IP.IsLoopback() {
			_ = inner.Close()
			return nil, errNotLoopback
		}
		return at.connected(ctx, inner), nil
	}
	return t
}

// conn is a connection of one attempt. It differs from a plain one in two ways, both for services that answer before
// they have read everything:
//   - a failed write is not reported, so that an answer which waits to be read
//     (a refusal of a large prompt) is read; where there is none, reading fails.
//   - nothing is read before something was written: net/http prints what comes
//     earlier to the standard logger, which would be on the screen.
type conn struct {
	net.Conn
	asked   chan struct{} // closed when the first write begins, or at Close
	once    sync.Once
	written atomic.Int64
	broken  atomic.Bool
	mu      sync.Mutex
	head    []byte // the first bytes read, at most len("HTTP/")
}

// Read waits for the first write.
func (c *conn) Read(b []byte) (int, error) {
	<-c.asked
	n, err := c.Conn.Read(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.head = append(c.head, b[:min(n, len(httpPrefix)-len(c.head))]...)
	return n, err
}

// Write reports success also when the peer is gone.
func (c *conn) Write(b []byte) (int, error) {
	c.once.Do(func() { close(c.asked) })
	if c.broken.Load() {
		return len(b), nil
	}
	n, err := c.Conn.Write(b)
	c.written.Add(int64(n))
	if err != nil {
		c.broken.Store(true)
	}
	return len(b), nil
}

// Close closes the connection.
func (c *conn) Close() error {
	c.once.Do(func() { close(c.asked) })
	return c.Conn.Close()
}

// drop closes the connection so that the peer learns it at once, even when it does not read what is still on the way.
func (c *conn) drop() {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// The phases of an attempt that have time limits.
const (
	phaseConnect = "connect"
	phaseHeader  = "header"
	phaseSilence = "silence"
	phaseWhole   = "whole"
)

// timeoutError says which phase of an attempt took longer than its limit.
type timeoutError struct {
	phase string
	limit time.Duration
}

// Error names the phase.
func (e *timeoutError) Error() string { return e.phase + " took longer than " + e.limit.String() }

// Timeout makes the error a timeout for net/http.
func (e *timeoutError) Timeout() bool { return true }

// watch ends an attempt when a phase of it takes too long.
type watch struct {
	cancel context.CancelCauseFunc
	mu     sync.Mutex
	timer  *time.Timer
}

// enter begins a phase, or begins the same one anew.
func (w *watch) enter(phase string, limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	w.timer = time.AfterFunc(limit, func() { w.cancel(&timeoutError{phase, limit}) })
}

func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
}
