//go:build !unix

package pictures

import "os/exec"

// group does nothing here: there are no process groups to be had without
// another library, so only the program itself is ended.
func group(*exec.Cmd) {}
