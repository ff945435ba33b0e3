//go:build !unix

package cli

import "io/fs"

// ownedByRoot reports false: files have no user id on this system.
func ownedByRoot(fs.FileInfo) bool { return false }

// maxOpenFiles returns 0: this system does not report its limit.
func maxOpenFiles() int { return 0 }
