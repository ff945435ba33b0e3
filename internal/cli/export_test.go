package cli

import (
	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
)

// Root returns the tree of commands.
func Root(env Env) *cobra.Command { return newApp(env).root() }

// BoundSize bounds the size of the terminal.
func BoundSize(msg tea.Msg) tea.Msg { return boundSize(msg) }
