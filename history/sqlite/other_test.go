//go:build !unix

package sqlite_test

import "errors"

// limitFiles is not known here.
func limitFiles(uint64) error { return errors.ErrUnsupported }
