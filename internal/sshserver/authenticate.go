package sshserver

import (
	"errors"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// config makes the protocol's settings of a connection.
func (s *Server) config(ctx ssh.Context) *gossh.ServerConfig {
	c := connOf(ctx)
	return &gossh.ServerConfig{
		Config:                  protocolConfig(),
		PublicKeyAuthAlgorithms: signatureAlgorithms(),
		MaxAuthTries:            s.limits.Tries,
		PreAuthConnCallback: func(gossh.ServerPreAuthConn) {
			c.within(s.limits.Offer) // the keys are exchanged
		},
		VerifiedPublicKeyCallback: func(
			m gossh.ConnMetadata, key gossh.PublicKey, p *gossh.Permissions, _ string,
		) (*gossh.Permissions, error) {
			return p, s.admit(c, m.User(), key)
		},
		AuthLogCallback: func(m gossh.ConnMetadata, method string, err error) {
			switch {
			case err == nil && c.refused.Load() == nil:
				c.within(s.limits.Login) // to ask for something
			case err == nil:
				c.within(s.limits.Offer) // to be told why not
			case method != "none": // by which clients ask what there is
				if method != "publickey" {
					method = "other"
				}
				s.facts.failures.Inc(method)
				s.log.Info("Refused a login", "user", logText(m.User()), "method", method,
					"from", m.RemoteAddr().String(), "why", logText(err.Error()))
			}
		},
	}
}

// authorise tells whether a key may be tried. Offering one proves nothing: who
// it is, is found out again from the key that has signed.
func (s *Server) authorise(ctx ssh.Context, key ssh.PublicKey) bool {
	_, ok := s.keys.find(ctx.User(), key)
	if !ok || s.isClosing() {
		return false
	}
	if c := connOf(ctx); s.limiter.offer(c) {
		c.within(s.limits.Login) // to unlock the key
	}
	return true
}

// admit counts a user in whose key has signed. One who is there too often comes in to be told so, and nothing else.
func (s *Server) admit(c *conn, login string, key gossh.PublicKey) error {
	user, ok := s.keys.find(login, key)
	if !ok {
		return errors.New("the key is not authorised any more")
	}
	if refused := s.limiter.admit(c, user.ID()); refused != notRefused {
		s.facts.refused.Inc(string(refused))
		c.refused.Store(&refused)
	}
	return nil
}
