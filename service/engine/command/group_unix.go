//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// group makes the program the head of a group of its own, so that what it
// starts ends with it.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { kill(cmd); return nil }
}

// kill ends the program's whole group; one that has ended is no error.
func kill(cmd *exec.Cmd) {
	if cmd.Process != nil && cmd.Process.Pid > 1 {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
