package postgres_test

import (
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"
)

// swallower forwards connections to a server. When it starts to swallow, open connections stay open without any data,
// as with a firewall that dropped them.
type swallower struct {
	address string
	lost    atomic.Int64 // connections with lower numbers are swallowed
	made    atomic.Int64
}

func startSwallower(t *testing.T, s *pgtest.Server) *swallower {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	w := &swallower{address: l.Addr().String()}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := s.Dial()
			if err != nil {
				client.Close()
				continue
			}
			number := w.made.Add(1)
			go w.copy(number, client, server)
			go w.copy(number, server, client)
		}
	}()
	return w
}

func (w *swallower) copy(number int64, to, from net.Conn) {
	defer to.Close()
	_, _ = io.Copy(writer(func(b []byte) (int, error) {
		if number <= w.lost.Load() {
			return len(b), nil
		}
		return to.Write(b)
	}), from)
}

type writer func(b []byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// TestConnectionsThatWereDropped drops all connections silently. Watching, reading and writing continue on new ones.
func TestConnectionsThatWereDropped(t *testing.T) {
	here := connect(t, postgres.Options{})
	proxy := startSwallower(t, server)
	const check = 300 * time.Millisecond
	there := connect(t, postgres.Options{CheckInterval: check, CheckTimeout: check,
		URL: "postgres://" + pgtest.Program + "@" + proxy.address + "/confab?sslmode=disable"})
	one, other := openUser(t, here, "nat"), openUser(t, there, "nat")
	changes := other.Watch(t.Context())
	waitForListener(t, one, other, changes)
	time.Sleep(1100 * time.Millisecond) // real: only connections idle for a second are checked
	proxy.lost.Store(proxy.made.Load())
	done := make(chan error, 1)
	go func() {
		_, err := other.AddTurnToSession(t.Context(), "s", history.Turn{Prompt: "after the loss"})
		done <- err
	}()
	limit := time.After(10 * time.Second)
	select {
	case err := <-done:
		must(t, err)
	case <-limit:
		t.Fatal("a connection that was dropped is waited for")
	}
	for {
		select {
		case c := <-changes:
			if c.IsUnreachable {
				continue
			}
		case <-limit:
			t.Fatal("the screen is deaf")
		}
		break
	}
	waitForListener(t, one, other, changes)
	found, err := one.Prompts(t.Context(), history.Query{})
	if err != nil || len(found) != 1 || !strings.HasPrefix(found[0].Prompt, "after") {
		t.Errorf("recorded: %+v, %v", found, err)
	}
}
