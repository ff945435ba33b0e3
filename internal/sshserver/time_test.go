package sshserver_test

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/sshserver"

	gossh "golang.org/x/crypto/ssh"
)

// pipes is a listener whose connections are pipes within the process, so that
// everything about time can be tested with a clock of the test's own.
type pipes struct {
	come chan net.Conn
	over chan struct{}
	once sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.come:
		return c, nil
	case <-p.over:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.over) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 2222} }

// inBubble serves over pipes; from names the address of the next connection.
func (s *serverFixture) inBubble(from *string) *serverFixture {
	p := &pipes{come: make(chan net.Conn), over: make(chan struct{})}
	port := 1000
	s.dial = func() (net.Conn, error) {
		port++
		a, b := newPipe(&net.TCPAddr{IP: net.ParseIP(*from), Port: port})
		p.come <- a
		return b, nil
	}
	s.on(p)
	return s
}

// testWithFakeClock runs a test with a clock of its own.
func testWithFakeClock(
	t *testing.T,
	limits sshserver.Limits,
	test func(t *testing.T, s *serverFixture, anna gossh.Signer,
		from *string),
) {
	anna := newKey(t)
	synctest.Test(t, func(t *testing.T) {
		from := "192.0.2.1"
		s := newSite(t, anna, func(o *sshserver.Options) { o.Limits = limits }).inBubble(&from)
		test(t, s, anna, &from)
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
}

// closes waits until the server closes a connection and returns what it sent
// and how long that took.
func closes(t *testing.T, c net.Conn) (string, time.Duration) {
	t.Helper()
	began := time.Now()
	b, _ := io.ReadAll(c) // that it ends is what counts
	return string(b), time.Since(began)
}

func TestSilentConnectionsAreClosed(t *testing.T) {
	testWithFakeClock(t, sshserver.DefaultLimits(), func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		c, err := s.dial()
		must(t, err)
		if _, took := closes(t, c); took != 10*time.Second {
			t.Errorf("one that says nothing: %v", took)
		}
		// One that begins byte by byte has no longer.
		if c, err = s.dial(); err != nil {
			t.Fatal(err)
		}
		go func() {
			for _, b := range []byte("SSH-2.0-slow-as-can-be-and-slower-still\r\n") {
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
		if _, took := closes(t, c); took != 10*time.Second {
			t.Errorf("a slow one: %v", took)
		}
		began := time.Now()
		<-s.openSilentConn() // keys are exchanged, and none is offered
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("without a key: %v", took)
		}
		// An authorised key is offered, and its user looks for the passphrase.
		for wait, in := range map[time.Duration]bool{29 * time.Second: true, 31 * time.Second: false} {
			began := time.Now()
			c, err := s.connect(config("anna", keys(slowSigner{anna.(gossh.AlgorithmSigner), wait})))
			if took := time.Since(began); (err == nil) != in || took != wait {
				t.Errorf("a signature after %v: %v after %v", wait, err, took)
			}
			if err == nil {
				c.Close()
			}
		}
	})
}

// slowSigner takes its time to sign.
type slowSigner struct {
	gossh.AlgorithmSigner
	wait time.Duration
}

func (s slowSigner) SignWithAlgorithm(r io.Reader, data []byte, algorithm string) (*gossh.Signature, error) {
	time.Sleep(s.wait)
	return s.AlgorithmSigner.SignWithAlgorithm(r, data, algorithm)
}

func TestWhoLogsInAndWantsNothingIsClosed(t *testing.T) {
	testWithFakeClock(t, sshserver.DefaultLimits(), func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		began := time.Now()
		c := s.client("anna", anna)
		_ = c.Wait()
		if took := time.Since(began); took != 30*time.Second {
			t.Errorf("it took %v", took)
		}
		began = time.Now()
		c = s.client("anna", anna)
		if _, _, err := c.OpenChannel("session", nil); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
		if took := time.Since(began); took != 30*time.Second {
			t.Errorf("with a session that asks for nothing it took %v", took)
		}
	})
}

func TestIdleScreensAreWarnedAndThenLeft(t *testing.T) {
	limits := limitsWith(func(l *sshserver.Limits) { l.IdleTimeout = 10 * time.Minute })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		x := open(t, s.client("anna", anna), 100, 24)
		began := time.Now()
		time.Sleep(9*time.Minute - time.Second)
		synctest.Wait()
		if strings.Contains(x.String(), "Nothing was typed") {
			t.Error("warned too early")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !strings.Contains(x.String(), "Nothing was typed for long") {
			t.Error("not warned")
		}
		x.types("k")
		time.Sleep(9 * time.Minute)
		synctest.Wait()
		select {
		case err := <-x.over:
			t.Fatalf("closed although a key was pressed: %v", err)
		default:
		}
		err := <-x.over
		if took := time.Since(began); status(err) != 0 || took < 19*time.Minute || took > 19*time.Minute+5*time.Second {
			t.Errorf("ended with %v after %v", err, took)
		}
		// It was left in order, not cut.
		if out := x.String(); strings.Count(out, "Nothing was typed") < 2 || !strings.Contains(out, "\x1b[?1049l") ||
			!strings.HasSuffix(out, "log in again\r\n") {
			t.Errorf("the end is %q", out[max(0, len(out)-300):])
		}
		if got := fmt.Sprint(s.handler.whyLeft()); got != "[idle]" {
			t.Error(got)
		}
	})
}

