package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"confab/internal/chat"
)

// Params are parameters of a text model by their names in [chat.Params], with values as [chat.CheckParams] returns
// them.
type Params map[string]any

// IsZero reports whether no parameter is set.
func (p Params) IsZero() bool { return len(p) == 0 }

// With returns the parameters, overridden by those that are set in o.
func (p Params) With(o Params) Params { return chat.MergeParams(p, o) }

// WithAspect returns the parameters with the aspect ratio that was asked for, if any.
func (p Params) WithAspect(aspect string) Params {
	if aspect == "" {
		return p
	}
	return p.With(Params{"aspect": aspect})
}

// UnmarshalJSON implements [json.Unmarshaler]. It keeps all digits of numbers.
func (p *Params) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode((*map[string]any)(p))
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
