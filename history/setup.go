package history

import "cmp"

// Setup is what the next turn of a session is sent with, besides its prompt and picture.
type Setup struct {
	Models     []string `json:"models,omitempty"`
	System     string   `json:"system,omitempty"` // with its variables, if any
	Params     Params   `json:"params,omitzero"`
	HasContext bool     `json:"context"` // whether earlier turns are sent
}

// Setup returns what the turn was sent with.
func (t Turn) Setup() Setup {
	return Setup{Models: t.Models(), System: cmp.Or(t.SystemTemplate, t.System), Params: t.Params,
		HasContext: t.HasContext}
}
