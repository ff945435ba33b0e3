package sshserver

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/fileio"
)

// Limits of a file of authorised keys, in bytes, and of a folder of them, in files.
const (
	maxKeyFile  = 1 << 20
	maxKeyFiles = 50_000
)

// settleTime is how old a file must be when it is read so that a later write has a later modification time: file
// systems record times in steps of up to two seconds.
const settleTime = 2 * time.Second

// keyIndex finds the user of a key without reading a file. It reads only files that have changed.
type keyIndex struct {
	path     string
	optional atomic.Bool // users can log in without it, by certificates
	account  int         // the user id that runs the server
	openFile func(path string) (*os.File, error)

	scanning sync.Mutex
	scans    atomic.Int64 // how many scans have begun
	current  atomic.Pointer[keySnapshot]
}

func newKeyIndex(path string) *keyIndex {
	return &keyIndex{path: path, account: os.Getuid(), openFile: fileio.Open}
}

// keySnapshot is the content of the files of authorised keys at one moment. It never changes.
type keySnapshot struct {
	version  int // grows whenever a file has changed
	realPath string
	root     fs.FileInfo // of the file or folder
	settled  bool        // every later change will change root
	files    map[string]keyFile
	owners   map[string][]authorizedKey // by the key in wire format
	skipped  []string                   // one sentence for each key that is skipped
	notes    []string                   // sentences for the operator about the users of the keys
	err      error                      // why nobody can log in
}

// keyFile is the content of one file.
type keyFile struct {
	info    fs.FileInfo
	settled bool
	keys    []authorizedKey
	skipped []string
}

// findUser returns the user of a key. A key that several users have belongs to the one whose
// name is the login; the login matters for nothing else.
func (x *keyIndex) findUser(login string, key gossh.PublicKey) (User, bool) {
	if key == nil {
		return User{}, false
	}
	wire := string(key.Marshal())
	s := x.current.Load()
	if s == nil || s.isStale(login, wire) {
		s = x.refresh(time.Now())
	}
	owners := s.owners[wire]
	if len(owners) == 0 {
		return User{}, false
	}
	user := owners[0].user
	for _, k := range owners[1:] {
		if k.user.ID != owners[0].user.ID {
			user = User{ID: login}
		}
	}
	i := slices.IndexFunc(owners, func(k authorizedKey) bool {
		return k.user.ID == user.ID
	})
	if i < 0 {
		return User{}, false
	}
	return owners[i].user, true
}

// isStale reports whether the files that decide about a key may have changed. It checks few files, however many there
// are: the folder, those that hold the key, and those named like the login.
func (s *keySnapshot) isStale(login, wire string) bool {
	if s.err != nil || !s.settled {
		return true
	}
	if root, err := os.Stat(s.realPath); err != nil || !isSameFile(root, s.root) {
		return true
	}
	if !s.root.IsDir() {
		return false
	}
	var paths []string
	for _, k := range s.owners[wire] {
		paths = append(paths, k.file)
	}
	if len(paths) == 0 && isUserName(login) {
		paths = []string{filepath.Join(s.realPath, login), filepath.Join(s.realPath, login+".pub")}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		known, ok := s.files[path]
		if (err == nil) != ok || ok && (!known.settled || !isSameFile(info, known.info)) {
			return true
		}
	}
	return false
}

// refresh reads the files that have changed and returns the state of all keys. Callers that wait for a scan which began
// after their call share its result.
func (x *keyIndex) refresh(now time.Time) *keySnapshot {
	asked := x.scans.Load()
	x.scanning.Lock()
	defer x.scanning.Unlock()
	if x.scans.Load() > asked {
		return x.current.Load()
	}
	x.scans.Add(1)
	old := x.current.Load()
	if old == nil {
		old = &keySnapshot{}
	}
	s := x.scan(old, now)
	if s != old {
		s.version = old.version
		if s.err == nil && !s.equal(old) {
			s.version++
		}
		x.current.Store(s)
	}
	return s
}

// hasOnlySettled reports whether a later change of any file would be noticed without reading it.
func (s *keySnapshot) hasOnlySettled() bool {
	for _, f := range s.files {
		if !f.settled {
			return false
		}
	}
	return s.settled
}

// equal reports whether two snapshots were made of the same files.
func (s *keySnapshot) equal(old *keySnapshot) bool {
	if s.root == nil || old.root == nil {
		return s.root == nil && old.root == nil && old.err == nil
	}
	return old.err == nil && isSameFile(s.root, old.root) && maps.EqualFunc(s.files, old.files, func(a,
		b keyFile) bool {
		return (a.info == nil) == (b.info == nil) && (a.info == nil || isSameFile(a.info, b.info))
	})
}

