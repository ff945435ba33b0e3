//go:build unix

package config

import "golang.org/x/sys/unix"

// nonBlocking keeps the opening of a named pipe from waiting for a writer.
const nonBlocking = unix.O_NONBLOCK
