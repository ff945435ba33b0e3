package sshserver

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"charm.land/ssh"
	"github.com/anmitsu/go-shlex"
	gossh "golang.org/x/crypto/ssh"

	"confab/internal/safego"
)

// handleChannel accepts the one session that a connection may have.
func (s *Server) handleChannel(srv *ssh.Server, sc *gossh.ServerConn, n gossh.NewChannel, ctx ssh.Context) {
	c := connFromContext(ctx)
	if !c.hasSession.CompareAndSwap(false, true) {
		// The client may have gone.
		_ = n.Reject(gossh.ResourceShortage, "one session for each connection; connect once more for another")
		return
	}
	defer func() {
		c.channel.Store(nil)
		c.closeAfter(s.limits.HandshakeTimeout) // the client should disconnect now
	}()
	ssh.DefaultSessionHandler(srv, sc, filteredChannel{n, c}, ctx)
}

// handleSession runs what a login asks for: a screen, or a command that is allowed.
func (s *Server) handleSession(sess ssh.Session) {
	ctx := sess.Context()
	c := connFromContext(ctx)
	ch := c.channel.Load()
	if ch == nil {
		_ = sess.Exit(1) // the client has closed it already
		return
	}
	c.closeTimer.Stop()
	code := 1
	if !s.beginLogin() {
		ch.writeNotice("the server is being stopped; try again in a moment")
		_ = sess.Exit(code) // the client may have gone
		return
	}
	defer s.logins.Done()
	defer func() {
		c.closeAfter(s.limits.HandshakeTimeout)
		_ = sess.Exit(code) // the client may have gone
	}()
	defer safego.Recover(s.log, "login", func(error) {
		ch.writeNotice("an unexpected fault ended this login; the operator's log says more")
	})
	g, err := s.findGrant(sess.User(), sess.PublicKey())
	if refused := c.refused.Load(); err == nil && refused != nil {
		ch.writeNotice(refused.sentence())
		return
	}
	if err != nil || !s.limiter.isAdmitted(c, g.user.ID) {
		ch.writeNotice("your key is not authorised any more")
		return
	}
	lease := s.addLease(g)
	defer s.endLease(lease)
	v := Session{User: g.user, Environ: sess.Environ(), RemoteAddr: sess.RemoteAddr(), LocalAddr: sess.LocalAddr()}
	log := s.log.With("user", g.user.ID, "from", sess.RemoteAddr().String()).With(g.logFields()...)
	if sess.RawCommand() != "" {
		code = s.runCommand(sess, ch, v, lease, log)
		return
	}
	code = s.runScreen(sess, ch, v, lease, log)
}

// runCommand runs a command that is allowed.
func (s *Server) runCommand(sess ssh.Session, ch *channel, v Session, lease *accessLease, log *slog.Logger) int {
	words, err := shlex.Split(sess.RawCommand(), true)
	if err != nil {
		words = nil
	}
	allowed := *s.commands.Load()
	if len(words) == 0 || !slices.Contains(allowed, words[0]) {
		log.Info("Refused a command")
		switch {
		case len(words) == 0:
			ch.writeNotice("the command cannot be read; is a quote not closed?")
		case len(allowed) == 0:
			ch.writeNotice("no commands are run here; log in without one for the screen")
		default:
			ch.writeNotice("only these commands are run here: " + strings.Join(allowed, ", ") +
				"; log in without one for the screen")
		}
		return 2
	}
	if pty, _, ok := sess.Pty(); ok {
		v.Window = Window{pty.Window.Width, pty.Window.Height}
	}
	ctx, cancel := context.WithCancel(sess.Context())
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	safego.Go(s.log, "end of a command", func() {
		select {
		case <-s.closing.Done():
			cancel()
		case <-ch.closed:
			cancel()
		case <-lease.revoked:
			ch.writeNotice("your key is not authorised here any more, so this command ends")
			ch.conn.noteCloseReason(string(ExitKeyRevoked))
			cancel()
			kill := time.AfterFunc(killDelay, func() { ch.conn.closeFor(string(ExitKeyRevoked)) })
			defer kill.Stop()
			<-stop
		case <-stop:
		}
	}, nil)
	code := s.handler.RunCommand(ctx, v, words,
		Streams{Stdin: ch, Stdout: sess, Stderr: sess.Stderr(), Signals: ch.signals})
	log.Info("Ran a command", "command", words[0], "status", code)
	return code
}
