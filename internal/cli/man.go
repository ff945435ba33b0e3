package cli

import (
	"fmt"
	"regexp"
	"strings"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Args: a.noCommand,
		Long:    "Print the manual page, for man -l or a folder of manual pages.",
		Example: "confab man | man -l -\nconfab man > ~/.local/share/man/man1/confab.1",
		RunE: func(cmd *cobra.Command, _ []string) error {
			nameValues(cmd.Root())
			page, err := mango.NewManPage(1, cmd.Root())
			if err != nil {
				return fmt.Errorf("make the manual page: %w", err)
			}
			page = page.WithSection("Exit status", exitStatus).WithSection("Files",
				"confab paths prints where everything is kept.")
			// mango v0.1.0 writes short flags with two hyphens.
			text := regexp.MustCompile(`\\fB--([A-Za-z]) --`).ReplaceAllString(page.Build(roff.NewDocument()), `\fB-$1, --`)
			// The names of values, put there by nameValues, are set in italics.
			text = regexp.MustCompile(`\\fB((?:-[A-Za-z], )?--[a-z-]+) ([^\\\n]+)\\fP`).ReplaceAllString(text,
				`\fB$1\fP \fI$2\fP`)
			// The title is centred between the names of the page, and a longer one overlaps them on 80 columns.
			text = regexp.MustCompile(`(?m)^(\.TH .*) "[^"]*"$`).ReplaceAllString(text, `$1 "confab manual"`)
			return a.print(text)
		},
	}
}

// nameValues puts the names of values after those of their flags, which mango does not print, and takes the quotes
// around them away, which it does. The flags cannot be parsed after that.
func nameValues(cmd *cobra.Command) {
	name := func(f *pflag.Flag) {
		var value string
		if value, f.Usage = pflag.UnquoteUsage(f); value != "" && !strings.Contains(f.Name, " ") {
			f.Name += " " + value
		}
	}
	cmd.Flags().VisitAll(name)
	cmd.PersistentFlags().VisitAll(name)
	for _, sub := range cmd.Commands() {
		nameValues(sub)
	}
}

const exitStatus = `0 all answered; 1 an answer failed, or the command did; 2 wrong usage or configuration; 124 timed out; 130 interrupted.`

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
