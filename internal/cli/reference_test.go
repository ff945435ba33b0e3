package cli

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "write docs/commands.md")

func TestReferenceIsWritten(t *testing.T) {
	const path = "../../docs/commands.md"
	want := commandsPage(newApp(Env{}).root())
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/commands.md is not what the commands say; run go test ./internal/cli -run Reference -update")
	}
}

// commandsPage returns docs/commands.md, made from the tree of commands.
func commandsPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\n<!-- Made from the commands in internal/cli: go test ./internal/cli -run Reference " +
		"-update -->\n\n")
	b.WriteString("Exit status: " + exitStatus +
		"\n\nErrors are one sentence on standard error with a stable code in parentheses.\n")
	describe(&b, root)
	return b.String()
}

// describe writes a command and those below it.
func describe(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n", cmd.CommandPath(), strings.TrimSuffix(cmd.Short, "."))
	if cmd.Runnable() && cmd.Annotations[onlyGroups] == "" {
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
		describe(b, sub)
	}
}
