//go:build unix

package fileio_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/fileio"

	"golang.org/x/sys/unix"
)

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("file"), []byte("text"), 0o600))
	must(t, unix.Mkfifo(at("pipe"), 0o600))
	if l, err := net.Listen("unix", at("socket")); err == nil {
		defer l.Close()
	}
	for link, target := range map[string]string{"to-file": "file", "to-pipe": "pipe", "zero": "/dev/zero"} {
		must(t, os.Symlink(target, at(link)))
	}
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	for name, want := range map[string]string{
		"file": "", "to-file": "", "pipe": "a named pipe", "to-pipe": "a named pipe", "zero": "a device",
		"socket": "a socket", ".": "a folder",
	} {
		b, err := fileio.Read(at(name), 10)
		judge(t, "Read "+name, string(b), err, want)
		if name == "." || name == "zero" { // a folder can be opened in an fs.FS; /dev is outside of the root
			continue
		}
		b, err = fs.ReadFile(fileio.FS(root), name)
		judge(t, "FS "+name, string(b), err, want)
	}
	if b, err := fileio.ReadSettings(os.DevNull, 10); err != nil || len(b) > 0 {
		t.Errorf("the null device as settings: %q, %v", b, err)
	}
	_, err = fileio.Read(os.DevNull, 10)
	judge(t, "the null device", "", err, "a device")
	if _, err := fileio.Read(at("file"), 3); !errors.Is(err, fileio.ErrTooLarge) {
		t.Errorf("a file of four bytes with three allowed: %v", err)
	}
	if _, err := fileio.Read(at("none"), 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is missing: %v", err)
	}
	if found, err := fs.Glob(fileio.FS(root), "f*"); err != nil || len(found) != 1 {
		t.Errorf("Glob found %v, %v", found, err)
	}
}

func judge(t *testing.T, what, text string, err error, want string) {
	t.Helper()
	var kind *fileio.FileTypeError
	switch {
	case want == "" && (err != nil || text != "text"):
		t.Errorf("%s: %q, %v", what, text, err)
	case want != "" && (!errors.As(err, &kind) || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: %v, want a FileTypeError with %q", what, err, want)
	}
}
