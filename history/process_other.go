//go:build !linux

package history

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"
)

// processStart tells whether the process runs; when it started is not known
// here, so a later process with the same number is taken for it.
func processStart(pid int) (time.Time, bool) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return time.Time{}, false
	}
	defer p.Release() //nolint:errcheck // nothing was taken on Unix
	if runtime.GOOS == "windows" {
		return time.Time{}, true // finding it there means that it runs
	}
	err = p.Signal(syscall.Signal(0))
	return time.Time{}, err == nil || errors.Is(err, os.ErrPermission)
}

// bootID is not known here.
func bootID() string { return "" }
