// Package fileio names, opens and writes files.
//
// It opens regular files only: opening a named pipe waits for a writer, and a device may never end. What it writes is
// whole at every moment: whoever reads a file sees the old content or the new, after a crash too. A name is made from a
// template, a prompt and a model.
package fileio

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// staleAge is the age from which a temporary file is taken for one of a process that was killed. Writing one takes far
// less, but a large export may pause for minutes.
const staleAge = time.Hour

// Write puts a file with this content and mode in the place of path, whose folder must exist. The content is on disk
// when Write returns. Until then it is in a temporary file in the same folder, which stays there when the process is
// killed; the next Write into the folder removes it. An error names the step that failed; path is then as it was.
func Write(path string, content []byte, mode fs.FileMode) error {
	RemoveStale(filepath.Dir(path))
	temp := path + "." + rand.Text()[:tempRandom] + ".tmp"
	if err := createSynced(temp, content, mode); err != nil {
		return errors.Join(err, remove(temp))
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(fmt.Errorf("rename the new file: %w", err), remove(temp))
	}
	return nil
}

// tempRandom is how many random characters of base32 the name of a temporary file has.
const tempRandom = 8

// RemoveStale removes the temporary files that killed processes left in a folder, with those that SQLite lays beside
// them. What cannot be removed now is left to the next call.
func RemoveStale(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // Write will say what is wrong with the folder
	}
	temporary := regexp.MustCompile(fmt.Sprintf(`.\.[A-Z2-7]{%d}\.tmp(-wal|-shm|-journal)?$`, tempRandom))
	for _, e := range entries {
		if !e.Type().IsRegular() || !temporary.MatchString(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAge {
			_ = os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// createSynced writes a new file and syncs it.
func createSynced(path string, content []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		return fmt.Errorf("create a temporary file: %w", err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(mode.Perm()) // whatever the umask
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write a temporary file: %w", err)
	}
	return nil
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the temporary file: %w", err)
	}
	return nil
}
