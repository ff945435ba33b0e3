package sshserver

import (
	"errors"
	"net"
	"net/netip"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// errNotAuthorised is why a key that nobody vouches for is refused.
var errNotAuthorised = errors.New("the key is not authorised")

// Access names what decides about logins besides the files of authorised keys. All of it can be replaced by a reload.
type Access struct {
	TrustedUserCAKeys string // a file with the public keys of those who sign certificates of users
	HostCertificate   string // a file with a certificate for the host key
}

// accessRules are an [Access] whose files are read.
type accessRules struct {
	authorities authorityFile
	host        gossh.Signer // with the certificate; nil without one
}

// newAccessRules reads all files, and refuses to begin with one that is wrong.
func newAccessRules(o Access, account int, hostKey gossh.Signer, now time.Time) (*accessRules, error) {
	r := &accessRules{authorities: authorityFile{path: o.TrustedUserCAKeys, account: account}}
	if _, err := r.authorities.current(now); err != nil {
		return nil, err
	}
	var err error
	if o.HostCertificate != "" {
		r.host, err = loadHostCertificate(o.HostCertificate, account, hostKey)
	}
	return r, err
}

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
		now := time.Now()
		trusted, _ := s.access.Load().authorities.current(now) // the watcher logs what is wrong
		g.user, err = trusted.certificateUser(login, cert, now)
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
func (r *accessRules) stillHolds(g grant, keys *keySnapshot, now time.Time) bool {
	if cert := g.certificate(); cert != nil {
		trusted, _ := r.authorities.current(now)
		return trusted[string(cert.SignatureKey.Marshal())]
	}
	return keys.isAuthorised(g.user.ID, string(g.key.Marshal()))
}
