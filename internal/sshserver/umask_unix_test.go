//go:build unix

package sshserver_test

import "syscall"

// The folders of the tests must not be writable by a group, which the server refuses, whatever the developer's umask.
func init() { syscall.Umask(0o022) }
