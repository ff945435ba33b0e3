//go:build !unix

package history_test

import "errors"

// limitFiles is not known here.
func limitFiles(uint64) error { return errors.ErrUnsupported }
