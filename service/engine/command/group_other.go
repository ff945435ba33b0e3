//go:build !unix

package command

import "os/exec"

// group does nothing here: there are no process groups to be had without
// another library, so only the program itself is ended.
func group(*exec.Cmd) {}

func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill() // it may have ended
	}
}
