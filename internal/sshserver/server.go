package sshserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"

	"confab/internal/metrics"
	"confab/internal/safego"
	"confab/internal/termtext"
)

// Server serves screens. Make one with [New].
type Server struct {
	house   House
	limits  Limits // of the start; what may change is the limiter's
	limiter *limiter
	keys    *keyIndex
	watcher keyWatcher
	log     *slog.Logger
	metrics *metrics.Registry
	facts   *facts
	ssh     *ssh.Server
	key     string // fingerprint of the host key
	told    []string

	mu       sync.Mutex
	commands []string // that may be run
	channels map[ssh.Context]*channel
	leases   map[*keyLease]bool // of who is logged in
	recheck  chan struct{}      // asks for a check of the authorised keys
	closing  chan struct{}      // closed when the server is told to end
	logins   sync.WaitGroup
	screens  int
}

// New makes a server. It refuses to be one into which nobody, or anybody, could
// come: without an authorised key, or with a host key others may read. The
// errors are sentences for people.
func New(o Options) (*Server, error) {
	s := &Server{
		house: o.House, limits: o.Limits.filled(), commands: o.Commands, keys: newKeyIndex(o.Keys, o.HasData),
		log: o.Log, metrics: o.Metrics, channels: map[ssh.Context]*channel{}, leases: map[*keyLease]bool{},
		recheck: make(chan struct{}, 1), closing: make(chan struct{}),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.metrics == nil {
		s.metrics = metrics.New()
	}
	s.limiter, s.facts = newLimiter(s.limits), newFacts(s.metrics)
	keys := s.keys.refresh(time.Now())
	if keys.err != nil {
		return nil, keys.err
	}
	s.watcher.version = keys.version
	for _, sentence := range slices.Concat(keys.skipped, keys.notes) {
		s.told = append(s.told, termtext.Line(sentence))
	}
	signer, made, err := hostKey(o.HostKey, s.keys.account)
	if err != nil {
		return nil, err
	}
	if made {
		s.told = append(s.told, "a host key was made: "+termtext.Line(o.HostKey))
	}
	s.key = gossh.FingerprintSHA256(signer.PublicKey())
	if s.ssh, err = wish.NewServer(
		wish.WithVersion("confab"), wish.WithPublicKeyAuth(s.authorise), ssh.WrapConn(s.accept), ssh.EmulatePty(),
		s.refusals,
		func(srv *ssh.Server) error { srv.AddHostKey(signer); return nil },
	); err != nil {
		return nil, fmt.Errorf("make the server: %w", err)
	}
	return s, nil
}

// Notes are sentences for the operator about what was found at the start.
func (s *Server) Notes() []string { return s.told }

// Fingerprint returns that of the host key, "SHA256:…".
func (s *Server) Fingerprint() string { return s.key }

// refusals sets up what is refused: everything but keys and sessions.
func (s *Server) refusals(srv *ssh.Server) error {
	srv.ServerConfigCallback = s.config
	srv.Handler = s.serve
	srv.PasswordHandler, srv.KeyboardInteractiveHandler = nil, nil
	srv.RequestHandlers = map[string]ssh.RequestHandler{} // no forwarding to here
	srv.SubsystemHandlers = map[string]ssh.SubsystemHandler{}
	srv.ChannelHandlers = map[string]ssh.ChannelHandler{
		"session": s.session,
		"default": func(_ *ssh.Server, _ *gossh.ServerConn, n gossh.NewChannel, ctx ssh.Context) {
			s.facts.denied.Inc("channel")
			s.log.Info("Refused a channel", "kind", logText(n.ChannelType()), "from", from(ctx))
			_ = n.Reject(gossh.Prohibited, "confab forwards nothing, neither ports nor sockets") // the client may have gone
		},
	}
	srv.ConnectionFailedCallback = func(c net.Conn, err error) {
		s.log.Info("A connection ended before anybody was let in", "from", c.RemoteAddr().String(), "error", logText(err.Error()))
	}
	return nil
}

// maxLogText bounds what a client can put into a line of the log, in bytes.
const maxLogText = 600

// logText makes text that a client chose fit for the log: without control characters, and cut.
func logText(s string) string {
	if len(s) > maxLogText {
		s = strings.ToValidUTF8(s[:maxLogText], "") + "…"
	}
	return termtext.Line(s)
}

// Serve takes logins from l until the context ends. Then everybody is told,
// their screens are left in order, commands are ended, and what is still there
// after the grace is closed.
func (s *Server) Serve(ctx context.Context, l net.Listener, grace time.Duration) error {
	over := make(chan error, 2)
	safego.Go(s.log, "authorised keys", s.watchKeys, nil)
	safego.Go(s.log, "ssh", func() { over <- s.ssh.Serve(l) }, func(err error) { over <- err })
	select {
	case err := <-over:
		s.end()
		return fmt.Errorf("serve ssh: %w", err)
	case <-ctx.Done():
	}
	s.end()
	_ = l.Close() // it may have been closed by whoever made it
	left := make(chan struct{})
	safego.Go(s.log, "end of logins", func() {
		s.logins.Wait()
		close(left)
	}, nil)
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-left:
	case <-t.C:
		s.log.Warn("Logins did not end in time")
	}
	err := s.ssh.Close()
	<-over // that it was closed
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("end the server: %w", err)
	}
	return nil
}

// Reload looks at the authorised keys at once, and sets the limits of connections, addresses, users and time and the
// commands that may be run. Whoever is in stays, with the time limits they came in with, while their key is authorised.
func (s *Server) Reload(l Limits, commands []string) {
	l = l.filled()
	limits := s.limits
	limits.Connections, limits.PerAddress = l.Connections, l.PerAddress
	limits.PerMinute, limits.PerUser = l.PerMinute, l.PerUser
	limits.Idle, limits.Longest = l.Idle, l.Longest
	s.limiter.change(limits)
	s.mu.Lock()
	s.commands = commands
	s.mu.Unlock()
	select {
	case s.recheck <- struct{}{}:
	default: // a check is due already
	}
}

// end lets nobody in any more and tells everybody who is.
func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isClosing() {
		close(s.closing)
	}
}

// begin counts a login, unless the server ends.
func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosing() {
		return false
	}
	s.logins.Add(1)
	return true
}

func (s *Server) isClosing() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

// count returns how many screens are open.
func (s *Server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screens
}

func (s *Server) counted(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.screens += n
}
