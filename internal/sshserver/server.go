package sshserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"confab/internal/safego"
	"confab/internal/termtext"
)

// Server serves screens and commands over SSH. Create one with [New].
type Server struct {
	handler     Handler
	limits      Limits // as set at the start; the limiter has those that a reload has changed
	limiter     *limiter
	refusalLog  rate.Sometimes // bounds the lines about refused connections
	keys        *keyIndex
	ready       func() error
	authorities atomic.Pointer[authorityFile]
	watcher     accessWatcher
	log         *slog.Logger
	ssh         *ssh.Server
	fingerprint string
	notes       []string

	commands atomic.Pointer[[]string] // commands that may be run
	recheck  chan struct{}            // asks for a check of the authorised keys
	closing  context.Context          // ends when the server is told to end
	close    context.CancelFunc

	mu       sync.Mutex
	leases   map[*accessLease]bool // of all logged-in sessions
	draining bool                  // no new logins are taken
	drained  chan struct{}         // closed when the last session of a draining server has ended
	logins   sync.WaitGroup

	isReturning atomic.Bool // memory of screens that have ended will go back to the system
}

// New returns a server. It refuses options with which nobody or anybody could log in: no authorised key, or a host key
// that others may read. Its errors are sentences for people.
func New(o Options) (*Server, error) {
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	s := &Server{
		handler: o.Handler, limits: o.Limits, keys: newKeyIndex(o.Keys),
		log: cmp.Or(o.Log, slog.New(slog.DiscardHandler)), ready: o.Ready,
		leases: map[*accessLease]bool{}, recheck: make(chan struct{}, 1),
		drained: make(chan struct{}),
	}
	if s.ready == nil {
		s.ready = func() error { return nil }
	}
	s.closing, s.close = context.WithCancel(context.Background())
	s.commands.Store(&o.Commands)
	s.limiter, s.refusalLog = newLimiter(s.limits), rate.Sometimes{First: 20, Interval: time.Second}
	s.keys.optional.Store(o.TrustedUserCAKeys != "")
	keys := s.keys.refresh(time.Now())
	if keys.err != nil {
		return nil, keys.err
	}
	s.watcher.version = keys.version
	for _, sentence := range keys.skipped {
		s.notes = append(s.notes, termtext.Line(sentence))
	}
	signer, made, err := loadHostKey(o.HostKey, s.keys.account)
	if err != nil {
		return nil, err
	}
	if made {
		s.notes = append(s.notes, "a host key was made: "+termtext.Line(o.HostKey))
	}
	authorities, err := newAuthorityFile(o.TrustedUserCAKeys, s.keys.account)
	if err != nil {
		return nil, err
	}
	s.authorities.Store(authorities)
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
			s.log.Info("Refused a channel", "kind", sanitizeLogText(n.ChannelType()), "from", ctx.RemoteAddr().String())
			// The client may have gone.
			_ = n.Reject(gossh.Prohibited, "confab forwards nothing, neither ports nor sockets")
		},
	}
	srv.ConnectionFailedCallback = func(c net.Conn, err error) {
		s.log.Info("A connection ended before anybody was let in",
			"from", c.RemoteAddr().String(), "error", sanitizeLogText(err.Error()))
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

// partingTime is how long clients may take to disconnect by themselves once their sessions have ended.
const partingTime = 500 * time.Millisecond

// Serve accepts logins from l until the context ends, or until the last session has ended after [Server.Drain]. Then
// all users are told, their screens and commands end, and connections that are still open after the grace period are
// closed.
func (s *Server) Serve(ctx context.Context, l net.Listener, grace time.Duration) error {
	over := make(chan error, 2)
	safego.Go(s.log, "authorised keys", s.watchAccess, nil)
	safego.Go(s.log, "ssh", func() { over <- s.ssh.Serve(l) }, func(err error) { over <- err })
	select {
	case err := <-over:
		s.beginShutdown()
		return fmt.Errorf("serve ssh: %w", err)
	case <-ctx.Done():
	case <-s.drained:
		s.log.Info("The last session has ended, so the server stops")
	}
	s.beginShutdown()
	_ = l.Close() // whoever opened it may have closed it
	left := make(chan struct{})
	safego.Go(s.log, "end of logins", func() {
		s.logins.Wait()
		close(left)
	}, nil)
	select {
	case <-left:
	case <-time.After(grace):
		s.log.Warn("Logins did not end in time")
	}
	// Clients disconnect when they have read their exit status; a connection that the server closes may lose it.
	parting, cancel := context.WithTimeout(context.WithoutCancel(ctx), partingTime)
	defer cancel()
	err := s.ssh.Shutdown(parting)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.ssh.Close()
	}
	<-over // wait until the listener is closed
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("end the server: %w", err)
	}
	return nil
}

// Reload checks the authorised keys at once, and replaces the limits of connections, users and idle time,
// the file of authorities and the commands that may be run. Open sessions stay while their key is authorised, with the
// idle time of their login. When the file cannot be used, the authorities stay and the error says why.
func (s *Server) Reload(l Limits, trustedUserCAKeys string, commands []string) error {
	limits := s.limits
	limits.MaxConnections, limits.MaxPerUser, limits.IdleTimeout = l.MaxConnections, l.MaxPerUser, l.IdleTimeout
	s.limiter.setLimits(limits)
	s.commands.Store(&commands)
	authorities, err := newAuthorityFile(trustedUserCAKeys, s.keys.account)
	if err == nil {
		s.authorities.Store(authorities)
		s.keys.optional.Store(trustedUserCAKeys != "")
	}
	select {
	case s.recheck <- struct{}{}:
	default: // a check is due already
	}
	return err
}

// beginShutdown refuses new logins and tells all sessions to end.
func (s *Server) beginShutdown() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.close()
}

// beginLogin counts a login, and reports false when the server is ending.
func (s *Server) beginLogin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Err() != nil {
		return false
	}
	s.logins.Add(1)
	return true
}
