package sshserver

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"charm.land/ssh"
	"github.com/anmitsu/go-shlex"
	gossh "golang.org/x/crypto/ssh"

	"confab/internal/safego"
)

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
	defer safego.Recover(s.log, "login", func(error) {
		s.facts.panics.Inc()
		ch.tell("an unexpected fault ended this login; the operator's log says more")
	})
	user, ok := s.keys.find(sess.User(), sess.PublicKey())
	if refused := c.refused.Load(); ok && refused != nil {
		ch.tell(refused.sentence())
		return
	}
	if !ok || !s.limiter.isAdmitted(c, user.ID()) {
		ch.tell("your key is not authorised any more")
		return
	}
	lease := s.leaseKey(user, string(sess.PublicKey().Marshal()))
	defer s.endLease(lease)
	v := Visit{User: user, Environ: sess.Environ(), Remote: sess.RemoteAddr(), Local: sess.LocalAddr()}
	log := s.log.With("user", user.String(), "from", sess.RemoteAddr().String())
	if sess.RawCommand() != "" {
		code = s.command(sess, ch, v, lease, log)
		return
	}
	code = s.screen(sess, ch, v, lease, log)
}

// allowedCommands returns what may be run instead of the screen, by its first word.
func (s *Server) allowedCommands() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands
}

// command runs a command that is allowed.
func (s *Server) command(sess ssh.Session, ch *channel, v Visit, lease *keyLease, log *slog.Logger) int {
	words, err := shlex.Split(sess.RawCommand(), true)
	if err != nil {
		words = nil
	}
	allowed := s.allowedCommands()
	if len(words) == 0 || !slices.Contains(allowed, words[0]) {
		s.facts.denied.Inc("exec")
		log.Info("Refused a command")
		switch {
		case len(words) == 0:
			ch.tell("the command cannot be read; is a quote not closed?")
		case len(allowed) == 0:
			ch.tell("no commands are run here; log in without one for the screen")
		default:
			ch.tell("only these commands are run here: " + strings.Join(allowed, ", ") + "; log in without one for the screen")
		}
		return 2
	}
	if pty, _, ok := sess.Pty(); ok {
		v.Window = Window{pty.Window.Width, pty.Window.Height}
	}
	ctx, cancel := context.WithTimeout(sess.Context(), s.limiter.current().Longest)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	safego.Go(s.log, "end of a command", func() {
		select {
		case <-s.closing:
			cancel()
		case <-ch.over:
			cancel()
		case <-lease.revoked:
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

// from returns where a connection comes from.
func from(ctx ssh.Context) string {
	if a := ctx.RemoteAddr(); a != nil {
		return a.String()
	}
	return ""
}
