package pictures

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
)

// disk is what a store needs of a folder; tests put one in its place that
// fails at any step. Names are those of files directly in the folder.
type disk interface {
	Create(name string) (file, error) // for writing, 0600, never an existing one
	Link(from, to string) error       // fails with fs.ErrExist when to exists
	Remove(name string) error
	Sync() error // makes what was created, linked and removed survive a power cut
	Close() error
}

// file is a file being written.
type file interface {
	io.Writer
	Sync() error
	Close() error
}

// folder is the disk there really is.
type folder struct{ root *os.Root }

// openFolder opens the folder, making it (and those above it) when it is not
// there, for its owner only.
func openFolder(dir string) (disk, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return folder{root}, nil
}

func (f folder) Create(name string) (file, error) {
	return f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// Link makes a second name for a file. Where a file system knows no hard links
// (FAT, some network ones) the new name is claimed by an empty file, which is
// then replaced.
func (f folder) Link(from, to string) error {
	err := f.root.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	claim, claimErr := f.Create(to)
	if claimErr != nil {
		return claimErr
	}
	if err := claim.Close(); err != nil {
		return err
	}
	return f.root.Rename(from, to)
}

func (f folder) Remove(name string) error { return f.root.Remove(name) }

func (f folder) Sync() error {
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

func (f folder) Close() error { return f.root.Close() }
