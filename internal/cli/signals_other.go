//go:build !unix

package cli

import (
	"errors"
	"os"
	"syscall"
)

// screenSignals returns the signals that end the screen.
func screenSignals() []os.Signal { return []os.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} }

// dumpSignals returns the signals that end a Go program with its stacks; this system sends none.
func dumpSignals() []os.Signal { return nil }

// stopSignals returns none: this system does not stop processes.
func stopSignals() []os.Signal { return nil }

func isContinue(os.Signal) bool { return false }

func stopProcess() {}

func stopJob() error { return errors.ErrUnsupported }

func canSuspend() bool { return false }

func raise(os.Signal) { os.Exit(ExitInterrupted) }
