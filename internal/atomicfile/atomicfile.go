// Package atomicfile writes small files that are whole at every moment: whoever
// reads one sees the old content or the new, after a crash too.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Write puts a file with this content and mode in the place of path, whose
// folder must be there. The content is on disk when Write returns. Until then
// it stands beside path under a name that ends in ".tmp", which a crash may
// leave behind. An error names the step that failed; path is then as it was.
func Write(path string, content []byte, mode fs.FileMode) error {
	temp := path + "." + rand.Text()[:8] + ".tmp"
	if err := fill(temp, content, mode); err != nil {
		return errors.Join(err, removed(temp))
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(fmt.Errorf("put the new file in its place: %w", err), removed(temp))
	}
	return nil
}

// fill writes a new file, down to the disk.
func fill(path string, content []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		return fmt.Errorf("make a file beside the old one: %w", err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(mode.Perm()) // whatever the umask
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write a file beside the old one: %w", err)
	}
	return nil
}

func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove what is half written: %w", err)
	}
	return nil
}
