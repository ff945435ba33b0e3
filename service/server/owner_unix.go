//go:build unix

package server

import (
	"io/fs"
	"syscall"
)

// isOwnedByRoot reports whether a file belongs to root.
func isOwnedByRoot(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0
}
