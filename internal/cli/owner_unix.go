//go:build unix

package cli

import (
	"io/fs"
	"syscall"
)

// ownedByRoot tells whether a file belongs to root.
func ownedByRoot(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0
}
