package cli

import (
	"strings"

	"confab/service/problem"

	"github.com/spf13/cobra"

	"confab/internal/cli/helptext"
)

// help prints the help of a command.
func (a *app) help(cmd *cobra.Command) error {
	a.setColor(colorMode(a.flags.color))
	s := a.styles()
	style := helptext.Style{Width: 80, Title: s.Strong.Render, Name: s.Accent.Render}
	if a.out.terminal {
		style.Width = max(40, a.out.width())
	}
	return a.printStyled(helptext.Page(cmd, style))
}

// helpCommand returns the command that prints the help of the command that its arguments name.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			named, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return problem.Usage("there is no command %q; confab --help lists them", strings.Join(args, " "))
			}
			return a.help(named)
		},
	}
}

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Args: a.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := helptext.Manual(cmd.Root())
			if err != nil {
				return err
			}
			return a.print(page)
		},
	}
}
