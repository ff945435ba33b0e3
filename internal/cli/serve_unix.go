//go:build unix

package cli

import (
	"math"
	"os"
	"syscall"
)

// maxOpenFiles returns how many files this process may have open, and 0 when the system sets no limit.
func maxOpenFiles() int {
	var limit syscall.Rlimit
	//nolint:unconvert // some systems count in signed numbers
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || uint64(limit.Cur) > math.MaxInt32 {
		return 0
	}
	return int(limit.Cur)
}

// drainSignals returns the signals after which a server takes no new logins and ends with the last session.
func drainSignals() []os.Signal { return []os.Signal{syscall.SIGUSR1} }
