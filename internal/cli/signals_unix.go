//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// screenSignals returns the signals that end the screen, whose usual effect would leave the terminal in raw mode.
func screenSignals() []os.Signal {
	return append(dumpSignals(), syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGALRM, syscall.SIGXCPU)
}

// dumpSignals returns the signals that end a Go program with the stacks of all its goroutines.
func dumpSignals() []os.Signal { return []os.Signal{syscall.SIGQUIT, syscall.SIGABRT} }

// stopSignals returns the signals that suspend the screen and that come after the process was stopped.
func stopSignals() []os.Signal { return []os.Signal{syscall.SIGTSTP, syscall.SIGCONT} }

// isContinue reports whether a signal says that the process was stopped and goes on.
func isContinue(s os.Signal) bool { return s == syscall.SIGCONT }

// stopProcess stops this process until it is continued.
func stopProcess() { _ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) } // a process may always signal itself

// stopJob tells the processes of this one's job, which are those that the shell started together, to stop.
func stopJob() error { return syscall.Kill(0, syscall.SIGTSTP) }

// canSuspend reports whether a shell started this process as a job that it can wake. Where none did, as in a terminal
// that runs only confab, the system does not stop the process, and nobody would continue it.
func canSuspend() bool {
	session, err := unix.Getsid(0)
	if err != nil || session == syscall.Getpgrp() {
		return false
	}
	parent, err := unix.Getsid(syscall.Getppid())
	return err == nil && parent == session
}

// raise gives a signal its usual effect on this program.
func raise(s os.Signal) {
	signal.Reset(s)
	if sig, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(syscall.Getpid(), sig) // a process may always signal itself
	}
	select {}
}
