//go:build unix

package cli_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"confab/internal/cli/clitest"
)

func TestNumbersOfFlagsAreBounded(t *testing.T) {
	w := clitest.NewWorld(t)
	for _, c := range [][]string{
		{"ask", "--concurrency", "0"}, {"ask", "--concurrency", "-1"}, {"ask", "--concurrency", "65"}, {"ask",
			"--concurrency", "x"},
		{"ask", "--samples", "0"}, {"ask", "--samples", "101"}, {"run", "--repeat", "0"}, {"run", "--concurrency", "0"},
		{"history", "list", "--limit", "0"}, {"history", "search", "-n", "-1"}, {"serve", "keys", "add", "--rate",
			"-2"},
	} {
		clitest.WantTexts(t, w.Must(2, append(c, "hello")...).Err, "it takes a whole number from", "(usage)")
	}
	for _, command := range []string{"ask", "run"} {
		for _, wrong := range []string{"0", "0s", "-1s", "1ns", "90"} {
			clitest.WantTexts(t, w.Must(2, command, "--timeout", wrong, "hello").Err, "it takes a time with its unit",
				"(usage)")
		}
	}
	w.Must(0, "ask", "-m", "zeta", "--samples", "2", "--concurrency", "1", "--timeout", "1m", "hello")
}

// Whatever names a file refuses a named pipe at once instead of waiting for somebody to write into it.
func TestNamedPipesAreRefused(t *testing.T) {
	w := clitest.NewWorld(t)
	pipe := filepath.Join(w.Home, "pipe.yaml")
	must(t, syscall.Mkfifo(pipe, 0o600))
	suite := filepath.Join(w.Home, "suite.yaml")
	clitest.WriteFile(t, suite, "prompts: [file://pipe.yaml]\nproviders: [zeta]\n", 0o600)
	for _, args := range [][]string{
		{"run", pipe}, {"run", suite}, {"ask", "-m", "zeta", "--system", "@" + pipe, "hello"}, {"ask", "--config", pipe,
			"hello"},
		{"ask", "-m", "imageedit", "--image", pipe, "make it grey"}, {"ask", "-m", "imageedit", "--image",
			"file://" + pipe,
			"make it grey"},
		{"serve", "--key-file", pipe},
	} {
		clitest.WantTexts(t, w.Must(2, args...).Err, "is a named pipe, not a regular file")
	}
	w.Environ = append(w.Environ, "CONFAB_BASE_URL=https://service.invalid", "CONFAB_SERVICE_API_KEY_FILE="+pipe)
	clitest.WantTexts(t, w.Must(2, "ask", "-m", "zeta", "hello").Err, "is a named pipe, not a regular file")
}

// Nor is one written to: nothing is asked for it, and nobody waits for a reader.
func TestNothingIsWrittenToANamedPipe(t *testing.T) {
	w := clitest.NewWorld(t)
	pipe := filepath.Join(w.Home, "pipe.csv")
	must(t, syscall.Mkfifo(pipe, 0o600))
	suite := w.Suite("suite.yaml", "prompts: [a]\nproviders: [llm:zeta]\n")
	w.Must(0, "ask", "-m", "zeta", "hello")
	for want, commands := range map[string][][]string{
		"cannot be written as a file; -o - writes to standard output": {{"ask", "-m", "zeta", "-o", pipe, "x"},
			{"ask", "-m", "sim-image", "-o", pipe, "x"}, {"ask", "-m", "zeta", "-m", "phi-2", "-o", pipe, "x"}},
		"a file of this name exists": {{"history", "export", "s1", "-o", pipe}, {"run", suite, "-o", pipe},
			{"history", "backup", pipe}},
	} {
		for _, args := range commands {
			clitest.WantTexts(t, w.Must(2, args...).Err, want)
		}
	}
	if got := clitest.Objects(t, w.Must(0, "history", "list", "--json").Out); len(got) != 1 {
		t.Errorf("something was asked: %v", got)
	}
}
