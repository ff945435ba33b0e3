package fileio

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// maxTries is the maximum number of names to try.
const maxTries = 10000

// unnamedFile is a file that gets its name when it is complete.
type unnamedFile struct {
	*os.File
	link  func(name string) error // names the file; fails with fs.ErrExist if the name exists
	close func() error
}

// WriteNew atomically writes a new file of mode 0600 and returns its path. If the name exists, it returns
// fs.ErrExist, or with mayNumber adds a number to the name. The folder must exist. It calls write with the path
// without a number.
//
// On most Linux file systems the file has no name while it is written, so that a killed process leaves nothing.
// Elsewhere a temporary file remains, which [RemoveStale] removes.
func WriteNew(path string, mayNumber bool, write func(out io.Writer, path string) error) (_ string, err error) {
	dir := filepath.Dir(path)
	in, err := openFolder(dir)
	if err != nil {
		return "", fmt.Errorf("open the folder: %w", err)
	}
	defer in.root.Close()
	f, err := createUnnamed(in.root)
	if err != nil {
		f, err = createTemporary(in, filepath.Base(path))
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
			name = NumberedName(base, try) + ext
		}
		err = f.link(name)
		if err == nil {
			if err := in.sync(); err != nil {
				return "", errors.Join(err, in.root.Remove(name))
			}
			return filepath.Join(dir, name), nil
		}
		if !errors.Is(err, fs.ErrExist) || !mayNumber {
			return "", err
		}
	}
	return "", err
}

// createTemporary creates a file with a temporary name, and removes those of killed processes in the folder.
func createTemporary(in *folder, base string) (unnamedFile, error) {
	RemoveStale(in.root.Name())
	temp := "." + base + "." + rand.Text()[:tempRandom] + ".tmp"
	f, err := in.create(temp)
	if err != nil {
		return unnamedFile{}, err
	}
	return unnamedFile{
		File: f,
		link: func(name string) error {
			if err := f.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
				return err
			}
			return in.link(temp, name)
		},
		close: func() error {
			err := f.Close()
			if errors.Is(err, os.ErrClosed) {
				err = nil
			}
			return errors.Join(err, remove(filepath.Join(in.root.Name(), temp)))
		},
	}, nil
}

// TemporaryName returns the path of a new temporary file beside path, for a program that writes by name.
// [RemoveStale] recognises it.
func TemporaryName(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:tempRandom]+".tmp")
}

// LinkNew gives a complete file a second name in its folder and syncs the folder. It returns [fs.ErrExist] if the
// name exists. On file systems without hard links the first name is removed.
func LinkNew(path, name string) error {
	in, err := openFolder(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer in.root.Close()
	if err := in.link(filepath.Base(path), name); err != nil {
		return err
	}
	return in.sync()
}

// SyncFolder makes changes of the entries of a folder durable.
func SyncFolder(dir string) error {
	in, err := openFolder(dir)
	if err != nil {
		return err
	}
	return errors.Join(in.sync(), in.root.Close())
}

// folder is an open folder. Names are those of files directly in it.
type folder struct{ root *os.Root }

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	return &folder{root}, err
}

// create creates a file of mode 0600 for writing. It never opens an existing one.
func (f *folder) create(name string) (*os.File, error) {
	return f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// link gives a file a second, new name. On file systems without hard links (FAT, some network file systems) it
// reserves the new name with an empty file and renames the file over it.
func (f *folder) link(from, to string) error {
	err := f.root.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	reserved, err := f.create(to)
	if err != nil {
		return err
	}
	if err := reserved.Close(); err != nil {
		return err
	}
	return f.root.Rename(from, to)
}

func (f *folder) sync() error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be synced there
	}
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	err = dir.Sync()
	return errors.Join(err, dir.Close())
}
