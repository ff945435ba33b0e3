package cli

import (
	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"confab/internal/cli/app"
)

// Root returns the tree of commands.
func Root(a *app.App) *cobra.Command { return commands{a}.root() }

// BoundSize bounds the size of the terminal.
func BoundSize(msg tea.Msg) tea.Msg { return boundSize(msg) }
