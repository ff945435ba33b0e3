package fileio

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestWriteNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	hello := func(out interface{ Write([]byte) (int, error) }) error {
		_, err := out.Write([]byte("hello"))
		return err
	}
	write := func(mayNumber bool, fail error) (string, error) {
		return WriteNew(path, mayNumber, func(out io.Writer, at string) error {
			if at != path {
				t.Errorf("told %s, want %s", at, path)
			}
			return errors.Join(hello(out), fail)
		})
	}
	if got, err := write(false, nil); err != nil || got != path {
		t.Fatalf("got %s, %v", got, err)
	}
	if _, err := write(false, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: got %v, want that it exists", err)
	}
	if got, err := write(true, nil); err != nil || filepath.Base(got) != "a-2.md" {
		t.Errorf("got %s, %v, want a-2.md", got, err)
	}
	if _, err := write(true, syscall.ENOSPC); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a-2.md", "a.md"}) {
		t.Errorf("left %q", got)
	}
}

// Where files always have a name, the next one removes what a killed process left.
func TestTemporaryFileIsRemoved(t *testing.T) {
	dir := t.TempDir()
	in, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer in.root.Close()
	for _, base := range []string{"stale", "living"} {
		f, err := createTemporary(in, base)
		if _, writeErr := io.WriteString(f, "half"); err != nil || writeErr != nil {
			t.Fatal(err, writeErr)
		}
		if err := f.File.Close(); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * time.Hour)
	stale, err := filepath.Glob(filepath.Join(dir, ".stale.*.tmp"))
	if err != nil || len(stale) != 1 || os.Chtimes(stale[0], old, old) != nil {
		t.Fatal(stale, err)
	}
	f, err := createTemporary(in, "export.md")
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(f, "whole")
	if err := errors.Join(err, f.link("export.md"), f.close()); err != nil {
		t.Error(err)
	}
	if left := names(t, dir); len(left) != 2 || !strings.HasPrefix(left[0], ".living.") || left[1] != "export.md" {
		t.Errorf("left %q", left)
	}
}
