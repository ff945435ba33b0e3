//go:build unix

package subprocess

import (
	"os/exec"
	"syscall"
)

// startInGroup makes the program the leader of a process group, so that its children are killed too.
func startInGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // ignores that the group has ended
		return nil
	}
}
