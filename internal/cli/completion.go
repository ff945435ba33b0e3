package cli

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
)

// readOnly are the needs of a command that looks things up. Where there is no history yet, none is made for that.
func (a *app) readOnly() serviceNeeds {
	return serviceNeeds{save: a.hasHistory(), memory: !a.hasHistory()}
}

// matchModels returns the slugs that patterns name, or those of the configuration when there are no patterns.
func (a *app) matchModels(patterns []string) ([]string, error) {
	from := ""
	if len(patterns) == 0 {
		patterns = a.config.Models.Default
		from = fmt.Sprintf(" (models.default, %s)", a.config.Origin("models.default"))
	}
	var words []string
	for _, p := range patterns {
		words = append(words, strings.Split(p, ",")...) // no slug has a comma
	}
	models, err := a.catalogue.Match(words...)
	if err != nil {
		var known *api.Error
		if errors.As(err, &known) && from != "" {
			return nil, &api.Error{Code: api.CodeConfig, Message: asClause(known.Message) + from, Err: err}
		}
		return nil, err
	}
	slugs := make([]string, len(models))
	for i, m := range models {
		slugs[i] = m.Slug
	}
	return slugs, nil
}

// favouritesFirst puts the favourites before the other models of their kind.
func (a *app) favouritesFirst(models []api.Model) []api.Model {
	rank := func(m api.Model) int {
		if i := slices.Index(a.config.Models.Favourites, m.Slug); i >= 0 {
			return i
		}
		return len(a.config.Models.Favourites)
	}
	slices.SortStableFunc(models, func(x, y api.Model) int {
		kinds := []api.ModelKind{api.Text, api.Image, api.Edit}
		return cmp.Or(slices.Index(kinds, x.Kind)-slices.Index(kinds, y.Kind), rank(x)-rank(y))
	})
	return models
}

// modelInfos returns models of which the history is not asked.
func modelInfos(models []api.Model) []service.ModelInfo {
	all := make([]service.ModelInfo, len(models))
	for i, m := range models {
		all[i] = service.ModelInfo{Model: m}
	}
	return all
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

// listCompletion is Completion for a value that is a list with commas: it completes the part after the last comma to
// candidates that the list does not hold yet.
func (a *app) listCompletion(list func(ctx context.Context) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before, part := "", typed
		if i := strings.LastIndex(typed, ","); i >= 0 {
			before, part = typed[:i+1], typed[i+1:]
		}
		listed := strings.Split(before, ",")
		found, directive := a.completion(list)(cmd, args, part)
		var whole []cobra.Completion
		for _, c := range found {
			if value, _, _ := strings.Cut(c, "\t"); !slices.Contains(listed, value) {
				whole = append(whole, before+c)
			}
		}
		return whole, directive
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

// themeCompletions lists the themes.
func (a *app) themeCompletions(context.Context) (all []cobra.Completion) {
	for _, p := range a.readThemes().palettes {
		all = append(all, cobra.CompletionWithDesc(p.Name, p.About))
	}
	return all
}

// completeFlag has the values of a flag, where the command has it, complete to words.
func completeFlag(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
