package cli

import (
	_ "embed" // the script for bash
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/format"
	"confab/internal/termtext"
)

// bashScript completes in bash. The library's own script needs the bash-completion package, runs what is typed as
// shell code, and inserts names with blanks without quotes.
//
//go:embed completion/confab.bash
var bashScript string

// completionCommand words the library's command for completion as the others are, and gives bash a script of ours.
func (a *app) completionCommand(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short = "Print the completion script of a shell"
		c.Long = "Print a script that completes confab's commands, flags, models, sessions and themes in a shell."
		c.Example = "source <(confab completion bash)\nconfab completion zsh > \"${fpath[1]}/_confab\"\nconfab completion " +
			"fish > ~/.config/fish/completions/confab.fish"
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

func (a *app) printBashScript(cmd *cobra.Command, _ []string) error {
	if plain, err := cmd.Flags().GetBool("no-descriptions"); err == nil && plain {
		return a.print(strings.ReplaceAll(bashScript, "__complete ", "__completeNoDesc "))
	}
	return a.print(bashScript)
}

// maxCompletions bounds how many sessions a shell is offered.
const maxCompletions = 50

// completeModels offers slugs and the names of groups of them. What goes wrong
// while completing is not said: the line is still being typed.
func (a *app) completeModels(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if err := a.load(cmd.Context(), a.settings(cmd, nil)); err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	catalogue, err := a.catalogue()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []string
	for _, m := range catalogue.Models() {
		if strings.HasPrefix(m.Slug, typed) {
			found = append(found, cobra.CompletionWithDesc(m.Slug, string(m.Kind)+", "+m.About))
		}
	}
	for _, group := range []string{"all-text", "all-image", "all-edit"} {
		if strings.HasPrefix(group, typed) {
			found = append(found, cobra.CompletionWithDesc(group, "every model of that kind"))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// completeSessions offers the names of the newest sessions.
func (a *app) completeSessions(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	if err := a.load(cmd.Context(), a.settings(cmd, nil)); err != nil {
		return nil, none
	}
	catalogue, err := a.catalogue()
	if err != nil {
		return nil, none
	}
	svc, err := a.reading(catalogue)
	if err != nil {
		return nil, none
	}
	defer a.closeService(cmd.Context(), svc)
	hits, _, err := svc.Sessions(cmd.Context(), "", maxCompletions)
	if err != nil {
		return nil, none
	}
	var found []string
	for _, h := range hits {
		if h.Name != "" && termtext.Line(h.Name) == h.Name && strings.HasPrefix(h.Name, typed) {
			found = append(found, cobra.CompletionWithDesc(h.Name, format.Count(h.Turns, "turn")))
		}
	}
	return found, none
}

// completeThemes offers the names of themes.
func (a *app) completeThemes(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if err := a.load(cmd.Context(), a.settings(cmd, nil)); err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []string
	for _, p := range a.readThemes().palettes {
		if strings.HasPrefix(p.Name, typed) {
			found = append(found, cobra.CompletionWithDesc(p.Name, p.About))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// fixed offers the same words always.
func fixed(words ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}
