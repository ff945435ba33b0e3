package sshserver_test

import (
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"confab/internal/testflags"

	gossh "golang.org/x/crypto/ssh"
)

// throttledConn is a connection that takes only so much from some moment on.
type throttledConn struct {
	net.Conn
	slow atomic.Bool
	rate int // bytes a second
	over chan struct{}
}

func (c *throttledConn) Read(p []byte) (int, error) {
	if !c.slow.Load() {
		return c.Conn.Read(p)
	}
	if c.rate == 0 {
		<-c.over
		return 0, io.EOF
	}
	time.Sleep(100 * time.Millisecond)
	return c.Conn.Read(p[:min(len(p), c.rate/10)])
}

// A test with a clock of its own is out of the question: the renderer's lock is
// held while a write waits.
func TestASlowReaderIsCutAfterTenSecondsAndNobodyElseWaits(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("ten seconds are ten seconds")
	}
	for _, tt := range []struct {
		rate int
		cut  bool
	}{{0, true}, {1 << 10, true}, {128 << 10, false}} {
		t.Run(fmt.Sprintf("%d bytes a second", tt.rate), func(t *testing.T) {
			t.Parallel()
			anna := newKey(t)
			s := newSite(t, anna).serve() // which leaves the limit of writing as it is
			other := open(t, s.client("anna", anna), 80, 24)
			raw, err := s.dial()
			must(t, err)
			line := &throttledConn{Conn: raw, rate: tt.rate, over: make(chan struct{})}
			sc, chans, reqs, err := gossh.NewClientConn(line, "confab", config("anna", keys(anna)))
			must(t, err)
			slow := open(t, gossh.NewClient(sc, chans, reqs), 150, 100)
			slow.sees("hello anna")
			big := drawManyColors()
			s.handler.mu.Lock()
			s.handler.view = func(m *model) string {
				if m.w == 150 {
					return big(m)
				}
				all := []rune(m.typed)
				return string(all[max(0, len(all)-1):])
			}
			s.handler.mu.Unlock()
			line.slow.Store(true)
			began, took := time.Now(), time.Duration(0)
			tick := time.NewTicker(100 * time.Millisecond)
			defer tick.Stop()
			for i := 0; time.Since(began) < 16*time.Second && took == 0; i++ {
				if !tt.cut || i < 100 {
					_, _ = io.WriteString(slow.in, "x") // it may be cut by now
				}
				key := string(rune('一' + i))
				pressed := time.Now()
				other.types(key)
				other.sees(key)
				if waited := time.Since(pressed); waited > 2*time.Second {
					t.Errorf("somebody else waits %v for a key", waited)
				}
				if len(s.handler.whyLeft()) > 0 {
					took = time.Since(began)
				}
				<-tick.C
			}
			switch {
			case tt.cut && took < 10*time.Second:
				t.Errorf("it was cut after %v", took)
			case !tt.cut && took != 0:
				t.Errorf("it was cut after %v although it takes enough", took)
			}
			close(line.over)
			_ = raw.Close()
		})
	}
}
