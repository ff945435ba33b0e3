package sshserver

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/fileio"
)

// sourceAddressOption is the one critical option of certificates that is understood.
const sourceAddressOption = "source-address"

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
		if l.options != (keyOptions{}) {
			return nil, errors.New("the keys of authorities take no options")
		}
		all[l.wire] = true
	}
	if len(all) == 0 {
		return nil, errors.New("there is no key of an authority in it")
	}
	return all, nil
}

// certificateUser returns the user of a certificate, or why it may not log in: the login must be one of the names that
// it is valid for.
func (a authorities) certificateUser(login string, c *gossh.Certificate, from netip.Addr) (User, error) {
	switch {
	case c.CertType != gossh.UserCert:
		return User{}, errors.New("the certificate is not one of a user")
	case !a[string(c.SignatureKey.Marshal())]:
		return User{}, errors.New("no trusted authority has signed the certificate")
	case unacceptableKey(c.Key) != "":
		return User{}, fmt.Errorf("the key of the certificate: %s", unacceptableKey(c.Key))
	case !slices.Contains(signatureAlgorithms(), c.Signature.Format):
		return User{}, fmt.Errorf("the certificate is signed with %s, which is not safe", c.Signature.Format)
	case len(c.ValidPrincipals) == 0:
		return User{}, errors.New("the certificate names no user")
	case !isUserName(login):
		return User{}, errors.New("the login is no name of a user: small letters, digits and . _ -")
	}
	checker := gossh.CertChecker{SupportedCriticalOptions: []string{sourceAddressOption}, Clock: time.Now}
	if err := checker.CheckCert(login, c); err != nil {
		return User{}, fmt.Errorf("check the certificate: %w", err)
	}
	if list, restricted := c.CriticalOptions[sourceAddressOption]; restricted {
		if problem := checkAddressPatterns(list); problem != "" || !matchesAddress(list, from) {
			return User{}, fmt.Errorf("the certificate is not valid from %s", from)
		}
	}
	user := newUser(login, c.Key)
	user.Principals = c.ValidPrincipals
	user.Certificate = fmt.Sprintf("%s (serial %d)", c.KeyId, c.Serial)
	return user, nil
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