// scan returns a new snapshot. It reads only what has changed since the old one.
func (x *keyIndex) scan(old *keySnapshot, now time.Time) *keySnapshot {
	s := &keySnapshot{files: map[string]keyFile{}}
	s.realPath, s.root, s.err = trustedPath(x.path, x.account)
	if errors.Is(s.err, fs.ErrNotExist) && x.optional.Load() {
		s.err = nil
		return s
	}
	if errors.Is(s.err, fs.ErrNotExist) {
		s.err = fmt.Errorf("there are no authorised keys: %s is not there", x.path)
	}
	if s.err != nil {
		return s
	}
	s.settled = isSettled(s.root, now)
	if s.root.IsDir() {
		s.err = x.scanFolder(s, old, now)
	} else {
		s.files[s.realPath], s.err = x.readKeyFile(s.realPath, "", s.root, old.files[s.realPath], now)
	}
	if s.err != nil {
		return s
	}
	if old.err == nil && old.root != nil && s.hasOnlySettled() && old.hasOnlySettled() && s.equal(old) {
		return old
	}
	s.indexKeys()
	if len(s.owners) == 0 && !x.optional.Load() {
		s.err = fmt.Errorf("there is no authorised key in %s, so nobody could log in", x.path)
		if len(s.skipped) > 0 {
			s.err = fmt.Errorf("%w: %s", s.err, s.skipped[0])
		}
	}
	return s
}

func isSettled(info fs.FileInfo, now time.Time) bool {
	return info.ModTime().Before(now.Add(-settleTime))
}

// scanFolder checks every file of the folder. A file that cannot be used is skipped.
func (x *keyIndex) scanFolder(s, old *keySnapshot, now time.Time) error {
	entries, err := os.ReadDir(s.realPath)
	if err != nil {
		return cannotRead(s.realPath, err)
	}
	if len(entries) > maxKeyFiles {
		return fmt.Errorf("the folder of authorised keys %s has more than %d files", s.realPath, maxKeyFiles)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		path := filepath.Join(s.realPath, e.Name())
		user := strings.TrimSuffix(e.Name(), ".pub")
		info, err := os.Stat(path)
		switch {
		case err != nil:
			err = cannotRead(path, err)
		case !info.Mode().IsRegular() || !isUserName(user):
			err = fmt.Errorf("%s must be a file, named like its user in small letters, digits and . _ -", path)
		case e.Type()&fs.ModeSymlink != 0:
			_, _, err = trustedPath(path, x.account) // the link may lead to another folder
		}
		var f keyFile
		if err == nil {
			f, err = x.readKeyFile(path, user, info, old.files[path], now)
		}
		if err != nil {
			f = keyFile{info: info, skipped: []string{fmt.Sprintf("%s is passed over: %v", path, err)}}
		}
		s.files[path] = f
	}
	return nil
}

// readKeyFile returns the content of a file. When the file has not changed, it is not read again.
func (x *keyIndex) readKeyFile(path, user string, info fs.FileInfo, old keyFile, now time.Time) (keyFile, error) {
	if old.settled && isSameFile(info, old.info) {
		return old, nil
	}
	f, err := x.openFile(path)
	if err != nil {
		return keyFile{}, cannotRead(path, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	// The opened file is checked, because the path may name another file by now. It is checked before it is read, so
	// that a write during the read makes the file newer than the check.
	if info, err = f.Stat(); err != nil {
		return keyFile{}, cannotRead(path, err)
	}
	if err := checkOwnership(path, info, x.account); err != nil {
		return keyFile{}, err
	}
	content, err := fileio.ReadAll(f, maxKeyFile)
	if err != nil {
		return keyFile{}, cannotRead(path, err)
	}
	read := keyFile{info: info, settled: isSettled(info, now)}
	read.keys, read.skipped = parseAuthorizedKeys(path, user, content)
	return read, nil
}

// indexKeys collects the keys of all files.
func (s *keySnapshot) indexKeys() {
	s.owners = map[string][]authorizedKey{}
	for _, path := range slices.Sorted(maps.Keys(s.files)) {
		f := s.files[path]
		s.skipped = append(s.skipped, f.skipped...)
		for _, k := range f.keys {
			if !slices.ContainsFunc(s.owners[k.wire], func(o authorizedKey) bool {
				return o.user.ID == k.user.ID
			}) {
				s.owners[k.wire] = append(s.owners[k.wire], k)
			}
		}
	}
	s.notes = s.describe()
}

// isAuthorised reports whether a key is authorised for a user.
func (s *keySnapshot) isAuthorised(userID, wire string) bool {
	return slices.ContainsFunc(s.owners[wire], func(k authorizedKey) bool { return k.user.ID == userID })
}
