package sshd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"charm.land/ssh"
	"charm.land/wish/v2"
	"github.com/anmitsu/go-shlex"
	gossh "golang.org/x/crypto/ssh"

	"confab/internal/metrics"
	"confab/internal/safe"
	"confab/ui/terminal"
)

// Server serves screens. Make one with [New].
type Server struct {
	house    House
	limits   Limits
	commands []string
	roster   roster
	lookout  lookout // used by one goroutine
	log      *slog.Logger
	metrics  *metrics.Registry
	facts    *facts
	door     *door
	ssh      *ssh.Server
	key      string // fingerprint of the host key
	told     []string

	mu       sync.Mutex
	channels map[ssh.Context]*channel
	present  map[*presence]bool // who is logged in
	closing  chan struct{}      // closed when the server is told to end
	logins   sync.WaitGroup
	screens  int
}

// New makes a server. It refuses to be one into which nobody, or anybody, could
// come: without an authorised key, or with a host key others may read. The
// errors are sentences for people.
func New(o Options) (*Server, error) {
	s := &Server{
		house: o.House, limits: o.Limits.filled(), commands: o.Commands, roster: roster{o.Keys}, log: o.Log, metrics: o.Metrics,
		channels: map[ssh.Context]*channel{}, present: map[*presence]bool{}, lookout: lookout{roster: roster{o.Keys}}, closing: make(chan struct{}),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.metrics == nil {
		s.metrics = metrics.New()
	}
	s.door, s.facts = newDoor(s.limits), newFacts(s.metrics)
	_, _, passed, err := s.lookout.look(time.Now())
	if err != nil {
		return nil, err
	}
	for _, p := range passed {
		s.told = append(s.told, terminal.Line(p))
	}
	text, made, err := hostKey(o.HostKey)
	if err != nil {
		return nil, err
	}
	if made {
		s.told = append(s.told, "a host key was made: "+terminal.Line(o.HostKey))
	}
	signer, err := gossh.ParsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("read the host key: %w", err)
	}
	s.key = gossh.FingerprintSHA256(signer.PublicKey())
	if s.ssh, err = wish.NewServer(
		wish.WithVersion("confab"), wish.WithHostKeyPEM(text), wish.WithPublicKeyAuth(s.authorise), ssh.WrapConn(s.accept),
		ssh.EmulatePty(), s.refusals,
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
			s.log.Info("Refused a channel", "kind", terminal.Line(n.ChannelType()), "from", from(ctx))
			_ = n.Reject(gossh.Prohibited, "confab forwards nothing, neither ports nor sockets") // the client may have gone
		},
	}
	srv.ConnectionFailedCallback = func(c net.Conn, err error) {
		s.log.Info("A connection ended before anybody was let in", "from", c.RemoteAddr().String(), "error", terminal.Line(err.Error()))
	}
	return nil
}

// config makes the protocol's settings of a connection.
func (s *Server) config(ctx ssh.Context) *gossh.ServerConfig {
	c := connOf(ctx)
	return &gossh.ServerConfig{
		MaxAuthTries: s.limits.Tries,
		PreAuthConnCallback: func(gossh.ServerPreAuthConn) {
			c.within(s.limits.Login) // the keys are exchanged
		},
		AuthLogCallback: func(m gossh.ConnMetadata, method string, err error) {
			switch {
			case err == nil:
				c.within(s.limits.Login) // to ask for something
			case method != "none": // by which clients ask what there is
				if method != "publickey" {
					method = "other"
				}
				s.facts.failures.Inc(method)
				s.log.Info("Refused a login", "user", terminal.Line(m.User()), "method", method, "from", m.RemoteAddr().String())
			}
		},
	}
}

// authorise tells whether a key may be tried. Offering one proves nothing: who
// it is, is found out again from the key that has signed.
func (s *Server) authorise(ctx ssh.Context, key ssh.PublicKey) bool {
	_, ok := s.roster.find(ctx.User(), key)
	return ok && !s.isClosing()
}

// session takes the one session that a connection may have.
func (s *Server) session(srv *ssh.Server, sc *gossh.ServerConn, n gossh.NewChannel, ctx ssh.Context) {
	c := connOf(ctx)
	if !c.used.CompareAndSwap(false, true) {
		s.facts.denied.Inc("session")
		_ = n.Reject(gossh.ResourceShortage, "one session for each connection; connect once more for another") // the client may have gone
		return
	}
	defer func() {
		s.mu.Lock()
		delete(s.channels, ctx)
		s.mu.Unlock()
		c.within(s.limits.Handshake) // whoever is done leaves
	}()
	ssh.DefaultSessionHandler(srv, sc, newChannel{n, c, func(ch *channel) {
		s.mu.Lock()
		s.channels[ctx] = ch
		s.mu.Unlock()
	}}, ctx)
}

