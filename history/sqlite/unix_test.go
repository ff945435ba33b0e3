//go:build unix

package sqlite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"confab/history"
	"confab/history/sqlite"
)

// limitFiles bounds the size of files that this process may write.
func limitFiles(size uint64) error {
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: size})
}

func TestFilesArePrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "a", "b", "history.db"), sqlite.Options{})
	must(t, errorOf(s.CreateSession(t.Context(), "x")))
	for name, want := range map[string]os.FileMode{"a": 0o700, "a/b": 0o700, "a/b/history.db": 0o600,
		"a/b/history.db-wal": 0o600, "a/b/history.db-shm": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		} else if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: got %o want %o", name, got, want)
		}
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	exe := filepath.Join(sharedFolder(t), "test")
	copyBinary(t, exe)
	for _, test := range []struct {
		name         string
		file, folder os.FileMode
		want         string
	}{
		{"file", 0o444, 0o777, "error read-only"},
		{"folder", 0o666, 0o555, "error read-only"},
		{"unreadable file", 0o000, 0o777, "error read-only"},
		{"both writable", 0o666, 0o777, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := sharedFolder(t)
			path := filepath.Join(dir, "history.db")
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			must(t, err)
			must(t, errorOf(s.CreateSession(t.Context(), "kept")))
			s.Close()
			before := sum(t, path)
			for name, mode := range map[string]os.FileMode{path: test.file, dir: test.folder} {
				must(t, os.Chmod(name, mode))
			}
			out, _ := asNobody(t, exe, path).Output()
			if got := string(out); !strings.HasPrefix(got, test.want) || got != "" && test.want == "" {
				t.Errorf("got %q want %q", got, test.want)
			}
			if test.want != "" && sum(t, path) != before {
				t.Error("the file was changed")
			}
		})
	}
	t.Run("a new store in a folder", func(t *testing.T) {
		dir := sharedFolder(t)
		must(t, os.Chmod(dir, 0o555))
		out, _ := asNobody(t, exe, filepath.Join(dir, "history.db")).Output()
		if !strings.HasPrefix(string(out), "error read-only") {
			t.Errorf("got %q", out)
		}
	})
}

// A store that was temporarily read-only can be written again, even with read-only sidecars of an earlier release.
func TestReadOnlyForAWhile(t *testing.T) {
	t.Parallel()
	exe := filepath.Join(sharedFolder(t), "test")
	copyBinary(t, exe)
	dir := sharedFolder(t)
	path := filepath.Join(dir, "history.db")
	fillStore(t, path, 1)
	chmod := func(name string, mode os.FileMode) {
		t.Helper()
		must(t, os.Chmod(name, mode))
	}
	own := func(name string) {
		t.Helper()
		if err := os.Chown(name, 65534, 65534); os.Getuid() == 0 && err != nil {
			t.Fatal(err)
		}
	}
	chmod(dir, 0o777)
	own(path)
	for _, leftOver := range []string{"", "-shm", "-wal"} {
		chmod(path, 0o400)
		if out, _ := asNobody(t, exe, path).Output(); !strings.HasPrefix(string(out), "error read-only") {
			t.Errorf("while it is read-only: got %q", out)
		}
		for _, end := range []string{"-shm", "-wal"} {
			if _, err := os.Stat(path + end); err == nil {
				t.Errorf("the file %s was left", end)
			}
		}
		if leftOver != "" {
			write(t, path+leftOver, nil)
			own(path + leftOver)
			chmod(path+leftOver, 0o400)
		}
		chmod(path, 0o600)
		if out, err := asNobody(t, exe, path).Output(); err != nil {
			t.Errorf("afterwards, with a file %q: got %s, %v", leftOver, out, err)
		}
	}
}

// sharedFolder creates a folder that other users can enter.
func sharedFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "confab-history-")
	must(t, err)
	t.Cleanup(func() {
		os.Chmod(dir, 0o700)
		os.RemoveAll(dir)
	})
	must(t, os.Chmod(dir, 0o755))
	return dir
}

func copyBinary(t *testing.T, to string) {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	b, err := os.ReadFile(exe)
	must(t, err)
	if err := os.WriteFile(to, b, 0o755); err != nil { //nolint:gosec // others run it
		t.Fatal(err)
	}
}

// asNobody opens a store without root rights, for which no file is read-only.
func asNobody(t *testing.T, exe, path string) *exec.Cmd {
	c := child(t, "open", path)
	c.Path = exe
	c.Args[0] = exe
	c.Dir = "/"
	if os.Getuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return c
}

func TestNotAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	must(t, syscall.Mkfifo(pipe, 0o600))
	device := filepath.Join(dir, "device")
	must(t, os.Symlink("/dev/full", device))
	if _, err := os.Stat(device); err != nil {
		device = dir // this system has none
	}
	for _, path := range []string{dir, pipe, device} {
		if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); kind(err) != "corrupt" {
			t.Errorf("%s: got %v, want %v", path, err, history.ErrCorrupt)
		}
	}
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	if _, err := sqlite.Open(t.Context(), filepath.Join(file, "history.db"), sqlite.Options{}); kind(err) != "io" {
		t.Errorf("a file where its folder should be: got %v, want %v", err, history.ErrIO)
	}
}

func TestFilesMayNotGrow(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/history.db"
	out, err := child(t, "fill", path).Output()
	said := strings.Split(strings.TrimSpace(string(out)), "\n")
	if last := said[len(said)-1]; err == nil || !strings.HasPrefix(last, "error full") {
		t.Fatalf("got %v and %q", err, last)
	}
	s := open(t, path, sqlite.Options{})
	must(t, s.Check(t.Context()))
	f, err := s.Info(t.Context())
	if err != nil || f.Turns != len(said)-1 || f.Turns == 0 {
		t.Errorf("got %d turns, %v, want %d", f.Turns, err, len(said)-1)
	}
}
