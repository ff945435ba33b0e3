package pictures

import (
	"io"
	"os"

	"confab/internal/atomicfile"
)

// disk is what a store needs of a folder; tests put one in its place that fails at any step. Names are those of files
// directly in the folder.
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

// openFolder opens the folder, which it makes when it does not exist, for its owner only.
func openFolder(dir string) (disk, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	folder, err := atomicfile.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	return diskFolder{folder}, nil
}

// diskFolder is the folder of a real disk.
type diskFolder struct{ *atomicfile.Folder }

func (d diskFolder) Create(name string) (file, error) { return d.Folder.Create(name) }
