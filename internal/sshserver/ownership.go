package sshserver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"confab/internal/fileio"
)

// trustedPath follows the symbolic links of a path and returns where it leads and its description. Like OpenSSH's
// StrictModes it refuses what another account could replace: the file or folder, and every folder above it, must belong
// to root or to the account (a user id) that runs the server, and nobody else may write there.
func trustedPath(path string, account int) (real string, info fs.FileInfo, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return "", nil, fmt.Errorf("find the folder of %s: %w", path, err)
	}
	if real, err = filepath.EvalSymlinks(path); err != nil {
		return "", nil, cannotRead(path, err)
	}
	if info, err = os.Stat(real); err != nil {
		return "", nil, cannotRead(real, err)
	}
	if err := checkOwnership(real, info, account); err != nil {
		return "", nil, err
	}
	return real, info, checkParents(real, account)
}

// checkParents refuses a path that another account could replace by writing to a folder above it.
func checkParents(real string, account int) error {
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return cannotRead(dir, err)
		}
		if err := checkOwner(dir, info, account); err != nil {
			return err
		}
		if err := checkWritable(dir, info); err != nil && info.Mode()&fs.ModeSticky == 0 {
			return err // in a sticky folder, such as /tmp, others cannot replace what is not theirs
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// checkOwnership refuses a file or folder that belongs to another account or can be written by others.
func checkOwnership(path string, info fs.FileInfo, account int) error {
	if err := checkOwner(path, info, account); err != nil {
		return err
	}
	return checkWritable(path, info)
}

func checkOwner(path string, info fs.FileInfo, account int) error {
	if uid, known := owner(info); known && uid != 0 && uid != account {
		return fmt.Errorf("%s belongs to another account (user id %d), which could change it: run chown on it, so "+
			"that it belongs to root or to the account of the server", path, uid)
	}
	return nil
}

func checkWritable(path string, info fs.FileInfo) error {
	if fileio.OthersMay(0o022, info) {
		return fmt.Errorf("%s can be written by others on this machine, who could change it: run chmod go-w on "+
			"it", path)
	}
	return nil
}

// isSameFile reports whether a file is the same as before and, as far as that shows without reading it, unchanged.
func isSameFile(a, b fs.FileInfo) bool {
	ownerA, _ := owner(a)
	ownerB, _ := owner(b)
	return a.Size() == b.Size() && a.Mode() == b.Mode() && a.ModTime().Equal(b.ModTime()) && ownerA == ownerB &&
		os.SameFile(a, b)
}

// cannotRead returns a failure to read a file, in words that do not name the system call.
func cannotRead(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%s cannot be read: %w", path, err)
}
