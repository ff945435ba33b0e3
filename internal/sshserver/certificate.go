package sshserver

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/fileio"
)

// authorities are the keys of those who sign certificates of users, in wire format.
type authorities map[string]bool

// authorityFile is a file with the public key of an authority in each line. It is read again when it has changed; while
// it is missing or wrong, what it said before stays in force.
type authorityFile struct {
	path    string // empty: there is no such file, and nobody is trusted
	account int    // the user id that runs the server

	mu      sync.Mutex
	info    fs.FileInfo // of trusted
	settled bool
	trusted authorities
}

// current returns the newest content that is right, and why the file as it is now cannot be used.
func (f *authorityFile) current(now time.Time) (authorities, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		return nil, nil
	}
	real, info, err := trustedPath(f.path, f.account)
	if err == nil && f.settled && isSameFile(info, f.info) {
		return f.trusted, nil
	}
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
	f.info, f.settled, f.trusted = info, isSettled(info, now), authorities{}
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

// loadHostCertificate returns a signer that shows clients a certificate for the host key.
func loadHostCertificate(path string, account int, hostKey gossh.Signer) (gossh.Signer, error) {
	real, _, err := trustedPath(path, account)
	if err != nil {
		return nil, fmt.Errorf("the host certificate: %w", err)
	}
	text, err := fileio.Read(real, maxHostKey)
	if err != nil {
		return nil, fmt.Errorf("the host certificate %w", cannotRead(path, err))
	}
	key, _, _, _, err := gossh.ParseAuthorizedKey(text)
	c, isCertificate := key.(*gossh.Certificate)
	switch {
	case err != nil || !isCertificate || c.CertType != gossh.HostCert:
		return nil, fmt.Errorf("%s is not a host certificate, as ssh-keygen -h makes one", path)
	case len(c.ValidPrincipals) == 0:
		return nil, fmt.Errorf("the host certificate %s names no host, so that no client would accept it", path)
	}
	err = (&gossh.CertChecker{}).CheckCert(c.ValidPrincipals[0], c)
	var signer gossh.Signer
	if err == nil {
		signer, err = gossh.NewCertSigner(c, hostKey) // refuses a certificate for another key
	}
	if err != nil {
		return nil, fmt.Errorf("the host certificate %s cannot be used: %s", path,
			strings.TrimPrefix(err.Error(), "ssh: "))
	}
	return signer, nil
}
