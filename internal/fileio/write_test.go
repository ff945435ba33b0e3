package fileio_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"confab/internal/fileio"
)

func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestWriteReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	for _, content := range []string{"old and longer", "new", ""} {
		must(t, fileio.Write(path, []byte(content), 0o600))
		got, err := os.ReadFile(path)
		if err != nil || string(got) != content {
			t.Errorf("got %q and %v, want %q", got, err, content)
		}
	}
	if got := names(t, filepath.Dir(path)); len(got) != 1 {
		t.Errorf("left behind: %q", got)
	}
	info, err := os.Stat(path)
	must(t, err)
	if got := info.Mode().Perm(); runtime.GOOS != "windows" && got != 0o600 {
		t.Errorf("mode %v", got)
	}
}

// The mode is the one that was asked for, not what the umask leaves of it.
func TestWriteKeepsTheMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	path := filepath.Join(t.TempDir(), "a.toml")
	for _, mode := range []fs.FileMode{0o666, 0o640, 0o600} {
		must(t, fileio.Write(path, []byte("x"), mode))
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%v, %v, want %v", info.Mode(), err, mode)
		}
	}
}

func TestWhatCannotBeWrittenLeavesTheOldOneAlone(t *testing.T) {
	folder := t.TempDir()
	full := filepath.Join(folder, "full") // a folder with something in it cannot be replaced by a file
	must(t, os.MkdirAll(filepath.Join(full, "kept"), 0o700))
	if err := fileio.Write(full, []byte("x"), 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if err := fileio.Write(filepath.Join(folder, "none", "a"), []byte("x"), 0o600); err == nil {
		t.Error("written into a folder that is not there")
	}
	if got := names(t, folder); len(got) != 1 || got[0] != "full" {
		t.Errorf("left behind: %q", got)
	}
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
