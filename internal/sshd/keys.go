package sshd

import (
	"bytes"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	gossh "golang.org/x/crypto/ssh"
)

// maxKeys bounds a file of authorised keys, in bytes, and a folder of them, in
// files.
const (
	maxKeyFile  = 1 << 20
	maxKeyFiles = 10000
	minRSA      = 2048 // bits
)

// User is somebody whose key is authorised.
type User struct {
	Name        string // as the operator named them; empty when only the key is known
	Fingerprint string // of the key, "SHA256:…"
	id          string
}

// ID names the user's folder. It is the name, or made of the fingerprint.
func (u User) ID() string { return u.id }

// String returns what people call the user.
func (u User) String() string {
	if u.Name != "" {
		return u.Name
	}
	return u.id
}

// unnamed begins the ids that are made of fingerprints; no name does.
const unnamed = "key-"

// name tells names from everything else. They become folders.
func name(s string) bool {
	return regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,31}$`).MatchString(s) && !strings.HasPrefix(s, unnamed)
}

// newUser returns the user of a key. Only a comment that is a plain name counts
// as one: what ssh-keygen puts there by itself, me@laptop, is the same for
// different people.
func newUser(called string, key gossh.PublicKey) User {
	u := User{Fingerprint: gossh.FingerprintSHA256(key)}
	if name(called) {
		u.Name, u.id = called, called
		return u
	}
	sum := sha256.Sum256(key.Marshal())
	u.id = unnamed + hex.EncodeToString(sum[:20])
	return u
}

// authorised is a key with its user.
type authorised struct {
	key  []byte // as the wire has it
	user User
}

// roster reads who is authorised. It is read anew for every login, so that a
// key that was taken away is refused from then on.
type roster struct{ path string }

// read returns the authorised keys, and a sentence for each that is passed
// over.
func (r roster) read() (all []authorised, passed []string, err error) {
	info, err := os.Stat(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("there are no authorised keys: %s is not there", r.path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the authorised keys in %s cannot be read", r.path)
	}
	if err := unwritable(r.path, info); err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		return readKeys(r.path, "")
	}
	entries, err := os.ReadDir(r.path)
	if err != nil || len(entries) > maxKeyFiles {
		return nil, nil, fmt.Errorf("the folder of authorised keys %s cannot be read, or has more than %d files", r.path, maxKeyFiles)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		user := strings.TrimSuffix(e.Name(), ".pub")
		path := filepath.Join(r.path, e.Name())
		info, err := os.Stat(path)
		if err == nil {
			err = unwritable(path, info)
		}
		if err != nil || !info.Mode().IsRegular() || !name(user) {
			passed = append(passed, fmt.Sprintf("%s is passed over: it must be a file that others cannot write, named like its user in small letters, digits and . _ -", path))
			continue
		}
		keys, more, err := readKeys(path, user)
		if err != nil {
			passed = append(passed, err.Error())
			continue
		}
		all, passed = append(all, keys...), append(passed, more...)
	}
	return all, passed, nil
}

// find returns whose key it is. A key that several users have is that of the
// one who is logging in; the name counts for nothing else.
func (r roster) find(login string, key gossh.PublicKey) (User, bool) {
	all, _, err := r.read()
	if err != nil || key == nil {
		return User{}, false
	}
	wire := key.Marshal()
	var users []User
	for _, a := range all {
		if bytes.Equal(a.key, wire) && !slices.Contains(users, a.user) {
			users = append(users, a.user)
		}
	}
	if len(users) == 1 {
		return users[0], true
	}
	for _, u := range users {
		if u.Name == login {
			return u, true
		}
	}
	return User{}, false
}

// readKeys reads a file of keys, which are all of one user when that is named.
func readKeys(path, user string) (all []authorised, passed []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("the authorised keys in %s cannot be read", path)
	}
	defer f.Close() //nolint:errcheck // it was only read
	b, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	if err != nil || len(b) > maxKeyFile {
		return nil, nil, fmt.Errorf("the authorised keys in %s cannot be read, or are more than 1 MiB", path)
	}
	for i, line := range bytes.Split(b, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		pass := func(why string) {
			passed = append(passed, fmt.Sprintf("%s line %d is passed over: %s", path, i+1, why))
		}
		key, comment, options, _, err := gossh.ParseAuthorizedKey(line)
		if err != nil {
			pass("it is no public key")
			continue
		}
		if why := unusable(key, options); why != "" {
			pass(why)
			continue
		}
		called := user
		if called == "" {
			called = comment
		}
		all = append(all, authorised{key.Marshal(), newUser(called, key)})
	}
	return all, passed, nil
}

// unusable says why a key counts for nothing; empty when it counts. An option
// that would narrow what the key may do and is not understood must not be
// dropped in silence.
func unusable(key gossh.PublicKey, options []string) string {
	for _, o := range options {
		name, _, _ := strings.Cut(strings.ToLower(o), "=")
		switch {
		case name == "restrict", name == "pty", strings.HasPrefix(name, "no-"):
			// nothing else is given to anybody
		default:
			return "the option " + name + " is not understood here"
		}
	}
	if _, cert := key.(*gossh.Certificate); cert {
		return "certificates are not understood here"
	}
	if k, ok := key.(gossh.CryptoPublicKey); ok {
		if r, ok := k.CryptoPublicKey().(*rsa.PublicKey); ok && r.N.BitLen() < minRSA {
			return "an RSA key of less than 2048 bits is not safe"
		}
	}
	return ""
}

// unwritable refuses what others of the machine could add their key to.
func unwritable(path string, info fs.FileInfo) error {
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s can be written by others on this machine, who could let themselves in: run chmod go-w on it", path)
	}
	return nil
}
