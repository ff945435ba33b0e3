//go:build !unix

package cli

import (
	"os"
	"syscall"
)

// screenSignals returns the signals that end the screen.
func screenSignals() []os.Signal { return []os.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} }

// dumpSignals returns the signals that end a Go program with its stacks; this system sends none.
func dumpSignals() []os.Signal { return nil }

// raise ends the program.
func raise(os.Signal) { os.Exit(exitInterrupted) }
