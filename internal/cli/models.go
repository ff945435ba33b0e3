package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/config"
	"confab/internal/format"
	"confab/service"
	"confab/service/api"
)

func (a *app) answeredBy(who service.EngineStatus, known bool) string {
	switch {
	case !known:
		return a.endpoint().Host
	case who.Engine == "":
		return "nobody"
	case !who.IsUp:
		return who.Engine + " (down)"
	}
	return who.Engine
}

// modelJSON is a model in JSON; its field names are stable.
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

	ContextTokens int  `json:"context_tokens,omitempty"` // where the service tells it
	HasVision     bool `json:"vision,omitempty"`
}

func (a *app) modelsCommand() *cobra.Command {
	cmd := a.command("models [SLUG...]", "List the models, and what the history knows of them", nil,
		func(ctx context.Context, args []string) error {
			return a.withService(ctx, readsHistory, func(ctx context.Context, svc *service.Service) error {
				return a.printModels(ctx, svc, args)
			})
		})
	cmd.ValidArgsFunction = a.listCompletion(a.modelCompletions)
	a.jsonFlag(cmd.Flags(), "model")
	return cmd
}

func (a *app) printModels(ctx context.Context, svc *service.Service, patterns []string) (err error) {
	a.listModels(ctx)
	wanted := a.catalogue().Models()
	if len(patterns) > 0 {
		if wanted, err = a.catalogue().Match(patterns...); err != nil {
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
		j, offers := a.newModelJSON(m, answering), svc.Extensions(ctx, m.Model)
		j.ContextTokens, j.HasVision = offers.ContextTokens, offers.TakesImages && m.Kind == api.Text
		all = append(all, j)
	}
	t := newTextTable("model", "kind", ">typical", ">first", ">tokens/s", ">price", ">answers", ">failed", "",
		"answered by", "")
	return printList(a, all, t, func(m modelJSON) []any {
		who, known := answering[m.Slug]
		return []any{m.Slug, string(m.Kind), a.durationOrBlank(m.MedianTime), a.durationOrBlank(m.FirstToken),
			numberOrBlank(int(math.Round(m.ModelStats.Speed))), m.priceText(),
			numberOrBlank(m.Answers), numberOrBlank(m.Failures),
			m.badges(), a.answeredBy(who, known), m.About}
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

// priceText formats the prices of a million input and output tokens; empty when unknown.
func (m modelJSON) priceText() string {
	if m.InputPrice == nil {
		return ""
	}
	return format.Money(*m.InputPrice, m.Currency) + " / " + format.Money(*m.OutputPrice, m.Currency)
}

func (m modelJSON) badges() string {
	all := []string{m.Stage, choose(m.IsSlow, "slow", ""), choose(m.IsCustom, "custom", "")}
	if m.Engine != config.Offline { // which takes every picture
		all = append(all, choose(m.HasVision, "vision", ""))
	}
	if m.ContextTokens > 0 {
		all = append(all, fmt.Sprint(m.ContextTokens, " tokens"))
	}
	return strings.Join(slices.DeleteFunc(all, func(badge string) bool { return badge == "" }), " ")
}
