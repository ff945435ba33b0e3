//go:build !unix

package fileio

import "io/fs"

const nonBlocking = 0

// OthersMay reports false: Windows has lists of rights, which the modes of files do not show.
func OthersMay(fs.FileMode, fs.FileInfo) bool { return false }
