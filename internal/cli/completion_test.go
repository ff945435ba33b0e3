package cli_test

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
	"confab/internal/cli/console"
)

// fullDevice is an output that takes nothing.
type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestAnOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "-m", "zeta", "hello")
	for _, args := range []string{
		"--help", "ask --help", "help ask", "--version", "completion bash", "completion zsh", "completion fish", "man",
		"models", "paths", "themes",
		"config show", "config path", "doctor", "history list", "history show", "history export s1 -o -",
		"ask -m zeta hello", "ask -m zeta --json hello",
	} {
		var said strings.Builder
		code := cli.Run(t.Context(), strings.Fields(args), w.Env(fullDevice{}, &said))
		if code != console.ExitFailed || !strings.Contains(said.String(),
			"standard output could not be written (disk)") {
			t.Errorf("%s: ended with %d and said %q", args, code, said.String())
		}
	}
}

// TestBashCompletion runs the script in a bash without the bash-completion package; confab is a function there, which
// answers what a real one would and tells its arguments.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here:", err)
	}
	script := clitest.NewWorld(t).Must(0, "completion", "bash").Out
	const confab = `
confab() { printf '%s|' "$@" >&3; printf '%s\n' $'my talk\t1 turn' $'my trip\t2 turns' $'a$(touch x)b\tone' $'it\'s\t3 turns' $'w:x\t' ':4'; }
`
	for _, c := range []struct{ line, words, args, want string }{
		{`confab --session my\ ta`, `confab --session my\\\ ta`, "__complete|--session|my ta|", `my\ talk|`},
		{`confab --session "my ta`, `confab --session '"my ta'`, "__complete|--session|my ta|", `my talk|`},
		{`confab --session=my\ tr`, `confab --session = my\\\ tr`, "__complete|--session=my tr|", `my\ trip|`},
		{`confab --session=`, `confab --session =`, "__complete|--session=|",
			`my\ talk|my\ trip|a\$\(touch\ x\)b|it\'s|w:x|`},
		{`confab ask --session my`, `confab ask --session my`, "__complete|ask|--session|my|", `my\ talk|my\ trip|`},
		{`confab --session 'it`, `confab --session "'it"`, "__complete|--session|it|", `it's|`},
		{`confab --session w:`, `confab --session w :`, "__complete|--session|w:|", `x|`},
		{`confab --session $(touch y)`, `confab --session '$(touch y)'`, "__complete|--session|$(touch y)|", ``},
		{`confab `, `confab ''`, "__complete||", `my\ talk|my\ trip|a\$\(touch\ x\)b|it\'s|w:x|`},
	} {
		cmd := exec.CommandContext(t.Context(), bash, "--norc", "--noprofile", "-c", script+confab+
			"COMP_LINE=$1 COMP_TYPE=9; eval \"COMP_WORDS=($2)\"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); exec 3>&1; "+
			"_confab; "+
			"echo; "+
			"((${#COMPREPLY[@]})) && printf '%s|' \"${COMPREPLY[@]}\"; true", "bash", c.line, c.words)
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		args, got, _ := strings.Cut(string(out), "\n")
		if err != nil || args != c.args || got != c.want {
			t.Errorf("%s: called with %q and offered %q (%v), want %q and %q", c.line, args, got, err, c.args, c.want)
		}
	}
}
