package sshserver_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"confab/internal/sshserver"

	gossh "golang.org/x/crypto/ssh"
)

func TestAScreenIsServed(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	x := open(t, s.client("whoever", anna), 100, 30)
	x.sees("hello anna, 100x30")
	x.types("abc")
	x.sees("abc")
	must(t, x.s.WindowChange(40, 90))
	x.sees("90x40")
	x.types("\x11")
	if code := status(<-x.over); code != 0 {
		t.Errorf("ended with %d", code)
	}
	for _, want := range []string{"goodbye\r\nlog in again\r\n", "\x1b[?1049l"} {
		if !strings.Contains(x.String(), want) {
			t.Errorf("%q was not sent", want)
		}
	}
	v, _ := s.handler.lastSession()
	if v.User.ID != "anna" ||
		v.Window != (sshserver.Window{100, 30}) {
		t.Errorf("the session is %+v", v)
	}
	if got := s.handler.whyLeft(); len(got) != 1 || got[0] != sshserver.ExitByUser {
		t.Errorf("left %v", got)
	}
	key := "key=" + gossh.FingerprintSHA256(anna.PublicKey())
	for _, message := range []string{"Opened a screen", "Left a screen"} {
		if !strings.Contains(s.log.lineWith(message), key) {
			t.Errorf("the line of %q has no %s: %s", message, key, s.log)
		}
	}
}

func TestNobodyEntersWithoutAnAuthorisedKey(t *testing.T) {
	anna, stranger := newKey(t), newKey(t)
	s := newSite(t, anna).serve()
	password := gossh.Password("anna")
	asked := gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) {
		return []string{"anna"}, nil
	})
	for name, auth := range map[string][]gossh.AuthMethod{
		"none": nil, "password": {password}, "keyboard-interactive": {asked}, "a stranger's key": {keys(stranger)},
		"everything but": {keys(stranger), password, asked},
	} {
		if c, err := s.connect(config("anna", auth...)); err == nil {
			c.Close()
			t.Errorf("%s came in", name)
		}
	}
	if _, n := s.handler.lastSession(); n != 0 {
		t.Errorf("%d sessions", n)
	}
	for _, method := range []string{"password", "keyboard-interactive"} {
		// What the server offers instead of these is told by its refusal.
		_, err := s.connect(config("anna", password, asked))
		if err == nil || strings.Contains(err.Error(), "attempted methods [none "+method) {
			t.Errorf("%s is offered: %v", method, err)
		}
	}
}

// mismatchedSigner signs with another key than the one it offers.
type mismatchedSigner struct {
	gossh.Signer
	public gossh.PublicKey
}

func (o mismatchedSigner) PublicKey() gossh.PublicKey { return o.public }

func TestAKeyThatIsOnlyOfferedOpensNothing(t *testing.T) {
	anna, stranger := newKey(t), newKey(t)
	s := newSite(t, anna).serve()
	if c, err := s.connect(config("anna", keys(mismatchedSigner{stranger, anna.PublicKey()}))); err == nil {
		c.Close()
		t.Error("a key that did not sign came in")
	}
}

// refusingSigner offers a key and cannot sign with it, as an agent may.
type refusingSigner struct{ gossh.Signer }

func (refusingSigner) Sign(io.Reader, []byte) (*gossh.Signature, error) {
	return nil, io.ErrUnexpectedEOF
}

func TestIdentityIsTheKeyThatSigned(t *testing.T) {
	anna, bob := newKey(t), newKey(t)
	s := newSite(t, anna)
	write(t, filepath.Join(s.dir, "keys", "bob.pub"), line(bob, "x"))
	s.serve()
	// anna's key is offered first and last; only bob's signs.
	for _, signers := range [][]gossh.Signer{{bob, anna}, {newKey(t), bob}} {
		open(t, func() *gossh.Client {
			c, err := s.connect(config("anna", keys(signers...)))
			must(t, err)
			t.Cleanup(func() { c.Close() })
			return c
		}(), 80, 24).sees("hello bob")
	}
	if c, err := s.connect(config("bob",
		gossh.PublicKeysCallback(func() ([]gossh.Signer, error) {
			return []gossh.Signer{refusingSigner{anna}}, nil
		}))); err == nil {
		c.Close()
		t.Error("a key that cannot sign came in")
	}
}