// isRefused dials and wants to read a sentence instead of the server's version.
func (s *serverFixture) isRefused(want string) {
	s.t.Helper()
	c, err := s.dial()
	must(s.t, err)
	_ = c.SetReadDeadline(time.Now().Add(time.Second))
	if b, _ := io.ReadAll(c); !strings.Contains(string(b), want) || strings.Contains(string(b), "SSH-2.0") {
		s.t.Errorf("said %q, want %q", b, want)
	}
}

func TestConnectionsAreCountedAndRefusedWithASentence(t *testing.T) {
	limits := limitsWith(func(l *sshserver.Limits) {
		l.MaxConnections, l.MaxPerAddress, l.MaxPerUser = 5, 3, 5
		l.LoginTimeout = time.Hour
	})
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, from *string) {
		var all []*gossh.Client
		for range 5 { // all from one address
			all = append(all, s.client("anna", anna))
		}
		*from = "192.0.2.3"
		s.isRefused("as many visitors")
		for _, c := range all {
			c.Close()
		}
		synctest.Wait()
		*from = "192.0.2.1"
		var silent []<-chan struct{}
		for range 3 {
			silent = append(silent, s.openSilentConn())
		}
		s.isRefused("from your address")
		for _, closed := range silent {
			<-closed
		}
		for _, want := range []string{"as many visitors", "just logging in from your address"} {
			if !strings.Contains(s.log.String(), want) {
				t.Errorf("%q is not in the log:\n%s", want, s.log)
			}
		}
	})
}

func TestAFloodOfKeysIsTakenSlowly(t *testing.T) {
	limits := limitsWith(func(l *sshserver.Limits) { l.InputBurst, l.InputRate, l.IdleTimeout = 1000, 1000, time.Hour })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		s.handler.view = func(m *model) string { return fmt.Sprint("all: ", len(m.typed) == 11000) }
		x := open(t, s.client("anna", anna), 80, 24)
		synctest.Wait()
		began := time.Now()
		x.types(strings.Repeat("a", 11000))
		eventuallyIn(t, time.Minute, func() bool { return strings.Contains(x.String(), "tru") })
		if took := time.Since(began); took < 9*time.Second || took > 30*time.Second {
			t.Errorf("11000 keys took %v", took)
		}
	})
}

// eventuallyIn waits in a bubble.
func eventuallyIn(t *testing.T, within time.Duration, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain")
		}
	}
}

func TestResizingIsTakenSlowly(t *testing.T) {
	limits := limitsWith(func(l *sshserver.Limits) { l.IdleTimeout = time.Hour })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		x := open(t, s.client("anna", anna), 80, 24)
		synctest.Wait()
		var sizes int
		s.handler.mu.Lock()
		s.handler.view = func(m *model) string { sizes = m.sizes; return fmt.Sprintf("%dx%d", m.w, m.h) }
		s.handler.mu.Unlock()
		for i := range 500 {
			_ = x.s.WindowChange(10+i%50, 10+i%70)
		}
		_ = x.s.WindowChange(44, 123)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !strings.Contains(x.String(), "123x44") || sizes > 60 {
			t.Errorf("%d sizes were drawn; the last is not 123x44", sizes)
		}
	})
}

func TestNothingIsLeftBehind(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	before := 0
	for round := range 3 {
		var clients []*gossh.Client
		for range 20 {
			c := s.client("anna", anna)
			open(t, c, 80, 24).sees("hello")
			clients = append(clients, c)
		}
		for _, c := range clients {
			c.Close()
		}
		eventually(t, "the end of all",
			func() bool { return len(s.handler.whyLeft()) == 20*(round+1) })
		eventually(t, "goroutines to end", func() bool { return before == 0 || runtime.NumGoroutine() <= before+10 })
		if round == 0 {
			before = runtime.NumGoroutine()
		}
	}
}