// channelOf returns the session of a connection.
func (s *Server) channelOf(ctx ssh.Context) *channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.channels[ctx]
}

// serve serves a login: a screen, or a command that is allowed.
func (s *Server) serve(sess ssh.Session) {
	ctx := sess.Context()
	c, ch := connOf(ctx), s.channelOf(ctx)
	if ch == nil {
		_ = sess.Exit(1) // it was closed at once
		return
	}
	c.timer.Stop()
	code := 1
	if !s.begin() {
		ch.tell("the server is being stopped; try again in a moment")
		_ = sess.Exit(code) // the client may have gone
		return
	}
	defer s.logins.Done()
	defer func() {
		c.within(s.limits.Handshake)
		_ = sess.Exit(code) // the client may have gone
	}()
	defer safe.Recover(s.log, "login", func(error) {
		s.facts.panics.Inc()
		ch.tell("an unexpected fault ended this login; the operator's log says more")
	})
	user, ok := s.roster.find(sess.User(), sess.PublicKey())
	if !ok {
		ch.tell("your key is not authorised any more")
		return
	}
	if reason := s.door.login(user.ID()); reason != "" {
		s.facts.refused.Inc(reason)
		ch.tell(sentence(reason))
		return
	}
	defer s.door.logout(user.ID())
	here := s.stay(user, sess.PublicKey().Marshal())
	defer s.leave(here)
	v := Visit{User: user, Environ: sess.Environ(), Remote: sess.RemoteAddr(), Local: sess.LocalAddr()}
	log := s.log.With("user", user.String(), "from", sess.RemoteAddr().String())
	if sess.RawCommand() != "" {
		code = s.command(sess, ch, v, here, log)
		return
	}
	code = s.screen(sess, ch, v, here, log)
}

// command runs a command that is allowed.
func (s *Server) command(sess ssh.Session, ch *channel, v Visit, here *presence, log *slog.Logger) int {
	words, err := shlex.Split(sess.RawCommand(), true)
	if err != nil {
		words = nil
	}
	if len(words) == 0 || !slices.Contains(s.commands, words[0]) {
		s.facts.denied.Inc("exec")
		log.Info("Refused a command")
		switch {
		case len(words) == 0:
			ch.tell("the command cannot be read; is a quote not closed?")
		case len(s.commands) == 0:
			ch.tell("no commands are run here; log in without one for the screen")
		default:
			ch.tell("only these commands are run here: " + list(s.commands) + "; log in without one for the screen")
		}
		return 2
	}
	if pty, _, ok := sess.Pty(); ok {
		v.Window = Window{pty.Window.Width, pty.Window.Height}
	}
	ctx, cancel := context.WithTimeout(sess.Context(), s.limits.Longest)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	safe.Go(s.log, "end of a command", func() {
		select {
		case <-s.closing:
			cancel()
		case <-ch.over:
			cancel()
		case <-here.over:
			ch.tell("your key is not authorised here any more, so this command ends")
			ch.conn.because(string(ByKey))
			cancel()
			kill := time.AfterFunc(killAfter, func() { ch.conn.end(string(ByKey)) })
			defer kill.Stop()
			<-stop
		case <-stop:
		}
	}, nil)
	code := s.house.Run(ctx, v, words, Streams{In: ch, Out: sess, Err: sess.Stderr(), Signals: ch.signals})
	s.facts.commands.Inc(fmt.Sprint(code))
	log.Info("Ran a command", "command", words[0], "status", code)
	return code
}

func list(words []string) string {
	text := ""
	for i, w := range words {
		if i > 0 {
			text += ", "
		}
		text += w
	}
	return text
}

// from returns where a connection comes from.
func from(ctx ssh.Context) string {
	if a := ctx.RemoteAddr(); a != nil {
		return a.String()
	}
	return ""
}

// Serve takes logins from l until the context ends. Then everybody is told,
// their screens are left in order, commands are ended, and what is still there
// after the grace is closed.
func (s *Server) Serve(ctx context.Context, l net.Listener, grace time.Duration) error {
	over := make(chan error, 2)
	safe.Go(s.log, "authorised keys", s.recheck, nil)
	safe.Go(s.log, "ssh", func() { over <- s.ssh.Serve(l) }, func(err error) { over <- err })
	select {
	case err := <-over:
		s.end()
		return fmt.Errorf("serve ssh: %w", err)
	case <-ctx.Done():
	}
	s.end()
	_ = l.Close() // it may have been closed by whoever made it
	left := make(chan struct{})
	safe.Go(s.log, "end of logins", func() {
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
