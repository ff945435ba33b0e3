//go:build unix

package fileio

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// nonBlocking keeps opening a named pipe from waiting for a writer.
const nonBlocking = unix.O_NONBLOCK

// OthersMay reports whether others than its owner have one of these permissions for a file, such as 0o077. It is false
// where modes do not tell.
func OthersMay(permissions fs.FileMode, info fs.FileInfo) bool {
	return info.Mode().Perm()&permissions != 0
}
