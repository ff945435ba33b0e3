package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/anmitsu/go-shlex"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"confab/internal/safego"
)

var update = flag.Bool("update", false, "write docs/commands.md")

func TestReferenceIsWritten(t *testing.T) {
	const path = "../../docs/commands.md"
	want := commandsPage(newApp(Env{}).root())
	if *update {
		must(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got, err := os.ReadFile(path)
	must(t, err)
	if string(got) != want {
		t.Errorf("docs/commands.md is not what the commands say; run go test ./internal/cli -run Reference -update")
	}
}

// Every command has examples that call it, or one below it, with flags and arguments that it takes.
func TestEveryCommandHasExamplesThatParse(t *testing.T) {
	a := newApp(Env{})
	calls := regexp.MustCompile(`confab( [^|>)]*)?`)
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			if !sub.Hidden && cmd.Name() != "completion" {
				visit(sub)
			}
		}
		isCalled := false
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			words, err := shlex.Split(calls.FindString(strings.ReplaceAll(line, "$(date +%F)", "today")), true)
			if err != nil || len(words) == 0 {
				t.Errorf("%s: the example %q calls nothing (%v)", cmd.CommandPath(), line, err)
				continue
			}
			named, rest, err := a.root().Find(words[1:])
			if err == nil {
				err = named.ParseFlags(rest)
			}
			if err == nil {
				err = named.ValidateArgs(named.Flags().Args())
			}
			if err != nil {
				t.Errorf("%s: the example %q is refused: %v", cmd.CommandPath(), line, err)
			}
			isCalled = isCalled || strings.HasPrefix(named.CommandPath(), cmd.CommandPath())
		}
		if !isCalled {
			t.Errorf("%s has no example of its own", cmd.CommandPath())
		}
	}
	visit(a.root())
}

// Every text of the help belongs to a command; one that was taken out leaves none behind.
func TestEveryHelpTextHasACommand(t *testing.T) {
	texts, err := os.ReadFile("help.md")
	must(t, err)
	root := newApp(Env{}).root()
	for _, m := range regexp.MustCompile(`(?m)^## (confab.*)$`).FindAllStringSubmatch(string(texts), -1) {
		named, _, err := root.Find(strings.Fields(m[1])[1:])
		if err != nil || named.CommandPath() != m[1] {
			t.Errorf("%s is no command", m[1])
		}
	}
}

// commandsPage returns docs/commands.md, made from the tree of commands.
func commandsPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\n<!-- Made from the commands in internal/cli: go test ./internal/cli -run Reference " +
		"-update -->\n\n")
	b.WriteString("Exit status: " + exitStatusHelp +
		"\n\nErrors are one sentence on standard error with a stable code in parentheses.\n")
	describeCommand(&b, root)
	return b.String()
}

// describeCommand writes a command and those below it.
func describeCommand(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n", cmd.CommandPath(), strings.TrimSuffix(cmd.Short, "."))
	if cmd.Runnable() && cmd.Annotations[groupAnnotation] == "" {
		fmt.Fprintf(b, "\n```\n%s\n```\n", cmd.UseLine())
	}
	if cmd.Long != "" && cmd.Long != cmd.Short {
		fmt.Fprintf(b, "\n%s\n", cmd.Long)
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n```\n%s\n```\n", cmd.Example)
	}
	flags := 0
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if flags == 0 {
			b.WriteString("\n| flag | meaning |\n|---|---|\n")
		}
		flags++
		fmt.Fprintf(b, "| `%s` | %s |\n", strings.ReplaceAll(strings.TrimSpace(flagName(f)), "|", `\|`),
			strings.ReplaceAll(flagMeaning(f), "|", `\|`))
	})
	for _, sub := range cmd.Commands() {
		if sub.Hidden || sub.Name() == "completion" && cmd.HasParent() {
			continue
		}
		describeCommand(b, sub)
	}
}

// BenchmarkStart is everything confab itself does before the screen's first
// frame; it has to stay under 2 ms.
func BenchmarkStart(b *testing.B) {
	env := Env{Stdout: io.Discard, Stderr: io.Discard, Environ: []string{"HOME=" + b.TempDir(),
		"TERM=xterm-256color"}}
	b.ReportAllocs()
	for b.Loop() {
		a := newApp(env)
		safego.Go(nil, "themes", func() { a.shipped() }, nil)
		a.root()
		must(b, a.load(context.Background()))
		svc, err := a.service(recordsTurns)
		must(b, err)
		if _, err := a.screenOptions(context.Background(), svc, screenFlags{}); err != nil {
			b.Fatal(err)
		}
	}
}
