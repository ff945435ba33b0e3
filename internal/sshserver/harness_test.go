package sshserver_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"confab/internal/sshserver"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"
	gossh "golang.org/x/crypto/ssh"
)

// fakeHandler serves a small program and one command.
type fakeHandler struct {
	mu       sync.Mutex
	sessions []sshserver.Session
	left     []sshserver.ExitReason
	broken   string // panics: "screen", "update" or "run"
	view     func(*model) string
	run      func(ctx context.Context, v sshserver.Session, words []string, s sshserver.Streams) int
}

// model shows its size and what was typed.
type model struct {
	handler *fakeHandler
	who     string
	w, h    int
	typed   string
	sizes   int
}

func (m *model) Init() tea.Cmd { return nil }

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.sizes++
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+q" {
			return m, tea.Quit
		}
		if msg.String() == "!" && m.handler.broken == "update" {
			panic("broken on purpose")
		}
		m.typed += msg.Text
	}
	return m, nil
}

func (m *model) View() tea.View {
	text := fmt.Sprintf("hello %s, %dx%d, typed [%s]", m.who, m.w, m.h, m.typed)
	m.handler.mu.Lock()
	view := m.handler.view
	m.handler.mu.Unlock()
	if view != nil {
		text = view(m)
	}
	v := tea.NewView(text)
	v.AltScreen = true
	return v
}

func (f *fakeHandler) OpenScreen(_ context.Context, v sshserver.Session) (sshserver.Program, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sessions = append(f.sessions, v)
	switch f.broken {
	case "screen":
		panic("broken on purpose")
	case "refuse":
		return sshserver.Program{}, errors.New("your space is used up.")
	}
	return sshserver.Program{
		Model: &model{handler: f, who: v.User.ID},
		OnExit: func(why sshserver.ExitReason) (string, bool) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.left = append(f.left, why)
			return "goodbye\nlog in again", false
		},
	}, nil
}

// RunCommand implements Handler.
func (f *fakeHandler) RunCommand(ctx context.Context, v sshserver.Session, words []string, s sshserver.Streams) int {
	f.mu.Lock()
	f.sessions = append(f.sessions, v)
	f.mu.Unlock()
	if f.broken == "run" {
		panic("broken on purpose")
	}
	if f.run != nil {
		return f.run(ctx, v, words, s)
	}
	in, _ := io.ReadAll(s.Stdin)
	fmt.Fprintf(s.Stdout, "%s asks %q: %s\n", v.User.ID, words[1:], in)
	fmt.Fprintln(s.Stderr, "beside")
	return 3
}

func (f *fakeHandler) lastSession() (v sshserver.Session, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.sessions) == 0 {
		return sshserver.Session{}, 0
	}
	return f.sessions[len(f.sessions)-1], len(f.sessions)
}

func (f *fakeHandler) whyLeft() []sshserver.ExitReason {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]sshserver.ExitReason(nil), f.left...)
}

// text is a buffer for many goroutines.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// lineWith returns the first line that contains part, or an empty text.
func (t *text) lineWith(part string) string {
	for line := range strings.Lines(t.String()) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}

// serverFixture is a server on loopback with its surroundings.
type serverFixture struct {
	t       testing.TB
	dir     string
	handler *fakeHandler
	*sshserver.Server
	log  *text
	addr string
	dial func() (net.Conn, error)
	stop func() error
}

func newKey(t testing.TB) gossh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	key, err := gossh.NewSignerFromKey(private)
	must(t, err)
	return key
}

// line returns the line of a key in a file of authorised keys.
func line(key gossh.Signer, comment string) string {
	return strings.TrimSpace(string(gossh.MarshalAuthorizedKey(key.PublicKey()))) + " " + comment + "\n"
}

func write(t testing.TB, path, content string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(content), 0o600))
}

// limitsWith returns the default limits with some of them changed.
func limitsWith(change func(*sshserver.Limits)) sshserver.Limits {
	l := sshserver.DefaultLimits()
	change(&l)
	return l
}

// newSite makes a server that lets anna's key in; it does not serve yet.
func newSite(t testing.TB, anna gossh.Signer, change ...func(*sshserver.Options)) *serverFixture {
	t.Helper()
	s := &serverFixture{t: t, dir: t.TempDir(), handler: &fakeHandler{}, log: &text{}}
	write(t, filepath.Join(s.dir, "keys", "anna"), line(anna, "me@laptop"))
	o := sshserver.Options{
		Handler: s.handler, Keys: filepath.Join(s.dir, "keys"), HostKey: filepath.Join(s.dir, "state", "host"),
		Commands: []string{"ask"}, Log: slog.New(slog.NewTextHandler(s.log, nil)),
		Limits: limitsWith(func(l *sshserver.Limits) {
			l.FarewellTime, l.MaxConnections, l.MaxPerUser = 50*time.Millisecond, 100, 100
		}),
	}
	for _, c := range change {
		c(&o)
	}
	srv, err := sshserver.New(o)
	must(t, err)
	s.Server = srv
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.log.String())
		}
	})
	return s
}

