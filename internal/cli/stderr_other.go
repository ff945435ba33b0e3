//go:build !unix

package cli

import (
	"io"
	"log/slog"
)

// captureStderr does nothing here: this system cannot give the process another standard error.
func captureStderr(*slog.Logger, io.Writer) (release func()) { return func() {} }
