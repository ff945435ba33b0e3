//go:build !unix

package sqlite

import (
	"io/fs"
	"os"
)

// mayWrite checks the mode of a file for the permission to write.
func mayWrite(_ string, info os.FileInfo) error {
	if info.Mode().Perm()&0o200 == 0 {
		return fs.ErrPermission
	}
	return nil
}
