package app

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/cli/console"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
)

// ReadOnly are the needs of a command that looks things up. Where there is no history yet, none is made for that.
func (a *App) ReadOnly() ServiceNeeds {
	return ServiceNeeds{Save: a.HasHistory(), memory: !a.HasHistory()}
}

// MatchModels returns the slugs that patterns name, or those of the configuration when there are no patterns.
func (a *App) MatchModels(patterns []string) ([]string, error) {
	from := ""
	if len(patterns) == 0 {
		patterns = a.Config.Models.Default
		from = fmt.Sprintf(" (models.default, %s)", a.Config.Origin("models.default"))
	}
	var words []string
	for _, p := range patterns {
		words = append(words, strings.Split(p, ",")...) // no slug has a comma
	}
	models, err := a.Catalogue.Match(words...)
	if err != nil {
		var known *api.Error
		if errors.As(err, &known) && from != "" {
			return nil, &api.Error{Code: api.CodeConfig, Message: console.AsClause(known.Message) + from, Err: err}
		}
		return nil, err
	}
	slugs := make([]string, len(models))
	for i, m := range models {
		slugs[i] = m.Slug
	}
	return slugs, nil
}

// FavouritesFirst puts the favourites before the other models of their kind.
func (a *App) FavouritesFirst(models []api.Model) []api.Model {
	rank := func(m api.Model) int {
		if i := slices.Index(a.Config.Models.Favourites, m.Slug); i >= 0 {
			return i
		}
		return len(a.Config.Models.Favourites)
	}
	slices.SortStableFunc(models, func(x, y api.Model) int {
		kinds := []api.ModelKind{api.Text, api.Image, api.Edit}
		return cmp.Or(slices.Index(kinds, x.Kind)-slices.Index(kinds, y.Kind), rank(x)-rank(y))
	})
	return models
}

// ModelInfos returns models of which the history is not asked.
func ModelInfos(models []api.Model) []service.ModelInfo {
	all := make([]service.ModelInfo, len(models))
	for i, m := range models {
		all[i] = service.ModelInfo{Model: m}
	}
	return all
}

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

// ListCompletion is Completion for a value that is a list with commas: it completes the part after the last comma to
// candidates that the list does not hold yet.
func (a *App) ListCompletion(list func(ctx context.Context) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before, part := "", typed
		if i := strings.LastIndex(typed, ","); i >= 0 {
			before, part = typed[:i+1], typed[i+1:]
		}
		listed := strings.Split(before, ",")
		found, directive := a.Completion(list)(cmd, args, part)
		var whole []cobra.Completion
		for _, c := range found {
			if value, _, _ := strings.Cut(c, "\t"); !slices.Contains(listed, value) {
				whole = append(whole, before+c)
			}
		}
		return whole, directive
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
