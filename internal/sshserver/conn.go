package sshserver

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"confab/internal/netaddr"

	"charm.land/ssh"
)

// conn is a network connection with time limits for the phases of a login.
type conn struct {
	net.Conn
	server        *Server
	addressPrefix netip.Prefix
	closeTimer    *time.Timer // closes the connection when it fires
	// The limiter guards these fields with its lock.
	admission   admission
	connectedAt time.Time
	offeredKey  string // the fingerprint of a key that could log in; offering it proves nothing
	userID      string // set once the user is admitted

	refused     atomic.Pointer[refusal] // the limit that the user has reached; the session only says so
	closeOnce   sync.Once
	isClosed    atomic.Bool
	hasSession  atomic.Bool // a connection has one session at most
	channel     atomic.Pointer[channel]
	closeReason atomic.Value // a string: the first reason for which the server closed the connection
}

// contextKey is the type of this package's keys in contexts of the SSH library.
type contextKey int

const connKey contextKey = 0

// connFromContext returns the connection of a context.
func connFromContext(ctx ssh.Context) *conn {
	c, _ := ctx.Value(connKey).(*conn)
	return c
}

// acceptConn accepts a connection, or says why not and closes it. RFC 4253 allows lines of text for people before the
// version line of SSH.
func (s *Server) acceptConn(ctx ssh.Context, raw net.Conn) net.Conn {
	if netaddr.IsBalancerCheck(raw) {
		if s.unreadiness() == "" {
			_, _ = raw.Write([]byte("SSH-2.0-confab\r\n")) // a check may look for it; it is closed then
		}
		return nil
	}
	c := &conn{Conn: raw, server: s,
		addressPrefix: netaddr.ClientNetwork(clientAddress(raw.RemoteAddr()))}
	c.closeTimer = time.AfterFunc(s.limits.HandshakeTimeout, func() { c.closeFor("handshake") })
	dropped, refused := s.limiter.addConn(c, time.Now())
	if refused != notRefused {
		c.closeTimer.Stop()
		s.refusalLog.Do(func() {
			s.log.Warn("Refused a connection", "from", raw.RemoteAddr().String(), "why", refused.sentence())
		})
		_ = raw.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = raw.Write([]byte("confab: " + refused.sentence() + "\r\n")) // it is closed whether this is read or not
		return nil
	}
	if dropped != nil {
		s.log.Info("Closed a connection that had not logged in, for a new one", "from", dropped.RemoteAddr().String(),
			"key", s.limiter.offeredKeyOf(dropped))
		dropped.closeFor("dropped")
	}
	ctx.SetValue(connKey, c)
	return c
}

// Write closes the connection of a client that stops reading.
func (c *conn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.server.limits.WriteTimeout)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// Close closes the connection and removes it from the limiter.
func (c *conn) Close() error {
	c.closeOnce.Do(func() {
		c.isClosed.Store(true)
		c.closeTimer.Stop()
		c.server.limiter.removeConn(c)
	})
	return c.Conn.Close()
}

// closeAfter closes the connection after d unless it is called again before.
func (c *conn) closeAfter(d time.Duration) {
	if c.closeTimer.Reset(d); c.isClosed.Load() {
		c.closeTimer.Stop()
	}
}

// noteCloseReason records why the server closes a connection. Only the first reason counts.
func (c *conn) noteCloseReason(why string) {
	c.closeReason.CompareAndSwap(nil, why)
}

// closeFor closes the connection for a reason.
func (c *conn) closeFor(why string) {
	c.noteCloseReason(why)
	_ = c.Conn.Close() // all reads and writes fail from now on, which ends the session
}
