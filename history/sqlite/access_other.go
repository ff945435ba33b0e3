//go:build !unix

package sqlite

import (
	"io/fs"
	"os"
)

// mayWrite tells by the mode of a file whether it may be written.
func mayWrite(_ string, info os.FileInfo) error {
	if info.Mode().Perm()&0o200 == 0 {
		return fs.ErrPermission
	}
	return nil
}
