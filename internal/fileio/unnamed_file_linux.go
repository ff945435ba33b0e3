package fileio

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// createUnnamed creates a file without a name in a folder. Some file systems do not support it.
func createUnnamed(root *os.Root) (unnamedFile, error) {
	dir, err := root.Open(".")
	if err != nil {
		return unnamedFile{}, err
	}
	fd, err := unix.Openat(int(dir.Fd()), ".", unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return unnamedFile{}, errors.Join(fmt.Errorf("make a file without a name: %w", err), dir.Close())
	}
	at := fmt.Sprintf("/proc/self/fd/%d", fd)
	f := os.NewFile(uintptr(fd), at)
	if err := unix.Access(at, unix.F_OK); err != nil { // linking uses /proc
		return unnamedFile{}, errors.Join(err, f.Close(), dir.Close())
	}
	return unnamedFile{
		File: f,
		link: func(name string) error {
			if err := unix.Linkat(unix.AT_FDCWD, at, int(dir.Fd()), name, unix.AT_SYMLINK_FOLLOW); err != nil {
				return &os.LinkError{Op: "link", Old: at, New: name, Err: err}
			}
			return nil
		},
		close: func() error { return errors.Join(f.Close(), dir.Close()) },
	}, nil
}
