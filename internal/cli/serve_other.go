//go:build !unix

package cli

import "os"

// maxOpenFiles returns 0: this system does not report its limit.
func maxOpenFiles() int { return 0 }

// drainSignals returns none: this system has no signal for it.
func drainSignals() []os.Signal { return nil }
