package export

import (
	"encoding/json"

	"confab/history"
	"confab/internal/chat"
	"confab/service/suiterun"
)

// usageText says what all answers took together, as far as it is known. Answers that a service reused cost nothing.
func (r Run) usageText() string {
	var u chat.Usage
	var costs []history.Cost
	for _, c := range r.Cells {
		if !c.Answer.IsCached {
			u = u.Plus(c.Answer.Usage)
			costs = history.AddCost(costs, c.Answer.Cost)
		}
	}
	return suiterun.Stats{Usage: u, Costs: costs}.UsageText()
}

// isPartial tells whether the text of the answer is only what came of it.
func (c Cell) isPartial() bool {
	a := c.Answer
	return a.Kind == history.KindText && a.State != history.Done && a.Text != ""
}

// partialNote stands before a text of which only a part came, so that it does not read as whole; empty for others.
func (c Cell) partialNote() string {
	if !c.isPartial() {
		return ""
	}
	if c.Answer.State == history.Running {
		return "The answer is still being written; so far:"
	}
	return "The answer broke off (" + string(c.Answer.State) + "); only this came of it:"
}

// reasoning returns what the model wrote before its answer, where that is wanted.
func (o Options) reasoning(a history.Answer) string {
	if !o.HasReasoning {
		return ""
	}
	return a.Reasoning
}

// paramsText writes parameters as JSON; empty where none is set.
func paramsText(p *history.Params) string {
	if p == nil || p.IsZero() {
		return ""
	}
	b, err := json.Marshal(p)
	if err != nil { // as in [history.Params.Values]
		panic("export: parameters: " + err.Error())
	}
	return string(b)
}
