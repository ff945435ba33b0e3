package service_test

import (
	"context"
	"testing"

	"confab/history"
	"confab/internal/chat"
	"confab/service"
	"confab/service/api"
)

// The cost of a run is estimated by the engine's name of the model in the history.
func TestPlannedCostsByTheEnginesModel(t *testing.T) {
	w := newWorld(t, func(o *service.Options) {
		o.Backend.Price = func(_, engineModel string) (service.Price, bool) {
			return service.Price{Output: 1e6, Currency: "EUR"}, engineModel == "qwen3:8b"
		}
	})
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		response := answerTo(r)
		response.Usage = chat.Usage{InputTokens: 1, OutputTokens: 7}
		if r.Model.Slug == "delta" {
			response.Engine, response.EngineModel = "local", "qwen3:8b"
		}
		return response, api.Exchange{Status: 200}, nil
	}
	q := w.suiteIn(t, "s.yaml", "prompts: [a, b]\nproviders: [llm:delta, llm:zeta]\n")
	if plan, err := w.Runner().Plan(t.Context(), q); err != nil || plan.Priced != 0 {
		t.Fatalf("without a history %d calls have a price, %v", plan.Priced, err)
	}
	w.run(t, t.Context(), q)
	plan, err := w.Runner().Plan(t.Context(), q)
	if want := (history.Cost{Amount: 14, Currency: "EUR"}); err != nil || plan.Priced != 2 || len(plan.Costs) != 1 ||
		plan.Costs[0] != want {
		t.Errorf("%d calls cost %v, %v; want %v", plan.Priced, plan.Costs, err, want)
	}
}
