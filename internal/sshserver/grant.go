package sshserver

import (
	"errors"
	"net"
	"net/netip"
	"strings"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// errNotAuthorised is why a key that nobody vouches for is refused.
var errNotAuthorised = errors.New("the key is not authorised")

// grant is what lets a user log in: a key or certificate.
type grant struct {
	user User
	key  gossh.PublicKey
}

// certificate returns the certificate of a grant, and nil for a plain key.
func (g grant) certificate() *gossh.Certificate {
	c, _ := g.key.(*gossh.Certificate)
	return c
}

// logFields returns what the lines of a login in the log say about the key, and about the certificate when it has one.
func (g grant) logFields() []any {
	fields := []any{"key", fingerprint(g.key)}
	if cert := g.certificate(); cert != nil {
		fields = append(fields, "certificate", sanitizeLogText(cert.KeyId),
			"principals", sanitizeLogText(strings.Join(cert.ValidPrincipals, ",")))
	}
	return fields
}

// clientAddress returns the address of a client, without a port or a zone.
func clientAddress(a net.Addr) netip.Addr {
	at, _ := netip.ParseAddrPort(a.String()) // the zero address without one
	return at.Addr().Unmap().WithZone("")
}

// findGrant returns what lets a login in with a key, or why nothing does.
func (s *Server) findGrant(login string, key gossh.PublicKey) (g grant, err error) {
	if key == nil {
		return grant{}, errNotAuthorised
	}
	g.key = key
	if cert := g.certificate(); cert != nil {
		trusted, _ := s.authorities.Load().current() // the watcher logs what is wrong
		g.user, err = trusted.certificateUser(login, cert, time.Now())
		return g, err
	}
	var ok bool
	if g.user, ok = s.keys.findUser(login, key); !ok {
		return grant{}, errNotAuthorised
	}
	return g, nil
}

// stillHolds reports whether a grant is good for a session that has begun. A certificate lasts for the session even
// when it expires, unless its authority is not trusted any more.
func (f *authorityFile) stillHolds(g grant, keys *keySnapshot) bool {
	if cert := g.certificate(); cert != nil {
		trusted, _ := f.current()
		return trusted[string(cert.SignatureKey.Marshal())]
	}
	return keys.isAuthorised(g.user.ID, string(g.key.Marshal()))
}