func TestSixBadKeysCloseTheConnection(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	var signers []gossh.Signer
	for range 7 {
		signers = append(signers, newKey(t))
	}
	if c, err := s.connect(config("anna", keys(append(signers, anna)...))); err == nil {
		c.Close()
		t.Error("the eighth key came in")
	}
	s.client("anna", anna) // and another connection is welcome
}

func TestWhatIsNotServedIsRefusedWithASentence(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	c := s.client("anna", anna)
	for _, kind := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "auth-agent@openssh.com", "x11",
		"forwarded-tcpip", "tun@openssh.com", "made-up"} {
		ch, _, err := c.OpenChannel(kind, gossh.Marshal(struct {
			Host string
			Port uint32
			From string
			At   uint32
		}{"127.0.0.1", 22, "127.0.0.1", 1}))
		if err == nil {
			ch.Close()
			t.Errorf("a channel %s was opened", kind)
		} else if !strings.Contains(err.Error(), "confab forwards nothing") {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := c.Dial("tcp", s.addr); err == nil {
		t.Error("-W reached a port")
	}
	if l, err := c.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close()
		t.Error("-R listens")
	}
	if l, err := c.ListenUnix(filepath.Join(s.dir, "sock")); err == nil {
		l.Close()
		t.Error("-R listens on a socket")
	}
	for _, kind := range []string{"tcpip-forward", "streamlocal-forward@openssh.com", "hostkeys-prove-00@openssh.com",
		"made-up"} {
		if ok, _, err := c.SendRequest(kind, true, nil); err != nil || ok {
			t.Errorf("%s: %v, %v", kind, ok, err)
		}
	}
}

// openRawSession opens a session to send requests as no well-behaved client would.
func openRawSession(t testing.TB, c *gossh.Client) (gossh.Channel, *text) {
	t.Helper()
	ch, reqs, err := c.OpenChannel("session", nil)
	must(t, err)
	go gossh.DiscardRequests(reqs)
	said := &text{}
	go func() { _, _ = io.Copy(said, ch.Stderr()) }()
	return ch, said
}

func TestRequestsOfASession(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	str := func(s ...string) []byte {
		var b []byte
		for _, one := range s {
			b = append(b, gossh.Marshal(struct{ S string }{one})...)
		}
		return b
	}
	tests := []struct {
		request string
		payload []byte
		want    bool
		says    string
	}{
		{"subsystem", str("sftp"), false, "neither sftp nor scp"},
		{"subsystem", str("netconf"), false, "neither sftp nor scp"},
		{"auth-agent-req@openssh.com", nil, false, "agent is not forwarded"},
		{"x11-req", make([]byte, 20), false, "X11 is not forwarded"},
		{"env", str("LD_PRELOAD", "/tmp/x.so"), false, ""},
		{"env", str("CONFAB_BASE_URL", "http://evil.example"), false, ""},
		{"env", str("CONFAB_API_KEY", "x"), false, ""},
		{"env", str("HOME", "/"), false, ""},
		{"env", str("PATH", "/tmp"), false, ""},
		{"env", str("TERM", "../../etc/passwd"), false, ""},
		{"env", str("SSH_CONNECTION", "1 2 3 4"), false, ""},
		{"env", str("LANG", "C\x1b]0;x\a"), false, ""},
		{"env", str("LANG", strings.Repeat("x", 300)), false, ""},
		{"env", str("LC_ALL", "C.UTF-8"), true, ""},
		{"env", str("COLORTERM", "truecolor"), true, ""},
		{"env", []byte{1}, false, ""},
		{"exec", str("sh -c id"), true, "only these commands are run here: ask"},
		{"exec", str("scp -t /tmp"), true, "only these commands are run here: ask"},
		{"exec", str("askew"), true, "only these commands"},
		{"exec", str("ask 'open"), true, "quote"},
		{"exec", str(strings.Repeat("x", 64<<10)), false, "too long"},
		{"pty-req", append(str("\x1b]0;x\a"), make([]byte, 20)...), false, ""},
		{"pty-req", append(str("../x"), make([]byte, 20)...), false, ""},
		{"pty-req", []byte("x"), false, ""},
		{"shell", nil, true, "needs a terminal"},
		{"break", make([]byte, 4), false, ""},
		{"made-up", nil, false, ""},
	}
	for _, tt := range tests {
		ch, said := openRawSession(t, s.client("anna", anna))
		ok, err := ch.SendRequest(tt.request, true, tt.payload)
		if err != nil && err != io.EOF || ok != tt.want {
			t.Errorf("%s %q: %v, %v", tt.request, tt.payload[:min(len(tt.payload), 40)], ok, err)
		}
		if tt.says != "" {
			eventually(t, tt.says, func() bool { return strings.Contains(said.String(), tt.says) })
		}
		ch.Close()
	}
	if _, n := s.handler.lastSession(); n != 0 {
		t.Errorf("%d programs ran", n)
	}
}

