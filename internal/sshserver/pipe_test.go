package sshserver_test

import (
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// bufferedPipe is one direction of a connection within the process: like a socket it
// takes some before anybody reads, which net.Pipe does not.
type bufferedPipe struct {
	mu     sync.Mutex
	change *sync.Cond
	b      []byte
	closed bool
}

const wireRoom = 64 << 10

func newWire() *bufferedPipe {
	w := &bufferedPipe{}
	w.change = sync.NewCond(&w.mu)
	return w
}

func (w *bufferedPipe) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.change.Broadcast()
}

// deadline is a deadline of one direction of one end.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

// set is called with the wire's lock held.
func (l *deadline) set(w *bufferedPipe, t time.Time) {
	if l.timer != nil {
		l.timer.Stop()
	}
	l.at = t
	if !t.IsZero() {
		l.timer = time.AfterFunc(max(0, time.Until(t)), func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.change.Broadcast()
		})
	}
}

func (l *deadline) passed() bool { return !l.at.IsZero() && !time.Now().Before(l.at) }

// pipeEnd is one end of two wires.
type pipeEnd struct {
	in, out      *bufferedPipe
	inBy, outBy  deadline
	local, peers net.Addr
}

// newPipe returns the two ends of a connection from an address.
func newPipe(from net.Addr) (server, client net.Conn) {
	a, b := newWire(), newWire()
	here := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 2222}
	return &pipeEnd{in: a, out: b, local: here, peers: from}, &pipeEnd{in: b, out: a, local: from, peers: here}
}

func (e *pipeEnd) Read(p []byte) (int, error) {
	w := e.in
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.b) == 0 {
		switch {
		case e.inBy.passed():
			return 0, os.ErrDeadlineExceeded
		case w.closed:
			return 0, io.EOF
		}
		w.change.Wait()
	}
	n := copy(p, w.b)
	w.b = w.b[n:]
	w.change.Broadcast()
	return n, nil
}

func (e *pipeEnd) Write(p []byte) (done int, err error) {
	w := e.out
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(p) > 0 {
		switch {
		case w.closed:
			return done, io.ErrClosedPipe
		case e.outBy.passed():
			return done, os.ErrDeadlineExceeded
		case len(w.b) >= wireRoom:
			w.change.Wait()
			continue
		}
		n := min(len(p), wireRoom-len(w.b))
		w.b = append(w.b, p[:n]...)
		p, done = p[n:], done+n
		w.change.Broadcast()
	}
	return done, nil
}

func (e *pipeEnd) Close() error {
	for _, w := range []*bufferedPipe{e.in, e.out} {
		w.close()
	}
	for _, l := range []struct {
		w *bufferedPipe
		l *deadline
	}{{e.in, &e.inBy}, {e.out, &e.outBy}} {
		l.w.mu.Lock()
		l.l.set(l.w, time.Time{})
		l.w.mu.Unlock()
	}
	return nil
}

func (e *pipeEnd) LocalAddr() net.Addr  { return e.local }
func (e *pipeEnd) RemoteAddr() net.Addr { return e.peers }

func (e *pipeEnd) SetDeadline(t time.Time) error {
	_ = e.SetReadDeadline(t)
	return e.SetWriteDeadline(t)
}

func (e *pipeEnd) SetReadDeadline(t time.Time) error {
	e.in.mu.Lock()
	defer e.in.mu.Unlock()
	e.inBy.set(e.in, t)
	return nil
}

func (e *pipeEnd) SetWriteDeadline(t time.Time) error {
	e.out.mu.Lock()
	defer e.out.mu.Unlock()
	e.outBy.set(e.out, t)
	return nil
}
