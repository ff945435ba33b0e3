package sshserver

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/ssh"
)

// conn is a connection with the times that it has for things.
type conn struct {
	net.Conn
	server *Server
	from   netip.Prefix
	timer  *time.Timer // closes it when it fires
	// What the limiter knows of it, guarded by the limiter's lock.
	admission  admission
	began      time.Time
	hasOffered bool   // a key that could log in
	userID     string // once admitted

	refused atomic.Pointer[refusal] // why its user is in no more than to be told so
	gone    sync.Once
	left    atomic.Bool
	used    atomic.Bool // it has, or had, its session
	sent    atomic.Uint64
	why     atomic.Pointer[string] // the first reason for which the server closed it
}

// contextKey is the type of this package's keys in the library's contexts.
type contextKey int

const connKey contextKey = 0

// connOf returns the connection of a context.
func connOf(ctx ssh.Context) *conn {
	c, _ := ctx.Value(connKey).(*conn)
	return c
}

// accept lets a connection in, or tells why not and closes it. What is sent
// before the version line of SSH is text for people, as RFC 4253 allows.
func (s *Server) accept(ctx ssh.Context, raw net.Conn) net.Conn {
	c := &conn{Conn: raw, server: s, from: network(raw.RemoteAddr())}
	c.timer = time.AfterFunc(s.limits.Handshake, func() { c.end("handshake") })
	dropped, refused := s.limiter.enter(c, time.Now())
	if refused != notRefused {
		c.timer.Stop()
		s.facts.refused.Inc(string(refused))
		_ = raw.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = raw.Write([]byte("confab: " + refused.sentence() + "\r\n")) // it is closed in either case
		return nil
	}
	if dropped != nil {
		dropped.end("dropped")
	}
	ctx.SetValue(connKey, c)
	return c
}

// Write gives up on a client that takes nothing.
func (c *conn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.server.limits.Write)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(p)
	c.sent.Add(uint64(n))
	return n, err
}

// Close counts it out.
func (c *conn) Close() error {
	c.gone.Do(func() {
		c.left.Store(true)
		c.timer.Stop()
		c.server.limiter.leave(c)
		c.server.facts.sent.Add(float64(c.sent.Load()))
	})
	return c.Conn.Close()
}

// within gives the client that long for what comes next.
func (c *conn) within(d time.Duration) {
	if c.timer.Reset(d); c.left.Load() {
		c.timer.Stop()
	}
}

// because notes why the server ends a connection; the first reason is counted.
func (c *conn) because(why string) {
	if c.why.CompareAndSwap(nil, &why) {
		c.server.facts.closed.Inc(why)
	}
}

// end closes the connection for a reason.
func (c *conn) end(why string) {
	c.because(why)
	_ = c.Conn.Close() // reading and writing fail from now on, and everything ends in order
}

// closedFor returns the reason for which the server closed it, "" for none.
func (c *conn) closedFor() string {
	if why := c.why.Load(); why != nil {
		return *why
	}
	return ""
}
