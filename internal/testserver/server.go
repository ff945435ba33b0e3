// Package testserver is a service for tests that gives wrong answers on the text and picture endpoints of the
// contract: dropped and stalled connections, broken framing, wrong types of bodies, decompression bombs, redirects,
// copies of the key, escape sequences. It records requests.
//
// A request that does not conform to the contract is refused and fails the test.
//
// A name selects the behaviour: set by [Server.SetBehaviour], at the end of a base URL as /be/<name>, or as the slug
// of a model. [Names] lists them; behaviours.txt describes them.
package testserver

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// ReceivedRequest is a request that a [Server] received.
type ReceivedRequest struct {
	Behaviour string
	Method    string
	Path      string
	Proto     string
	Header    http.Header
	Body      string
	TLS       bool
	At        time.Time
	Closed    time.Time // when the client closed the connection; zero before
}

// Server is a hostile service on loopback. Its methods are safe for concurrent use.
type Server struct {
	URL   string        // http://127.0.0.1:<port>
	Other *Server       // another host, the target of redirects, which should receive nothing
	Late  time.Duration // delay of the behaviour late, 5 s unless set before use

	t testing.TB

	mu        sync.Mutex
	offered   []string
	behaviour string
	seen      []*ReceivedRequest
	conns     int
	open      map[net.Conn]bool
	listeners []net.Listener
	closed    bool
	changed   chan struct{} // closed and replaced at every record
	work      sync.WaitGroup
}

// New starts a [Server] that closes at the end of the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := start(t)
	s.Other = start(t)
	return s
}

func start(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, open: map[net.Conn]bool{}, changed: make(chan struct{}), Late: 5 * time.Second}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	s.URL = "http://" + l.Addr().String()
	s.serve(l, false)
	t.Cleanup(s.Close)
	return s
}

// StartTLS makes the server also answer https with a certificate for the given name or address, and returns its
// address and a configuration that trusts it.
func (s *Server) StartTLS(t testing.TB, name string) (string, *tls.Config) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	certificate, pool := certify(t, name)
	s.serve(tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{certificate}}), true)
	return "https://" + l.Addr().String(), &tls.Config{RootCAs: pool}
}

// SetBehaviour sets the behaviour from the next connection on, regardless of the request; "" lets the request select
// it.
func (s *Server) SetBehaviour(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviour = name
}

// Offer allows requests to use extensions of the contract: "stream", "messages", "params", "images".
func (s *Server) Offer(extensions ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offered = extensions
}

// Seen returns the requests so far.
func (s *Server) Seen() []ReceivedRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []ReceivedRequest
	for _, one := range s.seen {
		out = append(out, *one)
	}
	return out
}

// Connections returns the number of accepted connections.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns
}

// Open returns the number of open connections.
func (s *Server) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// Await waits until ok returns true, calling it at every record, and reports whether it did within d.
func (s *Server) Await(d time.Duration, ok func() bool) bool {
	over := time.After(d)
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if ok() {
			return true
		}
		select {
		case <-changed:
		case <-over:
			return false
		}
	}
}

// record changes the records.
func (s *Server) record(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
}

// Forget deletes the records.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen, s.conns = nil, 0
}

// Close closes every connection and waits for running goroutines.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	for _, l := range s.listeners {
		_ = l.Close()
	}
	for c := range s.open {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.work.Wait()
}

func (s *Server) serve(l net.Listener, secure bool) {
	s.mu.Lock()
	s.listeners = append(s.listeners, l)
	s.mu.Unlock()
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		for {
			raw, err := l.Accept()
			if err != nil {
				return
			}
			var chosen string
			s.record(func() {
				s.conns++
				s.open[raw] = true
				chosen = s.behaviour
				if s.closed {
					_ = raw.Close()
				}
			})
			s.work.Add(1)
			go func() {
				defer s.work.Done()
				s.handle(&conn{Conn: raw, server: s, secure: secure}, chosen)
			}()
		}
	}()
}

// handle runs the behaviour of one connection.
func (s *Server) handle(c *conn, chosen string) {
	defer func() {
		_ = c.Close()
		s.record(func() { delete(s.open, c.Conn) })
	}()
	if act, ok := onAccept()[chosen]; ok {
		act(c)
		return
	}
	c.in = bufio.NewReader(c)
	for c.next(chosen) {
	}
}

// next reads and answers a request; it reports whether another may follow on the connection.
func (c *conn) next(chosen string) bool {
	r, err := http.ReadRequest(c.in)
	if err != nil {
		return false
	}
	name := chosen
	for _, candidate := range strings.Split(r.URL.Path, "/") {
		if name == "" && find(candidate) != nil {
			name = candidate
		}
	}
	if name == "" {
		name = "ok"
	}
	c.picture = strings.Contains(r.URL.Path, "/generative/")
	c.seen = &ReceivedRequest{Behaviour: name, Method: r.Method, Path: r.URL.Path, Proto: r.Proto, Header: r.Header,
		TLS: c.secure,
		At:  time.Now()}
	var offered []string
	c.server.record(func() {
		offered = c.server.offered
		c.nth = 1
		for _, one := range c.server.seen {
			if one.Path == r.URL.Path {
				c.nth++
			}
		}
		c.server.seen = append(c.server.seen, c.seen)
	})
	err = checkHead(r, offered)
	if !strings.HasPrefix(name, "early-") {
		body, readErr := io.ReadAll(r.Body)
		if readErr != nil {
			return false
		}
		c.server.record(func() { c.seen.Body = string(body) })
		if err == nil {
			err = checkBody(r, body, offered)
		}
	}
	if err != nil {
		c.server.t.Errorf("the service was sent %v", err)
		c.reply(http.StatusBadRequest, "application/json", refusal(err))
		return false
	}
	c.request = r
	act := find(name)
	if act == nil {
		c.reply(599, "text/plain", "no behaviour is called "+name)
		return false
	}
	act(c)
	return name == "keepalive"
}
