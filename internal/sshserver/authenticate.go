package sshserver

import (
	"errors"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// serverConfig returns the settings of the SSH protocol for one connection.
func (s *Server) serverConfig(ctx ssh.Context) *gossh.ServerConfig {
	c := connFromContext(ctx)
	return &gossh.ServerConfig{
		Config:                  protocolConfig(),
		PublicKeyAuthAlgorithms: signatureAlgorithms(),
		MaxAuthTries:            s.limits.MaxAuthTries,
		PreAuthConnCallback: func(gossh.ServerPreAuthConn) {
			c.closeAfter(s.limits.KeyOfferTimeout) // keys are exchanged; the client now has to offer one
		},
		VerifiedPublicKeyCallback: func(
			m gossh.ConnMetadata, key gossh.PublicKey, p *gossh.Permissions, _ string,
		) (*gossh.Permissions, error) {
			return p, s.admitUser(c, m.User(), key)
		},
		AuthLogCallback: func(m gossh.ConnMetadata, method string, err error) {
			switch {
			case err == nil && c.refused.Load() == nil:
				c.closeAfter(s.limits.LoginTimeout) // to open a session
			case err == nil:
				c.closeAfter(s.limits.KeyOfferTimeout) // to read why it was refused
			case method != "none": // clients use it to ask which methods there are
				if method != "publickey" {
					method = "other"
				}
				s.metrics.authFailures.Inc(method)
				s.log.Info("Refused a login", "user", sanitizeLogText(m.User()), "method", method,
					"from", m.RemoteAddr().String(), "why", sanitizeLogText(err.Error()))
			}
		},
	}
}

// acceptsKey reports whether a key may be tried. Offering a key proves nothing: admitUser finds the user again from the
// key that has signed.
func (s *Server) acceptsKey(ctx ssh.Context, key ssh.PublicKey) bool {
	_, ok := s.keys.findUser(ctx.User(), key)
	if !ok || s.closing.Err() != nil {
		return false
	}
	if c := connFromContext(ctx); s.limiter.noteKeyOffer(c) {
		c.closeAfter(s.limits.LoginTimeout) // the user may have to type a passphrase
	}
	return true
}

// admitUser counts the user whose key has signed. A user over a limit is let in too, but only to be told which limit.
func (s *Server) admitUser(c *conn, login string, key gossh.PublicKey) error {
	user, ok := s.keys.findUser(login, key)
	if !ok {
		return errors.New("the key is not authorised any more")
	}
	if refused := s.limiter.admit(c, user.ID); refused != notRefused {
		s.metrics.refusals.Inc(string(refused))
		c.refused.Store(&refused)
	}
	return nil
}
