package export

import (
	"encoding/json"
	"fmt"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
	"confab/service/suiterun"
)

// UsageFacts says what an answer took, as far as it is known: its tokens, the time to the first of them, how fast it
// was written and what it cost, such as "1,204 → 356 tokens", "0.4 s to first", "42/s", "$0.0031".
func UsageFacts(a history.Answer) []string {
	var facts []string
	if text := TokensText(a.Usage); text != "" {
		facts = append(facts, text)
	}
	if a.FirstToken > 0 && a.FirstToken < a.Elapsed {
		facts = append(facts, format.TenthSeconds(a.FirstToken)+" to first")
	}
	if speed := a.TokensPerSecond(); speed > 0 {
		facts = append(facts, fmt.Sprintf("%.0f/s", speed))
	}
	if a.Cost.Currency != "" {
		facts = append(facts, format.Money(a.Cost.Amount, a.Cost.Currency))
	}
	return facts
}

// TokensText says how many tokens went in and came out; empty when neither is known.
func TokensText(u chat.Usage) string {
	if u == (chat.Usage{}) {
		return ""
	}
	return format.Number(u.InputTokens) + " → " + format.Number(u.OutputTokens) + " tokens"
}

// usageFacts says what all answers took together, as far as it is known. Answers that a service reused cost nothing.
func (r Run) usageFacts() []string {
	var u chat.Usage
	var costs []history.Cost
	for _, c := range r.Cells {
		if !c.Answer.Cached {
			u = u.Plus(c.Answer.Usage)
			costs = history.AddCost(costs, c.Answer.Cost)
		}
	}
	var facts []string
	for _, text := range []string{TokensText(u), suiterun.CostsText(costs)} {
		if text != "" {
			facts = append(facts, text)
		}
	}
	return facts
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
	if !o.Reasoning {
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
