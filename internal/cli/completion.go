package cli

import (
	"context"
	_ "embed" // the script for bash
	"slices"
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

// completion returns a function that completes to the listed candidates that begin with what is typed, with the
// configuration loaded. What goes wrong while completing is not said: the line is still being typed.
func (a *app) completion(list func(ctx context.Context) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var found []cobra.Completion
		if err := a.load(cmd.Context()); err == nil {
			found = slices.DeleteFunc(list(cmd.Context()), func(c string) bool { return !strings.HasPrefix(c, typed) })
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// modelCompletions lists slugs and the names of groups of them.
func (a *app) modelCompletions(context.Context) (all []cobra.Completion) {
	for _, m := range a.catalogue.Models() {
		all = append(all, cobra.CompletionWithDesc(m.Slug, string(m.Kind)+", "+m.About))
	}
	for _, group := range []string{"all-text", "all-image", "all-edit"} {
		all = append(all, cobra.CompletionWithDesc(group, "every model of that kind"))
	}
	return all
}

// sessionCompletions lists the names of the newest sessions.
func (a *app) sessionCompletions(ctx context.Context) (all []cobra.Completion) {
	svc, err := a.service(a.readOnly())
	if err != nil {
		return nil
	}
	defer a.closeService(ctx, svc)
	hits, _, _ := svc.Sessions(ctx, "", maxCompletions) // without a history there are none
	for _, h := range hits {
		if h.Name != "" && termtext.Line(h.Name) == h.Name {
			all = append(all, cobra.CompletionWithDesc(h.Name, format.Count(h.Turns, "turn")))
		}
	}
	return all
}

func (a *app) themeCompletions(context.Context) (all []cobra.Completion) {
	for _, p := range a.readThemes().palettes {
		all = append(all, cobra.CompletionWithDesc(p.Name, p.About))
	}
	return all
}

// fixed offers the same words always.
func fixed(words ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}
