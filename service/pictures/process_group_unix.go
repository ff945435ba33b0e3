//go:build unix

package pictures

import (
	"os/exec"
	"syscall"
)

// group makes the program the head of a group of its own, so that what it
// started ends with it when it is broken off.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		// The group has the program's number, as it is the first in it.
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
