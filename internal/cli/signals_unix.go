//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// screenSignals returns the signals whose default action would leave the terminal in raw mode.
func screenSignals() []os.Signal {
	return append(dumpSignals(), syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGALRM, syscall.SIGXCPU)
}

// dumpSignals returns the signals that print the stacks of all goroutines.
func dumpSignals() []os.Signal { return []os.Signal{syscall.SIGQUIT, syscall.SIGABRT} }

// stopSignals returns the signals for suspending and continuing.
func stopSignals() []os.Signal { return []os.Signal{syscall.SIGTSTP, syscall.SIGCONT} }

func isContinue(s os.Signal) bool { return s == syscall.SIGCONT }

// stopProcess stops this process until it is continued.
func stopProcess() { _ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) } // a process may always signal itself

// stopJob stops the processes of this process's job.
func stopJob() error { return syscall.Kill(0, syscall.SIGTSTP) }

// canSuspend reports whether a shell started this process as a job. Otherwise the system would not stop it, and
// nobody would continue it.
func canSuspend() bool {
	session, err := unix.Getsid(0)
	if err != nil || session == syscall.Getpgrp() {
		return false
	}
	parent, err := unix.Getsid(syscall.Getppid())
	return err == nil && parent == session
}

// raise gives a signal its default action.
func raise(s os.Signal) {
	signal.Reset(s)
	if sig, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(syscall.Getpid(), sig) // a process may always signal itself
	}
	select {}
}
