package fileio

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// SyncFolder returns when files that were made, linked and removed in a folder would stay so after a power cut.
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

// create makes a file for writing, for its owner only. It never opens an existing one.
func (f *folder) create(name string) (*os.File, error) {
	return f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// link makes a second name for a file, which must be free. Where a file system knows no hard links (FAT, some network
// file systems) the new name is reserved with an empty file, which is then replaced; the file loses its first name.
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
