//go:build !unix

package sqlite_test

import "errors"

// limitFiles is not supported here.
func limitFiles(uint64) error { return errors.ErrUnsupported }
