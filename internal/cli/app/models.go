package app

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"confab/internal/cli/console"
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
