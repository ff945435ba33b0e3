//go:build !unix

package cli

import (
	"os"
	"syscall"
)

// maxOpenFiles returns 0: this system does not report its limit.
func maxOpenFiles() int { return 0 }

// screenSignals returns the signals that end the screen.
func screenSignals() []os.Signal { return []os.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} }

// drainSignals returns none: this system has no signal for it.
func drainSignals() []os.Signal { return nil }

// dumpSignals returns the signals that end a Go program with its stacks; this system sends none.
func dumpSignals() []os.Signal { return nil }

// stopSignals returns none: this system does not stop processes.
func stopSignals() []os.Signal { return nil }

func isContinue(os.Signal) bool { return false }

func stopProcess() {}

func canSuspend() bool { return false }

func raise(os.Signal) { os.Exit(exitInterrupted) }
