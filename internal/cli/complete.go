package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/format"
	"confab/internal/termtext"
)

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
