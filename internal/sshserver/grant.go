package sshserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// errNotAuthorised is why a key that nobody vouches for is refused.
var errNotAuthorised = errors.New("the key is not authorised")

// Access names what decides about logins besides the files of authorised keys. All of it can be replaced by a reload.
type Access struct {
	TrustedUserCAKeys     string   // a file with the public keys of those who sign certificates of users
	RevokedKeys           string   // a file with keys and certificates that are refused
	HostCertificate       string   // a file with a certificate for the host key
	AuthorizedKeysCommand []string // a program that prints the keys of a user, and its arguments
}

// replacesKeyFiles reports whether users can log in without a file of authorised keys.
func (a Access) replacesKeyFiles() bool {
	return a.TrustedUserCAKeys != "" || len(a.AuthorizedKeysCommand) > 0
}

// accessRules are an [Access] whose files are read.
type accessRules struct {
	authorities watchedFile[authorities]
	revoked     watchedFile[revocations]
	command     *keysCommand
	host        gossh.Signer // with the certificate; nil without one
}

// newAccessRules reads all files, and refuses to begin with one that is wrong.
func newAccessRules(o Access, account int, hostKey gossh.Signer, now time.Time) (*accessRules, error) {
	r := &accessRules{
		authorities: watchedFile[authorities]{path: o.TrustedUserCAKeys, account: account, parse: parseAuthorities},
		revoked:     watchedFile[revocations]{path: o.RevokedKeys, account: account, parse: parseRevocations},
	}
	if err := r.check(now); err != nil {
		return nil, err
	}
	var err error
	if r.command, err = newKeysCommand(o.AuthorizedKeysCommand, account); err != nil {
		return nil, err
	}
	if o.HostCertificate != "" {
		r.host, err = loadHostCertificate(o.HostCertificate, account, hostKey)
	}
	return r, err
}

// check reads the files that have changed and returns why one of them cannot be used.
func (r *accessRules) check(now time.Time) error {
	_, err := r.authorities.current(now)
	if err != nil {
		err = fmt.Errorf("the trusted authorities: %w", err)
	}
	_, err2 := r.revoked.current(now)
	if err2 != nil {
		err2 = fmt.Errorf("the revoked keys: %w", err2)
	}
	return errors.Join(err, err2)
}

// grant is what lets a user log in: a key or certificate that is used from an address.
type grant struct {
	user        User
	key         gossh.PublicKey
	from        netip.Addr
	fromCommand bool // a program has printed the key
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

// findGrant returns what lets a login in with a key, or why nothing does. Of a connection, a program is asked once for
// each key.
func (s *Server) findGrant(ctx context.Context, c *conn, login string, key gossh.PublicKey) (grant, error) {
	rules, now := s.access.Load(), time.Now()
	if key == nil {
		return grant{}, errNotAuthorised
	}
	g := grant{key: key, from: clientAddress(c.RemoteAddr())}
	if revoked, _ := rules.revoked.current(now); revoked.revokes(key) { // the watcher logs what is wrong
		return grant{}, errors.New("the key or certificate is revoked")
	}
	var err error
	if cert := g.certificate(); cert != nil {
		trusted, _ := rules.authorities.current(now)
		g.user, err = trusted.certificateUser(login, cert, g.from)
		return g, err
	}
	var ok bool
	if g.user, ok = s.keys.findUser(login, key, g.from); ok {
		return g, nil
	}
	question := login + " " + string(key.Marshal())
	if known, ok := c.commandGrants[question]; ok {
		return known, nil
	}
	if g.user, err = rules.command.findUser(ctx, login, key, g); err != nil {
		return grant{}, err
	}
	g.fromCommand = true
	if c.commandGrants == nil {
		c.commandGrants = map[string]grant{}
	}
	c.commandGrants[question] = g
	return g, nil
}

// stillHolds reports whether a grant is good for a session that has begun. A certificate lasts for the session even
// when it expires, and a program is not asked again; only a revocation ends those.
func (r *accessRules) stillHolds(g grant, keys *keySnapshot, now time.Time) bool {
	switch cert := g.certificate(); {
	case cert != nil:
		trusted, _ := r.authorities.current(now)
		return trusted[string(cert.SignatureKey.Marshal())]
	case g.fromCommand:
		return true
	}
	return keys.isAuthorised(g.user.ID, string(g.key.Marshal()), g.from, now)
}
