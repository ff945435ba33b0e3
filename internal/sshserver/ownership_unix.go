//go:build unix

package sshserver

import (
	"io/fs"
	"syscall"
)

// owner returns the user id of the account that a file belongs to.
func owner(info fs.FileInfo) (uid int, known bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}
