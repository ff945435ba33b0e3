package cli

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"
)

// bashScript completes in bash. The library's own script needs the bash-completion package, runs what is typed as
// shell code, and inserts names with blanks without quotes.
//
//go:embed completion/confab.bash
var bashScript string

// completionCommand words the library's command for completion as the others are, and gives bash a script of ours.
func (a commands) completionCommand(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short = "Print the completion script of a shell"
		for _, shell := range c.Commands() {
			shell.Short = "Print the script for " + shell.Name()
			shell.Long = ""
			shell.SilenceUsage = true
			if shell.Name() == "bash" {
				shell.RunE = a.printBashScript
			}
		}
	}
}

func (a commands) printBashScript(cmd *cobra.Command, _ []string) error {
	if plain, err := cmd.Flags().GetBool("no-descriptions"); err == nil && plain {
		return a.Print(strings.ReplaceAll(bashScript, "__complete ", "__completeNoDesc "))
	}
	return a.Print(bashScript)
}
