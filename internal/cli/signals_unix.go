//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// screenSignals returns the signals that end the screen, whose usual effect would leave the terminal in raw mode.
func screenSignals() []os.Signal {
	return append(dumpSignals(), syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGALRM,
		syscall.SIGXCPU)
}

// dumpSignals returns the signals that end a Go program with the stacks of all its goroutines.
func dumpSignals() []os.Signal { return []os.Signal{syscall.SIGQUIT, syscall.SIGABRT} }

// raise gives a signal its usual effect on this program.
func raise(s os.Signal) {
	signal.Reset(s)
	if sig, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(syscall.Getpid(), sig) // a process may always signal itself
	}
	select {}
}
