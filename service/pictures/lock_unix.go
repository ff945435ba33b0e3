//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package pictures

import (
	"errors"
	"os"
	"syscall"
)

// lock waits until no other process holds the file. The system lets go of it when its holder dies. Some network file
// systems have no locks; without one two processes may give two pictures the same number, never the same name.
func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.ENOLCK), errors.Is(err, errors.ErrUnsupported):
			return nil
		default:
			return err
		}
	}
}

func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
