package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/api"
)

// modelJSON is a model as scripts see it; its field names are stable.
type modelJSON struct {
	api.Model
	history.ModelStats
	service.EngineStatus // of the embedded service

	TypicalMS    int64    `json:"typical_ms,omitempty"`
	FirstTokenMS int64    `json:"typical_first_token_ms,omitempty"`
	Speed        float64  `json:"tokens_per_second,omitempty"`
	InputPrice   *float64 `json:"input_price,omitempty"` // per million tokens
	OutputPrice  *float64 `json:"output_price,omitempty"`
	Currency     string   `json:"currency,omitempty"`
	IsUp         *bool    `json:"up,omitempty"` // absent where another service answers
}

func (a *app) modelsCommand() *cobra.Command {
	cmd := a.command("models [SLUG...]", "List the models, and what the history knows of them", nil,
		func(ctx context.Context, args []string) error {
			return a.withService(ctx, a.readOnly(), func(ctx context.Context, svc *service.Service) error {
				return a.printModels(ctx, svc, args)
			})
		})
	cmd.ValidArgsFunction = a.completion(a.modelCompletions)
	a.jsonFlag(cmd.Flags(), "model")
	return cmd
}

func (a *app) printModels(ctx context.Context, svc *service.Service, patterns []string) (err error) {
	wanted := a.catalogue.Models()
	if len(patterns) > 0 {
		if wanted, err = a.catalogue.Match(patterns...); err != nil {
			return err
		}
	}
	models, err := svc.Models(ctx) // those of the catalogue also when the history cannot be read
	if err != nil {
		a.warn("%s", sentence(err))
	} else {
		a.warnOfStore(svc)
	}
	models = slices.DeleteFunc(models, func(m service.ModelInfo) bool {
		return !slices.ContainsFunc(wanted, func(w api.Model) bool { return w.Slug == m.Slug })
	})
	answering, err := svc.EngineStatuses(ctx)
	if err != nil {
		return err
	}
	var all []modelJSON
	for _, m := range models {
		all = append(all, a.newModelJSON(m, answering))
	}
	t := table{head: []string{"model", "kind", "typical", "first", "tokens/s", "price", "answers", "failed", "",
		"answered by", ""}, right: []int{2, 3, 4, 5, 6, 7}}
	return printList(a.console, all, t, func(m modelJSON) []string {
		who, known := answering[m.Slug]
		return []string{m.Slug, string(m.Kind), seconds(m.MedianTime), seconds(m.FirstToken),
			number(int(math.Round(m.ModelStats.Speed))), m.priceText(), number(m.Answers), number(m.Failures),
			badges(m.Model), a.answeredBy(who, known), m.About}
	})
}

func (a *app) newModelJSON(m service.ModelInfo, answering map[string]service.EngineStatus) modelJSON {
	j := modelJSON{Model: m.Model, ModelStats: m.ModelStats, TypicalMS: m.MedianTime.Milliseconds(),
		FirstTokenMS: m.FirstToken.Milliseconds(), Speed: math.Round(m.Speed*10) / 10}
	if who, ok := answering[m.Slug]; ok {
		j.EngineStatus, j.IsUp = who, &who.IsUp
	}
	if p, ok := a.price(m.Slug, cmp.Or(j.EngineStatus.Model, m.Slug)); ok {
		j.InputPrice, j.OutputPrice, j.Currency = &p.Input, &p.Output, p.Currency
	}
	return j
}

// priceText writes what a million tokens of a prompt and of an answer cost; empty when unknown.
func (m modelJSON) priceText() string {
	if m.InputPrice == nil {
		return ""
	}
	return format.Money(*m.InputPrice, m.Currency) + " / " + format.Money(*m.OutputPrice, m.Currency)
}

func badges(m api.Model) string {
	all := []string{m.Stage, choose(m.IsSlow, "slow", ""), choose(m.IsCustom, "custom", "")}
	return strings.Join(slices.DeleteFunc(all, func(badge string) bool { return badge == "" }), " ")
}

// number writes a count; none is left out.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// readOnly are the needs of a command that looks things up. Where there is no history yet, none is made for that.
func (a *app) readOnly() serviceNeeds {
	return serviceNeeds{save: a.hasHistory(), memory: !a.hasHistory()}
}

// matchModels returns the slugs that patterns name, or those of the configuration when there are no patterns.
func (a *app) matchModels(patterns []string) ([]string, error) {
	from := ""
	if len(patterns) == 0 {
		patterns = a.cfg.Models.Default
		from = fmt.Sprintf(" (models.default, %s)", a.cfg.Origin("models.default"))
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
		if i := slices.Index(a.cfg.Models.Favourites, m.Slug); i >= 0 {
			return i
		}
		return len(a.cfg.Models.Favourites)
	}
	slices.SortStableFunc(models, func(x, y api.Model) int {
		kinds := []api.ModelKind{api.Text, api.Image, api.Edit}
		return cmp.Or(slices.Index(kinds, x.Kind)-slices.Index(kinds, y.Kind), rank(x)-rank(y))
	})
	return models
}

// infos returns models of which the history is not asked.
func infos(models []api.Model) []service.ModelInfo {
	all := make([]service.ModelInfo, len(models))
	for i, m := range models {
		all[i] = service.ModelInfo{Model: m}
	}
	return all
}
