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

// Server serves screens and commands over SSH. Create one with [New].
type Server struct {
	handler     Handler
	limits      Limits // as set at the start; the limiter has those that a reload has changed
	limiter     *limiter
	keys        *keyIndex
	watcher     keyWatcher
	log         *slog.Logger
	registry    *metrics.Registry
	metrics     *serverMetrics
	ssh         *ssh.Server
	fingerprint string
	notes       []string

	mu       sync.Mutex
	commands []string // commands that may be run
	channels map[ssh.Context]*channel
	leases   map[*keyLease]bool // of all logged-in sessions
	recheck  chan struct{}      // asks for a check of the authorised keys
	closing  chan struct{}      // closed when the server is told to end
	logins   sync.WaitGroup
	screens  int
}

// New returns a server. It refuses options with which nobody or anybody could log in: no authorised key, or a host
// key that others may read. Its errors are sentences for people.
func New(o Options) (*Server, error) {
	s := &Server{
		handler: o.Handler, limits: o.Limits.withDefaults(), commands: o.Commands, keys: newKeyIndex(o.Keys, o.HasData),
		log: o.Log, registry: o.Metrics, channels: map[ssh.Context]*channel{}, leases: map[*keyLease]bool{},
		recheck: make(chan struct{}, 1), closing: make(chan struct{}),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.registry == nil {
		s.registry = metrics.New()
	}
	s.limiter, s.metrics = newLimiter(s.limits), newServerMetrics(s.registry)
	keys := s.keys.refresh(time.Now())
	if keys.err != nil {
		return nil, keys.err
	}
	s.watcher.version = keys.version
	for _, sentence := range slices.Concat(keys.skipped, keys.notes) {
		s.notes = append(s.notes, termtext.Line(sentence))
	}
	signer, made, err := loadHostKey(o.HostKey, s.keys.account)
	if err != nil {
		return nil, err
	}
	if made {
		s.notes = append(s.notes, "a host key was made: "+termtext.Line(o.HostKey))
	}
	s.fingerprint = gossh.FingerprintSHA256(signer.PublicKey())
	if s.ssh, err = wish.NewServer(
		wish.WithVersion("confab"), wish.WithPublicKeyAuth(s.acceptsKey), ssh.WrapConn(s.acceptConn), ssh.EmulatePty(),
		s.configure,
		func(srv *ssh.Server) error { srv.AddHostKey(signer); return nil },
	); err != nil {
		return nil, fmt.Errorf("make the server: %w", err)
	}
	return s, nil
}

// Notes returns sentences for the operator about what was found at the start.
func (s *Server) Notes() []string { return s.notes }

// Fingerprint returns the fingerprint of the host key, "SHA256:…".
func (s *Server) Fingerprint() string { return s.fingerprint }

// configure refuses everything but public keys and sessions.
func (s *Server) configure(srv *ssh.Server) error {
	srv.ServerConfigCallback = s.serverConfig
	srv.Handler = s.handleSession
	srv.PasswordHandler, srv.KeyboardInteractiveHandler = nil, nil
	srv.RequestHandlers = map[string]ssh.RequestHandler{} // refuses forwarding from the server
	srv.SubsystemHandlers = map[string]ssh.SubsystemHandler{}
	srv.ChannelHandlers = map[string]ssh.ChannelHandler{
		"session": s.handleChannel,
		"default": func(_ *ssh.Server, _ *gossh.ServerConn, n gossh.NewChannel, ctx ssh.Context) {
			s.metrics.deniedRequests.Inc("channel")
			s.log.Info("Refused a channel", "kind", sanitizeLogText(n.ChannelType()), "from", remoteAddress(ctx))
			// The client may have gone.
			_ = n.Reject(gossh.Prohibited, "confab forwards nothing, neither ports nor sockets")
		},
	}
	srv.ConnectionFailedCallback = func(c net.Conn, err error) {
		s.log.Info("A connection ended before anybody was let "+
			"in", "from", c.RemoteAddr().String(), "error", sanitizeLogText(err.Error()))
	}
	return nil
}

// maxLogText is how many bytes of a client's text are logged.
const maxLogText = 600

// sanitizeLogText removes control characters from text that a client chose, and shortens it.
func sanitizeLogText(s string) string {
	if len(s) > maxLogText {
		s = strings.ToValidUTF8(s[:maxLogText], "") + "…"
	}
	return termtext.Line(s)
}

// Serve accepts logins from l until the context ends. Then all users are told, their screens and commands end, and
// connections that are still open after the grace period are closed.
func (s *Server) Serve(ctx context.Context, l net.Listener, grace time.Duration) error {
	over := make(chan error, 2)
	safego.Go(s.log, "authorised keys", s.watchKeys, nil)
	safego.Go(s.log, "ssh", func() { over <- s.ssh.Serve(l) }, func(err error) { over <- err })
	select {
	case err := <-over:
		s.beginShutdown()
		return fmt.Errorf("serve ssh: %w", err)
	case <-ctx.Done():
	}
	s.beginShutdown()
	_ = l.Close() // whoever opened it may have closed it
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
	<-over // wait until the listener is closed
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("end the server: %w", err)
	}
	return nil
}

// Reload checks the authorised keys at once, and replaces the limits of connections, addresses, users and time and
// the commands that may be run. Open sessions stay while their key is authorised, with the time limits of their
// login.
func (s *Server) Reload(l Limits, commands []string) {
	l = l.withDefaults()
	limits := s.limits
	limits.MaxConnections, limits.MaxPerAddress = l.MaxConnections, l.MaxPerAddress
	limits.MaxPerMinute, limits.MaxPerUser = l.MaxPerMinute, l.MaxPerUser
	limits.IdleTimeout, limits.MaxDuration = l.IdleTimeout, l.MaxDuration
	s.limiter.setLimits(limits)
	s.mu.Lock()
	s.commands = commands
	s.mu.Unlock()
	select {
	case s.recheck <- struct{}{}:
	default: // a check is due already
	}
}

// beginShutdown refuses new logins and tells all sessions to end.
func (s *Server) beginShutdown() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isClosing() {
		close(s.closing)
	}
}

// beginLogin counts a login, and reports false when the server is ending.
func (s *Server) beginLogin() bool {
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

// screenCount returns how many screens are open.
func (s *Server) screenCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screens
}

func (s *Server) addScreens(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.screens += n
}