func TestOnlyWhatTellsHowToDrawComesInByTheEnvironment(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	c := s.client("anna", anna)
	sess, err := c.NewSession()
	must(t, err)
	for i := range 100 {
		_ = sess.Setenv(fmt.Sprintf("LC_%c%c", 'A'+i/26, 'A'+i%26), "x")
	}
	_ = sess.Setenv("CONFAB_DATA_DIR", "/tmp")
	must(t, sess.RequestPty("xterm", 24, 80, nil))
	must(t, sess.Shell())
	eventually(t, "the session", func() bool { _, n := s.handler.lastSession(); return n == 1 })
	v, _ := s.handler.lastSession()
	if len(v.Environ) != 33 || v.Environ[32] != "TERM=xterm" ||
		strings.Contains(strings.Join(v.Environ, " "), "CONFAB") {
		t.Errorf("%d variables: %v", len(v.Environ), v.Environ)
	}
}

func TestWindowSizesAreBounded(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	x := open(t, s.client("anna", anna), 5000, 5000)
	x.sees("500x200")
	for _, size := range [][2]int{{0, 0}, {0, 10}, {1 << 30, 1 << 30}} {
		must(t, x.s.WindowChange(size[1], size[0]))
	}
	_ = x.s.WindowChange(1, 1)
	x.types("a")
	x.sees("a")
	_ = x.s.WindowChange(33, 77)
	x.sees("77x33")
	y := open(t, s.client("anna", anna), 0, 0)
	y.sees("80x24")
}

func TestOneSessionForEachConnection(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	c := s.client("anna", anna)
	open(t, c, 80, 24).sees("hello")
	if _, err := c.NewSession(); err == nil || !strings.Contains(err.Error(), "one session for each connection") {
		t.Errorf("a second session: %v", err)
	}
}

func TestACommandThatIsAllowed(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	sess, err := s.client("anna", anna).NewSession()
	must(t, err)
	var out, said text
	sess.Stdin, sess.Stdout, sess.Stderr = strings.NewReader("from a pipe"), &out, &said
	err = sess.Run(`ask -m 'oss-20b' "two words; rm -rf /" $(id)`)
	if status(err) != 3 ||
		out.String() != `anna asks ["-m" "oss-20b" "two words; rm -rf /" "$(id)"]: from a pipe`+"\n" ||
		said.String() != "beside\n" {
		t.Errorf("%v: %q, %q", err, out.String(), said.String())
	}
}

func TestNoCommandIsRunUnlessTheOperatorSaysSo(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna, func(o *sshserver.Options) { o.Commands = nil }).serve()
	sess, err := s.client("anna", anna).NewSession()
	must(t, err)
	out, err := sess.CombinedOutput("ask hello")
	if status(err) != 2 || !strings.Contains(string(out), "no commands are run here") {
		t.Errorf("%v: %s", err, out)
	}
	if _, n := s.handler.lastSession(); n != 0 {
		t.Error("it ran")
	}
}

