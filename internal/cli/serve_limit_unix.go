//go:build unix

package cli

import (
	"math"
	"syscall"
)

// openFiles is how many files this process may have open; 0 where nobody says.
func openFiles() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil || uint64(l.Cur) > math.MaxInt32 { //nolint:unconvert // some systems count in signed numbers
		return 0
	}
	return int(l.Cur)
}
