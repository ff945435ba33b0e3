//go:build !unix

package subprocess

import "os/exec"

// startInGroup does nothing: this system has no process groups, so only the program itself is killed.
func startInGroup(*exec.Cmd) {}
