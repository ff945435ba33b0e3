//go:build unix

package subprocess

import (
	"os/exec"
	"syscall"
)

// startInGroup makes the program the leader of a process group, so that what it started is killed with it.
func startInGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // a group that has ended is no error
		return nil
	}
}