// serve begins to serve on loopback.
func (s *serverFixture) serve() *serverFixture {
	s.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(s.t, err)
	s.addr = l.Addr().String()
	s.dial = func() (net.Conn, error) { return net.Dial("tcp", s.addr) }
	s.on(l)
	return s
}

func (s *serverFixture) on(l net.Listener) {
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- s.Serve(ctx, l, 5*time.Second) }()
	s.stop = sync.OnceValue(func() error {
		cancel()
		return <-over
	})
	s.t.Cleanup(func() {
		if err := s.stop(); err != nil {
			s.t.Errorf("the server ended with %v", err)
		}
	})
}

func config(login string, auth ...gossh.AuthMethod) *gossh.ClientConfig {
	return &gossh.ClientConfig{User: login, Auth: auth, HostKeyCallback: gossh.InsecureIgnoreHostKey()}
}

func keys(signers ...gossh.Signer) gossh.AuthMethod { return gossh.PublicKeys(signers...) }

func (s *serverFixture) connect(c *gossh.ClientConfig) (*gossh.Client, error) {
	raw, err := s.dial()
	if err != nil {
		return nil, err
	}
	sc, chans, reqs, err := gossh.NewClientConn(raw, "confab", c)
	if err != nil {
		raw.Close()
		return nil, err
	}
	return gossh.NewClient(sc, chans, reqs), nil
}

func (s *serverFixture) client(login string, key gossh.Signer) *gossh.Client {
	s.t.Helper()
	c, err := s.connect(config(login, keys(key)))
	if err != nil {
		s.t.Fatalf("log in: %v", err)
	}
	s.t.Cleanup(func() { c.Close() })
	return c
}

// userOf logs in, runs a command and returns the user that it ran as, "" when nobody could log in.
func (s *serverFixture) userOf(login string, key gossh.Signer) string {
	c, err := s.connect(config(login, keys(key)))
	if err != nil {
		return ""
	}
	defer c.Close()
	sess, err := c.NewSession()
	if err != nil {
		return ""
	}
	out, _ := sess.Output("ask") // it ends with a status of its own
	id, _, _ := strings.Cut(string(out), " asks")
	return id
}

// client is a user's screen.
type client struct {
	t  testing.TB
	s  *gossh.Session
	in io.WriteCloser
	*text
	said *text
	over chan error
}

// open opens a screen of a client.
func open(t testing.TB, c *gossh.Client, columns, rows int) *client {
	t.Helper()
	s, err := c.NewSession()
	must(t, err)
	x := &client{t: t, s: s, text: &text{}, said: &text{}, over: make(chan error, 1)}
	s.Stdout, s.Stderr = x.text, x.said
	if x.in, err = s.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	must(t, s.RequestPty("xterm-256color", rows, columns, gossh.TerminalModes{}))
	must(t, s.Shell())
	go func() { x.over <- s.Wait() }()
	return x
}

func (x *client) types(s string) {
	x.t.Helper()
	if _, err := io.WriteString(x.in, s); err != nil {
		x.t.Fatal(err)
	}
}

// sees waits until a text was written at once, or stands on the screen. Of a changed line only what is new is written,
// letter by letter when the machine is busy.
func (x *client) sees(what string) {
	x.t.Helper()
	screen := vt.NewEmulator(150, 50)
	drained := make(chan struct{})
	go func() { defer close(drained); _, _ = io.Copy(io.Discard, screen) }() // its answers to queries
	defer func() {
		if pipe, ok := screen.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		<-drained
	}()
	shown := 0
	eventually(x.t, what+" on the screen", func() bool {
		written := x.String()
		if strings.Contains(written, what) {
			return true
		}
		_, _ = screen.WriteString(written[shown:])
		shown = len(written)
		return strings.Contains(screen.String(), what)
	})
}

// status returns with what a session ended.
func status(err error) int {
	var e *gossh.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.ExitStatus()
	}
	return -1
}

// eventually waits for what another goroutine does.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			t.Fatal("waited in vain for", what)
		case <-tick.C:
		}
	}
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
