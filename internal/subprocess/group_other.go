//go:build !unix

package subprocess

import "os/exec"

// startInGroup does nothing, because this system has no process groups. Only the program itself is killed.
func startInGroup(*exec.Cmd) {}
