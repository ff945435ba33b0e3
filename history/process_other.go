//go:build !linux

package history

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"
)

// processStart reports whether the process runs. The start time is unknown here, so a later process with the same
// number counts as the same.
func processStart(pid int) (time.Time, bool) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return time.Time{}, false
	}
	defer p.Release() //nolint:errcheck // on Unix it holds nothing
	if runtime.GOOS == "windows" {
		return time.Time{}, true // finding the process means that it runs
	}
	err = p.Signal(syscall.Signal(0))
	return time.Time{}, err == nil || errors.Is(err, os.ErrPermission)
}

// bootID returns "", which means unknown.
func bootID() string { return "" }
