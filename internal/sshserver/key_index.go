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

// keyIndex finds the user of a key without reading a file. It reads the files again when one has changed.
type keyIndex struct {
	path     string
	optional atomic.Bool // users can log in without it, by certificates
	account  int         // the user id that runs the server

	scanning sync.Mutex
	scans    atomic.Int64 // how many scans have begun
	current  atomic.Pointer[keySnapshot]
}

func newKeyIndex(path string) *keyIndex {
	return &keyIndex{path: path, account: os.Getuid()}
}

// keySnapshot is the content of the files of authorised keys at one moment. It never changes.
type keySnapshot struct {
	version  int // grows whenever a file has changed
	realPath string
	files    map[string]fs.FileInfo     // by path: the folder too, and nil for what cannot be looked at
	settled  bool                       // every later change will show in files
	owners   map[string][]authorizedKey // by the key in wire format, one for each user who has it
	skipped  []string                   // one sentence for each key that is skipped
	err      error                      // why nobody can log in
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
	if len(owners) == 1 {
		return owners[0].user, true
	}
	i := slices.IndexFunc(owners, func(k authorizedKey) bool { return k.user.ID == login })
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
	paths := []string{s.realPath}
	for _, k := range s.owners[wire] {
		paths = append(paths, k.file)
	}
	if root := s.files[s.realPath]; len(paths) == 1 && isUserName(login) && root != nil && root.IsDir() {
		paths = append(paths, filepath.Join(s.realPath, login), filepath.Join(s.realPath, login+".pub"))
	}
	return slices.ContainsFunc(paths, func(path string) bool {
		info, _ := os.Stat(path) // nil on failure
		return !isUnchanged(info, s.files[path])
	})
}

// isUnchanged is [isSameFile] of files that may both be missing.
func isUnchanged(a, b fs.FileInfo) bool {
	return a == nil && b == nil || a != nil && b != nil && isSameFile(a, b)
}

// refresh reads the files when one has changed and returns the state of all keys. Callers that wait for a scan which
// began after their call share its result.
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
		if s.err == nil && (old.err != nil || !maps.EqualFunc(s.files, old.files, isUnchanged)) {
			s.version++
		}
		x.current.Store(s)
	}
	return s
}

// scan returns a new snapshot, or the old one where no file has changed.
func (x *keyIndex) scan(old *keySnapshot, now time.Time) *keySnapshot {
	s := &keySnapshot{files: map[string]fs.FileInfo{}, owners: map[string][]authorizedKey{}, settled: true}
	var root fs.FileInfo
	s.realPath, root, s.err = trustedPath(x.path, x.account)
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
	s.files[s.realPath] = root
	var entries []fs.DirEntry
	if root.IsDir() {
		if entries, s.err = s.list(); s.err != nil {
			return s
		}
	}
	for _, info := range s.files {
		s.settled = s.settled && info != nil && isSettled(info, now)
	}
	if old.err == nil && old.settled && s.settled && maps.EqualFunc(s.files, old.files, isUnchanged) {
		return old
	}
	if !root.IsDir() {
		s.err = x.read(s, s.realPath, "")
	}
	for _, e := range entries {
		path := filepath.Join(s.realPath, e.Name())
		if err := x.readEntry(s, path, e); err != nil {
			s.skipped = append(s.skipped, fmt.Sprintf("%s is passed over: %v", path, err))
		}
	}
	if s.err == nil && len(s.owners) == 0 && !x.optional.Load() {
		s.err = fmt.Errorf("there is no authorised key in %s, so nobody could log in", x.path)
		if len(s.skipped) > 0 {
			s.err = fmt.Errorf("%w: %s", s.err, s.skipped[0])
		}
	}
	return s
}

// list lists the files of the folder, and notes what they are.
func (s *keySnapshot) list() ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(s.realPath)
	if err != nil {
		return nil, cannotRead(s.realPath, err)
	}
	if len(entries) > maxKeyFiles {
		return nil, fmt.Errorf("the folder of authorised keys %s has more than %d files", s.realPath, maxKeyFiles)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	for _, e := range entries {
		path := filepath.Join(s.realPath, e.Name())
		s.files[path], _ = os.Stat(path) // nil on failure
	}
	return entries, nil
}

func isSettled(info fs.FileInfo, now time.Time) bool {
	return info.ModTime().Before(now.Add(-settleTime))
}

// readEntry reads the keys of a file of the folder, or returns why it cannot be used.
func (x *keyIndex) readEntry(s *keySnapshot, path string, e fs.DirEntry) error {
	user, info := strings.TrimSuffix(e.Name(), ".pub"), s.files[path]
	if info != nil && (!info.Mode().IsRegular() || !isUserName(user)) {
		return fmt.Errorf("%s must be a file, named like its user in small letters, digits and . _ -", path)
	}
	if e.Type()&fs.ModeSymlink != 0 {
		if _, _, err := trustedPath(path, x.account); err != nil { // the link may lead to another folder
			return err
		}
	}
	return x.read(s, path, user)
}

// read adds the keys of a file to a snapshot. A write during the read makes the file newer than the snapshot says.
func (x *keyIndex) read(s *keySnapshot, path, user string) error {
	f, err := fileio.Open(path)
	if err != nil {
		return cannotRead(path, err)
	}
	defer f.Close()       //nolint:errcheck // it was only read
	info, err := f.Stat() // of the opened file, because the path may name another file by now
	if err != nil {
		return cannotRead(path, err)
	}
	if err := checkOwnership(path, info, x.account); err != nil {
		return err
	}
	content, err := fileio.ReadAll(f, maxKeyFile)
	if err != nil {
		return cannotRead(path, err)
	}
	keys, skipped := parseAuthorizedKeys(path, user, content)
	s.skipped = append(s.skipped, skipped...)
	for _, k := range keys {
		isSame := func(o authorizedKey) bool { return o.user.ID == k.user.ID }
		if !slices.ContainsFunc(s.owners[k.wire], isSame) {
			s.owners[k.wire] = append(s.owners[k.wire], k)
		}
	}
	return nil
}

// isAuthorised reports whether a key is authorised for a user.
func (s *keySnapshot) isAuthorised(userID, wire string) bool {
	return slices.ContainsFunc(s.owners[wire], func(k authorizedKey) bool { return k.user.ID == userID })
}
