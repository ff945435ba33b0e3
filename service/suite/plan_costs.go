package suite

import (
	"context"

	"confab/history"
	"confab/internal/chat"
)

// countGradings counts the calls of graders that the checks need, without those whose grade is known by name.
func (p *Plan) countGradings() {
	for _, c := range p.Calls {
		earlier := p.earlier[c.Key]
		switch {
		case p.asks(c):
			earlier = history.Cell{}
		case earlier.Answer == 0:
			continue
		}
		isKnown := map[string]bool{}
		for _, check := range earlier.Checks {
			isKnown[check.Name] = check.Grade != nil && check.Grade.Problem == ""
		}
		for _, check := range c.Checks {
			_, problem := p.grader(check.grader)
			if check.kind.needsModel && problem == "" && !isKnown[check.String()] {
				p.Gradings++
			}
		}
	}
}

// bytesPerToken is an estimate for prompts.
const bytesPerToken = 4

// estimateCosts sums up estimated costs of calls from the lengths of earlier answers, if there are any.
func (p *Plan) estimateCosts(ctx context.Context) {
	known, err := read(ctx, p.runner, func(store history.Store) (map[string]history.ModelStats, error) {
		return store.Stats(ctx)
	})
	if err != nil {
		return
	}
	for _, c := range p.Calls {
		model := known[c.Model.Slug]
		if model.OutputTokens == 0 || !p.asks(c) {
			continue
		}
		cost := p.runner.o.Service.CostOf(history.Answer{Model: c.Model.Slug, EngineModel: model.EngineModel,
			Usage: chat.Usage{InputTokens: (len(c.Prompt) + len(c.System)) / bytesPerToken,
				OutputTokens: model.OutputTokens}})
		if cost.Currency != "" {
			p.Priced++
			p.Costs = history.AddCost(p.Costs, cost)
		}
	}
}
