package app

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/format"
	"confab/internal/termtext"
)

// maxCompletions bounds how many sessions a shell is offered.
const maxCompletions = 50

// Completion returns a function that completes to the listed candidates that begin with what is typed, with the
// configuration loaded. What goes wrong while completing is not said: the line is still being typed.
func (a *App) Completion(list func(ctx context.Context) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var found []cobra.Completion
		if err := a.Load(cmd.Context()); err == nil {
			found = slices.DeleteFunc(list(cmd.Context()), func(c string) bool { return !strings.HasPrefix(c, typed) })
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// ModelCompletions lists slugs and the names of groups of them.
func (a *App) ModelCompletions(context.Context) (all []cobra.Completion) {
	for _, m := range a.Catalogue.Models() {
		all = append(all, cobra.CompletionWithDesc(m.Slug, string(m.Kind)+", "+m.About))
	}
	for _, group := range []string{"all-text", "all-image", "all-edit"} {
		all = append(all, cobra.CompletionWithDesc(group, "every model of that kind"))
	}
	return all
}

// SessionCompletions lists the names of the newest sessions.
func (a *App) SessionCompletions(ctx context.Context) (all []cobra.Completion) {
	svc, err := a.Service(a.ReadOnly())
	if err != nil {
		return nil
	}
	defer a.CloseService(ctx, svc)
	hits, _, _ := svc.Sessions(ctx, "", maxCompletions) // without a history there are none
	for _, h := range hits {
		if h.Name != "" && termtext.Line(h.Name) == h.Name {
			all = append(all, cobra.CompletionWithDesc(h.Name, format.Count(h.Turns, "turn")))
		}
	}
	return all
}

// ThemeCompletions lists the themes.
func (a *App) ThemeCompletions(context.Context) (all []cobra.Completion) {
	for _, p := range a.ReadThemes().Palettes {
		all = append(all, cobra.CompletionWithDesc(p.Name, p.About))
	}
	return all
}

// CompleteFlag has the values of a flag, where the command has it, complete to words.
func CompleteFlag(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
