package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// Folder is an open folder. Names are those of files directly in it.
type Folder struct{ root *os.Root }

// OpenFolder opens a folder.
func OpenFolder(dir string) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{root}, nil
}

// Create makes a file for writing, for its owner only. It never opens an existing one.
func (f *Folder) Create(name string) (*os.File, error) {
	return f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// Link makes a second name for a file, which must be free. Where a file system knows no hard links (FAT, some network
// file systems) the new name is reserved with an empty file, which is then replaced; the file loses its first name.
func (f *Folder) Link(from, to string) error {
	err := f.root.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	reserved, err := f.Create(to)
	if err != nil {
		return err
	}
	if err := reserved.Close(); err != nil {
		return err
	}
	return f.root.Rename(from, to)
}

// Remove deletes a file.
func (f *Folder) Remove(name string) error { return f.root.Remove(name) }

// Sync returns when files that were created, linked and removed would stay so after a power cut.
func (f *Folder) Sync() error {
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

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }
