// Package fileio names, opens and writes files.
//
// It opens only regular files: opening a named pipe blocks, and a device may never end. It writes files atomically:
// readers see the old content or the new, even after a crash.
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

// staleAge is the age at which a temporary file counts as left by a killed process. Writing takes far less, but a
// large export may pause for minutes.
const staleAge = time.Hour

// Write replaces the file at path, whose folder must exist, and syncs it. It writes a temporary file in the same
// folder, which remains if the process is killed; the next Write to the folder removes it. An error names the failed
// step; path is then unchanged.
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

// tempRandom is the number of random base32 characters in the name of a temporary file.
const tempRandom = 8

// RemoveStale removes the temporary files of killed processes in a folder, with their SQLite sidecars. It ignores
// errors; the next call tries again.
func RemoveStale(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // Write reports the error
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

// createSynced creates, writes and syncs a file.
func createSynced(path string, content []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		return fmt.Errorf("create a temporary file: %w", err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(mode.Perm()) // regardless of the umask
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
