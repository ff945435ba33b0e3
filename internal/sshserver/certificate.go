package sshserver

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/fileio"
)

// authorities are the keys of those who sign certificates of users, in wire format.
type authorities map[string]bool

// parseAuthorities reads a file with the public key of an authority in each line.
func parseAuthorities(content []byte) (authorities, error) {
	lines, skipped := parseAuthorizedKeys("", "", content)
	if len(skipped) > 0 {
		return nil, errors.New(strings.TrimSpace(skipped[0]))
	}
	all := authorities{}
	for _, l := range lines {
		all[l.wire] = true
	}
	if len(all) == 0 {
		return nil, errors.New("there is no key of an authority in it")
	}
	return all, nil
}

// expiredError is why a certificate is refused whose time is over.
type expiredError struct{ since time.Time }

func (e *expiredError) Error() string {
	return "the certificate has expired at " + e.since.UTC().Format(time.DateTime) + " UTC"
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
	err := checker.CheckCert(login, c)
	if expiry, expires := expiryOf(c); err != nil && expires && !now.Before(expiry) {
		checker.Clock = func() time.Time { return time.Unix(int64(c.ValidAfter), 0) }
		if checker.CheckCert(login, c) == nil { // nothing else is wrong with it
			return User{}, &expiredError{expiry}
		}
	}
	if err != nil {
		return User{}, fmt.Errorf("check the certificate: %w", err)
	}
	user := newUser(login, c.Key)
	user.Certificate = fmt.Sprintf("%s (serial %d)", c.KeyId, c.Serial)
	return user, nil
}

// expiryOf returns when a certificate expires; expires is false when it never does.
func expiryOf(c *gossh.Certificate) (expiry time.Time, expires bool) {
	if c.ValidBefore == gossh.CertTimeInfinity || c.ValidBefore > math.MaxInt64 {
		return time.Time{}, false
	}
	return time.Unix(int64(c.ValidBefore), 0), true
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
	case !bytes.Equal(c.Key.Marshal(), hostKey.PublicKey().Marshal()):
		return nil, fmt.Errorf("the host certificate %s is for another key than the host key", path)
	case len(c.ValidPrincipals) == 0:
		return nil, fmt.Errorf("the host certificate %s names no host, so that no client would accept it", path)
	}
	if expiry, expires := expiryOf(c); expires && !time.Now().Before(expiry) {
		return nil, fmt.Errorf("the host certificate %s has expired at %s UTC, so that no client would accept it", path,
			expiry.UTC().Format(time.DateTime))
	}
	if err := (&gossh.CertChecker{}).CheckCert(c.ValidPrincipals[0], c); err != nil {
		return nil, fmt.Errorf("the host certificate %s cannot be used: %s", path,
			strings.TrimPrefix(err.Error(), "ssh: "))
	}
	signer, err := gossh.NewCertSigner(c, hostKey)
	if err != nil {
		return nil, fmt.Errorf("use the host certificate %s: %w", path, err)
	}
	return signer, nil
}
