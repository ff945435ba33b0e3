package sshserver

import (
	"errors"
	"fmt"

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
				s.log.Info("Refused a login", "user", sanitizeLogText(m.User()), "method", method,
					"from", m.RemoteAddr().String(), "why", sanitizeLogText(err.Error()))
			}
		},
	}
}

// acceptsKey reports whether a key may be tried. Offering a key proves nothing: admitUser finds the user again from the
// key that has signed.
func (s *Server) acceptsKey(ctx ssh.Context, key ssh.PublicKey) bool {
	c := connFromContext(ctx)
	g, err := s.findGrant(ctx.User(), key)
	if err != nil && !errors.Is(err, errNotAuthorised) {
		s.log.Info("Refused a key", "user", sanitizeLogText(ctx.User()), "from", ctx.RemoteAddr().String(),
			"key", fingerprint(key), "why", sanitizeLogText(err.Error()))
	}
	if err != nil || s.closing.Err() != nil {
		return false
	}
	if cert := g.certificate(); cert != nil {
		ctx.Permissions().CriticalOptions = cert.CriticalOptions // the library checks source-address
	}
	if s.limiter.noteKeyOffer(c, fingerprint(key)) {
		c.closeAfter(s.limits.LoginTimeout) // the user may have to type a passphrase
	}
	return true
}

// admitUser counts the user whose key has signed. A user over a limit is let in too, but only to be told which limit.
func (s *Server) admitUser(c *conn, login string, key gossh.PublicKey) error {
	g, err := s.findGrant(login, key)
	if err != nil {
		return fmt.Errorf("authorise the key that signed: %w", err)
	}
	refused := notRefused
	if s.isDraining() {
		refused = serverDrains
	}
	if refused = s.limiter.admit(c, g.user.ID, refused); refused != notRefused {
		s.log.Info("Refused a login", "user", g.user.ID, "from", c.RemoteAddr().String(), "key", fingerprint(key),
			"why", refused.sentence())
		c.refused.Store(&refused)
	}
	return nil
}
