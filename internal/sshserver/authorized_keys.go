package sshserver

import (
	"bytes"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	gossh "golang.org/x/crypto/ssh"
)

// minRSABits is the length of the shortest RSA key that is accepted, of a user or of the server.
const minRSABits = 2048

// User is a person whose key is authorised.
type User struct {
	ID string // names the user's folder: the name that the operator gave, or one made of the key
}

// unnamedPrefix begins the ids that are made of fingerprints. No user name may begin with it.
const unnamedPrefix = "key-"

// isUserName reports whether a text can be the name of a user, which becomes the name of a folder.
func isUserName(s string) bool {
	const begins, goesOn = "abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnopqrstuvwxyz0123456789._-"
	return s != "" && len(s) <= 32 && strings.Contains(begins, s[:1]) && strings.Trim(s, goesOn) == "" &&
		!strings.HasPrefix(s, unnamedPrefix)
}

// newUser returns the user of a key. With an empty name the user is known by this key alone.
func newUser(name string, key gossh.PublicKey) User {
	if name != "" {
		return User{name}
	}
	sum := sha256.Sum256(key.Marshal())
	return User{unnamedPrefix + hex.EncodeToString(sum[:20])}
}

// authorizedKey is a line of a file of authorised keys.
type authorizedKey struct {
	wire string // the public key in SSH wire format
	user User
	file string
}

// parseAuthorizedKeys reads the lines of a file. A file in a folder belongs to the user it is named after. In the
// single file fileUser is empty, and each key is a user of its own. Comments name nobody: PuTTY writes a date, and
// ssh-keygen me@laptop, which different people share. skipped has a sentence for each line that is ignored. A line with
// options is, because what restricts a key must not be ignored.
func parseAuthorizedKeys(file, fileUser string, content []byte) (keys []authorizedKey, skipped []string) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	number := 0
	for line := range bytes.Lines(content) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, _, options, _, err := gossh.ParseAuthorizedKey(line)
		problem := "it is no public key"
		switch {
		case err != nil:
		case len(options) > 0:
			problem = "it has options, which are not understood here; a file of a folder names the user, and OpenSSH " +
				"with ForceCommand confab restricts keys"
		default:
			problem = unacceptableKey(key)
		}
		if problem != "" {
			skipped = append(skipped, fmt.Sprintf("%s line %d is passed over: %s", file, number, problem))
			continue
		}
		keys = append(keys, authorizedKey{string(key.Marshal()), newUser(fileUser, key), file})
	}
	return keys, skipped
}

// unacceptableKey returns why a key may not log in whatever its options are, and "" when it may.
func unacceptableKey(key gossh.PublicKey) string {
	if _, isCertificate := key.(*gossh.Certificate); isCertificate {
		return "it is a certificate; name who signs them with ssh.trusted_user_ca_keys"
	}
	if bits := rsaBits(key); bits != 0 && bits < minRSABits {
		return fmt.Sprintf("it is an RSA key of %d bits, and less than %d are not safe", bits, minRSABits)
	}
	if key.Type() != gossh.KeyAlgoRSA && !slices.Contains(signatureAlgorithms(), key.Type()) {
		return "keys of the type " + key.Type() + " are not safe"
	}
	return ""
}

// rsaBits returns the length of an RSA key, and 0 for other keys.
func rsaBits(key gossh.PublicKey) int {
	if k, ok := key.(gossh.CryptoPublicKey); ok {
		if r, ok := k.CryptoPublicKey().(*rsa.PublicKey); ok {
			return r.N.BitLen()
		}
	}
	return 0
}
