package sshserver

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	gossh "golang.org/x/crypto/ssh"
)

// revocations are the keys and certificates that are refused whatever else says that they may log in.
type revocations struct {
	fingerprints map[string]bool // of keys, of users or of authorities
	ids          map[string]bool // of certificates
	serials      []serialRange   // of certificates
}

// serialRange is a range of serial numbers of certificates, with both ends.
type serialRange struct{ first, last uint64 }

// parseRevocations reads a list in the form that ssh-keygen -k reads to make a KRL: "serial: 7", "serial: 7-9", "id:
// anna@laptop", "key: ssh-ed25519 AAAA…", "hash: SHA256:…"; a line with only a public key revokes that key. Any other
// line makes the list wrong, because a revocation must not be ignored.
func parseRevocations(content []byte) (revocations, error) {
	r := revocations{fingerprints: map[string]bool{}, ids: map[string]bool{}}
	if bytes.HasPrefix(content, []byte("SSHKRL\n\x00")) {
		return r, errors.New("it is a binary KRL, which is not understood here; give the text that it was made from")
	}
	number := 0
	for line := range bytes.Lines(content) {
		number++
		text, _, _ := strings.Cut(string(line), "#")
		if text = strings.TrimSpace(text); text != "" {
			if err := r.add(text); err != nil {
				return r, fmt.Errorf("line %d: %w", number, err)
			}
		}
	}
	return r, nil
}

// add adds what a line revokes.
func (r *revocations) add(line string) error {
	kind, value, hasKind := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	switch {
	case hasKind && kind == "id" && value != "":
		r.ids[value] = true
		return nil
	case hasKind && kind == "serial":
		return r.addSerials(value)
	case hasKind && kind == "hash" && strings.HasPrefix(value, "SHA256:"):
		r.fingerprints[strings.TrimRight(value, "=")] = true
		return nil
	case hasKind && (kind == "key" || kind == "sha256"):
		line = value
	}
	key, _, _, _, err := gossh.ParseAuthorizedKey([]byte(line))
	if err != nil {
		return errors.New("it is neither a public key nor an id:, serial:, key:, sha256: or hash: with a value")
	}
	if _, isCertificate := key.(*gossh.Certificate); isCertificate {
		return errors.New("a certificate is revoked by its id: or serial:, or by the key: in it")
	}
	r.fingerprints[gossh.FingerprintSHA256(key)] = true
	return nil
}

func (r *revocations) addSerials(value string) error {
	first, last, isRange := strings.Cut(value, "-")
	if !isRange {
		last = first
	}
	a, err := strconv.ParseUint(strings.TrimSpace(first), 0, 64)
	b, err2 := strconv.ParseUint(strings.TrimSpace(last), 0, 64)
	if err != nil || err2 != nil || a > b || a == 0 {
		return errors.New("serial: takes a number from 1, or two with - between them")
	}
	r.serials = append(r.serials, serialRange{a, b})
	return nil
}

// revokes reports whether a key is revoked; of a certificate also by its key, its authority, its id and its serial.
func (r revocations) revokes(key gossh.PublicKey) bool {
	cert, isCertificate := key.(*gossh.Certificate)
	if !isCertificate {
		return r.fingerprints[gossh.FingerprintSHA256(key)]
	}
	if r.ids[cert.KeyId] || r.revokes(cert.Key) || r.revokes(cert.SignatureKey) {
		return true
	}
	for _, s := range r.serials {
		if s.first <= cert.Serial && cert.Serial <= s.last {
			return true
		}
	}
	return false
}
