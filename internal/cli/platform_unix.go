//go:build unix

package cli

import (
	"io/fs"
	"math"
	"syscall"
)

// ownedByRoot reports whether a file belongs to root.
func ownedByRoot(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0
}

// maxOpenFiles returns how many files this process may have open, and 0 when the system sets no limit.
func maxOpenFiles() int {
	var limit syscall.Rlimit
	//nolint:unconvert // some systems count in signed numbers
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || uint64(limit.Cur) > math.MaxInt32 {
		return 0
	}
	return int(limit.Cur)
}
