package fileio_test

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"confab/internal/fileio"
)

func TestWriteNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	write := func(mayNumber bool, fail error) (string, error) {
		return fileio.WriteNew(path, mayNumber, func(out io.Writer, at string) error {
			if at != path {
				t.Errorf("told %s, want %s", at, path)
			}
			_, err := io.WriteString(out, "hello")
			return errors.Join(err, fail)
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
