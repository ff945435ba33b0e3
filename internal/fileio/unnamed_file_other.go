//go:build !linux

package fileio

import (
	"errors"
	"os"
)

// createUnnamed is not supported here.
func createUnnamed(*os.Root) (unnamedFile, error) { return unnamedFile{}, errors.ErrUnsupported }
