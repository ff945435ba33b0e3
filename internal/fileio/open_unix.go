//go:build unix

package fileio

import "golang.org/x/sys/unix"

// nonBlocking keeps opening a named pipe from waiting for a writer.
const nonBlocking = unix.O_NONBLOCK
