package sshserver

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/fileio"
)

// authorities are the keys of those who sign certificates of users, in wire format.
type authorities map[string]bool

// authorityFile is a file with the public key of an authority in each line. While it is missing or wrong, what it said
// before stays in force.
type authorityFile struct {
	path    string // empty: there is no such file, and nobody is trusted
	account int    // the user id that runs the server

	mu      sync.Mutex
	trusted authorities
}

// newAuthorityFile reads the file, and refuses to begin with one that is wrong.
func newAuthorityFile(path string, account int) (*authorityFile, error) {
	f := &authorityFile{path: path, account: account}
	_, err := f.current()
	return f, err
}

// current returns the newest content that is right, and why the file as it is now cannot be used.
func (f *authorityFile) current() (authorities, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		return nil, nil
	}
	real, _, err := trustedPath(f.path, f.account)
	var content []byte
	if err == nil {
		if content, err = fileio.Read(real, maxKeyFile); err != nil {
			err = cannotRead(f.path, err)
		}
	}
	if err != nil {
		return f.trusted, fmt.Errorf("the trusted authorities: %w", err)
	}
	lines, skipped := parseAuthorizedKeys(f.path, "", content)
	switch {
	case len(skipped) > 0:
		return f.trusted, fmt.Errorf("the trusted authorities: %s", skipped[0])
	case len(lines) == 0:
		return f.trusted, fmt.Errorf("the trusted authorities: there is no key of an authority in %s", f.path)
	}
	f.trusted = authorities{}
	for _, l := range lines {
		f.trusted[l.wire] = true
	}
	return f.trusted, nil
}

// certificateUser returns the user of a certificate, or why it may not log in: the login must be one of its principals.
// Its source-address is for the SSH library to check.
func (a authorities) certificateUser(login string, c *gossh.Certificate, now time.Time) (User, error) {
	switch {
	case c.CertType != gossh.UserCert:
		return User{}, errors.New("the certificate is not one of a user")
	case !a[string(c.SignatureKey.Marshal())]:
		return User{}, errors.New("no trusted authority has signed the certificate")
	case unacceptableKey(c.Key) != "":
		return User{}, fmt.Errorf("the key of the certificate: %s", unacceptableKey(c.Key))
	case !slices.Contains(signatureAlgorithms(), c.Signature.Format):
		return User{}, fmt.Errorf("the certificate is signed with %s, which is not safe", c.Signature.Format)
	case len(c.ValidPrincipals) == 0: // which the library takes for everybody
		return User{}, errors.New("the certificate names no user")
	case !isUserName(login):
		return User{}, errors.New("the login is no name of a user: small letters, digits and . _ -")
	}
	checker := gossh.CertChecker{SupportedCriticalOptions: []string{"source-address"},
		Clock: func() time.Time { return now }}
	if err := checker.CheckCert(login, c); err != nil {
		return User{}, fmt.Errorf("check the certificate: %w", err)
	}
	return User{login}, nil
}

// fingerprint returns the fingerprint of a key, and of a certificate that of the key in it.
func fingerprint(key gossh.PublicKey) string {
	if c, isCertificate := key.(*gossh.Certificate); isCertificate {
		key = c.Key
	}
	return gossh.FingerprintSHA256(key)
}