func TestACommandEndsWithItsClient(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna)
	began, ended := make(chan struct{}), make(chan os.Signal, 1)
	s.handler.run = func(ctx context.Context, _ sshserver.Session, _ []string, st sshserver.Streams) int {
		close(began)
		sig := <-st.Signals
		<-ctx.Done()
		ended <- sig
		return 130
	}
	s.serve()
	c := s.client("anna", anna)
	sess, err := c.NewSession()
	must(t, err)
	must(t, sess.Start("ask x"))
	<-began
	must(t, sess.Signal(gossh.SIGINT))
	c.Close()
	if sig := <-ended; sig != os.Interrupt {
		t.Errorf("the signal was %v", sig)
	}
}

func TestAPanicEndsOneLogin(t *testing.T) {
	for _, where := range []string{"screen", "run", "update"} {
		anna := newKey(t)
		s := newSite(t, anna).serve()
		neighbour := open(t, s.client("anna", anna), 80, 24)
		neighbour.sees("hello anna")
		s.handler.mu.Lock()
		s.handler.broken = where
		s.handler.mu.Unlock()
		sess, err := s.client("anna", anna).NewSession()
		must(t, err)
		said := &text{}
		sess.Stderr = said
		in, _ := sess.StdinPipe()
		switch where {
		case "run":
			err = sess.Run("ask x")
		default:
			must(t, sess.RequestPty("xterm", 24, 80, nil))
			must(t, sess.Shell())
			if where == "update" {
				_, _ = io.WriteString(in, "!")
			}
			err = sess.Wait()
		}
		if status(err) != 1 {
			t.Errorf("%s: ended with %v", where, err)
		}
		if where != "update" && !strings.Contains(said.String(), "unexpected fault") {
			t.Errorf("%s: the user was told %q", where, said.String())
		}
		neighbour.types("still")
		neighbour.sees("still")
	}
}

func TestTheLogIsClean(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	if _, err := s.connect(config("x\x1b]0;PWNED\a\nlevel=ERROR msg=forged\u009d", keys(newKey(t)))); err == nil {
		t.Error("came in")
	}
	eventually(t, "the line", func() bool { return strings.Contains(s.log.String(), "Refused a login") })
	if log := s.log.String(); strings.ContainsAny(log, "\x1b\a") || strings.Contains(log, "\u009d") ||
		strings.Contains(log, "\nlevel=ERROR") {
		t.Errorf("the log holds control characters: %q", log)
	}
	if _, err := s.connect(config(strings.Repeat("long", 20_000), keys(newKey(t)))); err == nil {
		t.Error("came in")
	}
	eventually(t, "the end", func() bool { return strings.Count(s.log.String(), "A connection ended before") == 2 })
	if n := len(s.log.String()); n > 5000 {
		t.Errorf("a stranger has written %d bytes to the log", n)
	}
}

func TestShutdownTellsEverybodyAndWaits(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	a, b := open(t, s.client("anna", anna), 80, 24), open(t, s.client("anna", anna), 80, 24)
	idle := s.client("anna", anna) // is connected and wants nothing
	a.sees("hello")
	b.sees("hello")
	began := time.Now()
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %v", took)
	}
	for _, x := range []*client{a, b} {
		if code := status(<-x.over); code != 0 {
			t.Errorf("ended with %d", code)
		}
		for _, want := range []string{"server is being stopped", "\x1b[?1049l", "goodbye"} {
			if !strings.Contains(x.String(), want) {
				t.Errorf("%q was not sent", want)
			}
		}
	}
	if err := idle.Wait(); err == nil {
		t.Error("a connection without a screen was left open")
	}
	if got := fmt.Sprint(s.handler.whyLeft()); got != "[server server]" {
		t.Errorf("left %v", got)
	}
	if _, err := net.Dial("tcp", s.addr); err == nil {
		t.Error("it still listens")
	}
}

