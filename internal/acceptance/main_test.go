//go:build !windows

package acceptance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary is the program under test, built by TestMain.
var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if role := os.Getenv(roleVar); role != "" {
		return runHelper(role)
	}
	dir, err := os.MkdirTemp("", "confab-acceptance-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "make a folder for the program:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "confab")
	build := exec.Command("go", "build", "-o", binary, "../..")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build confab: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}
