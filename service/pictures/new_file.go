package pictures

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// leftOverAfter is how old a temporary file of a dead process is before it is
// removed.
const leftOverAfter = time.Minute

// unnamedFile is a file being written that gets its name when it is whole.
type unnamedFile struct {
	*os.File
	link  func(name string) error // gives it its name; fails with fs.ErrExist when the name is taken
	close func() error
}

// WriteNew writes a file that is not there yet, for its owner only, whole or
// not at all, and returns its path. When another stands there it fails with
// fs.ErrExist, or, when it may, takes a name with a number behind it. The
// folder must exist. write is told the path the file will have; it is called
// once, before a number is added.
//
// Where the system knows files without a name (Linux, on most file systems), a
// process that is killed while it writes leaves nothing. Elsewhere it leaves a
// temporary file that carries o.Owner, which the next WriteNew into the folder
// removes once o.Alive says that the process has ended.
func WriteNew(path string, o StoreOptions, mayNumber bool, write func(out io.Writer, path string) error) (_ string,
	err error) {
	dir := filepath.Dir(path)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("open the folder: %w", err)
	}
	defer root.Close()
	f, err := createUnnamed(root)
	if err != nil {
		f, err = NewStore(dir, o).createTemporary(root)
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	if err := write(f, path); err != nil {
		return "", err
	}
	if err := f.Sync(); err != nil {
		return "", err
	}
	ext := filepath.Ext(path)
	base := strings.TrimSuffix(filepath.Base(path), ext)
	for try := 1; try <= maxTries; try++ {
		name := filepath.Base(path)
		if try > 1 {
			name = numbered(base, try) + ext
		}
		err = f.link(name)
		if err == nil {
			return filepath.Join(dir, name), folder{root}.Sync()
		}
		if !errors.Is(err, fs.ErrExist) || !mayNumber {
			return "", err
		}
	}
	return "", err
}

// createTemporary makes a file with a temporary name, and removes those that dead
// processes left in the folder.
func (s *Store) createTemporary(root *os.Root) (unnamedFile, error) {
	if _, err := s.Sweep(leftOverAfter); err != nil && !errors.Is(err, fs.ErrPermission) {
		return unnamedFile{}, err
	}
	temp := s.temp()
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return unnamedFile{}, err
	}
	return unnamedFile{
		File: f,
		link: func(name string) error {
			if err := f.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
				return err
			}
			return folder{root}.Link(temp, name)
		},
		close: func() error {
			err := f.Close()
			if errors.Is(err, os.ErrClosed) {
				err = nil
			}
			if gone := root.Remove(temp); !errors.Is(gone, fs.ErrNotExist) {
				err = errors.Join(err, gone)
			}
			return err
		},
	}, nil
}
