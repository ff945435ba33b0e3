package cli_test

import (
	"strings"
	"syscall"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

// fullDevice is an output that takes nothing.
type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestAnOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "-m", "zeta", "hello")
	for _, args := range []string{
		"--help", "ask --help", "help ask", "--version", "completion bash", "completion powershell", "man",
		"models", "paths", "themes",
		"config show", "config path", "doctor", "history list", "history show", "history export s1 -o -",
		"ask -m zeta hello", "ask -m zeta --json hello",
	} {
		var said strings.Builder
		code := cli.Run(t.Context(), strings.Fields(args), w.Env(fullDevice{}, &said))
		if code != cli.ExitFailed || !strings.Contains(said.String(),
			"standard output could not be written (disk)") {
			t.Errorf("%s: ended with %d and said %q", args, code, said.String())
		}
	}
}