// drawManyColors draws all anew for each key: each cell in a color of its own, so that
// few of them are much.
func drawManyColors() func(*model) string {
	var frames [7]string
	for i := range frames {
		var b strings.Builder
		for cell := range 100 * 150 {
			if cell > 0 && cell%150 == 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "\x1b[38;5;%dm%d", 16+(cell+i)%200, i)
		}
		frames[i] = b.String()
	}
	return func(m *model) string { return frames[len(m.typed)%7] }
}

// A client that takes nothing may stop at either end of the wire: its terminal,
// so that the session's window fills, or the machine.
func TestAReaderThatTakesNothingIsClosedAndHarmsNobody(t *testing.T) {
	for _, where := range []string{"terminal", "machine"} {
		anna := newKey(t)
		s := newSite(t, anna, func(o *sshserver.Options) { o.Limits.WriteTimeout = 300 * time.Millisecond })
		big := drawManyColors()
		s.serve()
		other := open(t, s.client("anna", anna), 80, 24)
		other.sees("hello")
		s.handler.mu.Lock()
		s.handler.view = big
		s.handler.mu.Unlock()
		raw, err := s.dial()
		must(t, err)
		gate := &stoppableConn{Conn: raw, stopped: make(chan struct{})}
		sc, chans, reqs, err := gossh.NewClientConn(gate, "confab", config("anna", keys(anna)))
		must(t, err)
		c := gossh.NewClient(sc, chans, reqs)
		sess, err := c.NewSession()
		must(t, err)
		in, _ := sess.StdinPipe()
		if _, err := sess.StdoutPipe(); err != nil { // which nobody reads
			t.Fatal(err)
		}
		must(t, sess.RequestPty("xterm-256color", 100, 150, nil))
		must(t, sess.Shell())
		if where == "machine" {
			gate.stop()
		}
		began := time.Now()
		eventually(t, "the end of who reads nothing", func() bool {
			_, _ = io.WriteString(in, "x") // each key draws all anew
			return len(s.handler.whyLeft()) == 1
		})
		if took := time.Since(began); took > 8*time.Second {
			t.Errorf("%s: it took %v", where, took)
		}
		s.handler.mu.Lock()
		s.handler.view = nil
		s.handler.mu.Unlock()
		for _, key := range "alive" {
			other.types(string(key))
			time.Sleep(40 * time.Millisecond) // longer than a frame: each letter is written by itself
		}
		other.sees("alive")
		close(gate.stopped)
		raw.Close()
	}
}

// stoppableConn is a connection that can stop reading.
type stoppableConn struct {
	net.Conn
	stopped chan struct{} // closed when it goes on, to the end
	mu      sync.Mutex
	halt    bool
}

func (s *stoppableConn) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.halt = true
}

func (s *stoppableConn) Read(p []byte) (int, error) {
	s.mu.Lock()
	halt := s.halt
	s.mu.Unlock()
	if halt {
		<-s.stopped
		return 0, io.EOF
	}
	return s.Conn.Read(p)
}

// What a client types ends no other screen, and changes no size.
func TestHostileInputEndsNoScreen(t *testing.T) {
	many := "\x1b[" + strings.Repeat("1;", 33) + "m"
	anna := newKey(t)
	s := newSite(t, anna).serve()
	neighbour := open(t, s.client("anna", anna), 80, 24)
	neighbour.sees("hello anna")
	for _, input := range []string{
		many, "\x1b[200~" + many + "\x1b[201~", "\x1b[8;3000;3000t\x1b[48;3000;3000;1;1t",
		strings.Repeat("\x1b", 50_000), "\x1b]0;" + strings.Repeat("x",
			50_000), strings.Repeat("\x1b[65;30;97;1;0;65535_",
			2000),
	} {
		x := open(t, s.client("anna", anna), 90, 30)
		x.sees("90x30")
		x.types(input)
		x.types("\x18") // ends a string that is open
		x.types("Ж")
		x.sees("Ж")
		if strings.Contains(x.String(), "3000") {
			t.Errorf("%.20q changed the size", input)
		}
		_ = x.s.Close()
	}
	neighbour.types("Ж")
	neighbour.sees("Ж")
}
