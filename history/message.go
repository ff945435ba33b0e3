package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Params are settings of a text model. Zero fields are not sent. The JSON names are those of OpenAI's chat
// completions.
type Params struct {
	Temperature     *float64 `json:"temperature,omitempty"` // 0 to 2
	TopP            *float64 `json:"top_p,omitempty"`       // 0 to 1
	MaxTokens       int      `json:"max_tokens,omitempty"`
	Seed            *int64   `json:"seed,omitempty"`
	Stop            []string `json:"stop,omitempty"`             // at most 4
	ResponseFormat  string   `json:"response_format,omitempty"`  // text, json_object or a JSON schema
	ReasoningEffort string   `json:"reasoning_effort,omitempty"` // none, minimal, low, medium or high
}

// IsZero reports whether no parameter is set.
func (p Params) IsZero() bool { return len(p.Values()) == 0 }

// With returns the parameters, overridden by those that are set in o.
func (p Params) With(o Params) Params {
	p.Temperature, p.TopP, p.Seed = cmp.Or(o.Temperature, p.Temperature), cmp.Or(o.TopP, p.TopP), cmp.Or(o.Seed, p.Seed)
	p.MaxTokens, p.ResponseFormat = cmp.Or(o.MaxTokens, p.MaxTokens), cmp.Or(o.ResponseFormat, p.ResponseFormat)
	p.ReasoningEffort = cmp.Or(o.ReasoningEffort, p.ReasoningEffort)
	if len(o.Stop) > 0 {
		p.Stop = o.Stop
	}
	return p
}

// Values returns the set parameters by name; numbers are of type [json.Number].
func (p Params) Values() map[string]any {
	var values map[string]any
	b, err := json.Marshal(p)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber() // a seed may have more digits than a float holds
		err = d.Decode(&values)
	}
	if err != nil { // only NaN and infinity fail to marshal, and readers refuse both
		panic(fmt.Sprintf("history: parameters: %v", err))
	}
	return values
}

// Cost is the price of an answer at the time it was made; an empty currency means unknown.
type Cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency,omitempty"` // as configured, such as USD
}

// AddCost adds a cost to sums that are ordered by currency. An unknown cost adds nothing.
func AddCost(sums []Cost, c Cost) []Cost {
	if c.Currency == "" {
		return sums
	}
	i, ok := slices.BinarySearchFunc(sums, c, func(a, b Cost) int { return cmp.Compare(a.Currency, b.Currency) })
	if !ok {
		return slices.Insert(sums, i, c)
	}
	sums[i].Amount += c.Amount
	return sums
}
