package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/cli/helptext"
	"confab/service/problem"
)

// helpCommand returns the command that prints the help of the command that its arguments name.
func (a commands) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			named, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return problem.Usage("there is no command %q; confab --help lists them", strings.Join(args, " "))
			}
			return a.Help(named)
		},
	}
}

func (a commands) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Args: a.NoCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := helptext.Manual(cmd.Root())
			if err != nil {
				return err
			}
			return a.Print(page)
		},
	}
}
