package compose

import (
	"confab/history"
	"confab/ui/action"
	"confab/ui/keys"
)

// Example is a prompt for new users.
type Example struct {
	Command keys.Command // of its key
	Title   string
	Shows   string // the result in few words
	Compose action.Compose
}

// Examples returns the three examples: a text, a comparison, a picture.
func Examples() []Example {
	text := func(s string) *string { return &s }
	return []Example{
		{keys.Example1, "How does a black hole form?", "one model", action.Compose{
			Text: text("How does a black hole form?"), Models: []string{"alpha3.1-8b"}}},
		{keys.Example2, "Explain a CRDT to a baker. Use one analogy.", "four models", action.Compose{
			Text:   text("Explain a CRDT to a baker. Use one analogy."),
			Models: []string{"alpha3.1-8b", "oss-20b", "gamma-4-7b-flash", "phi-2"}}},
		{keys.Example3, "Lighthouse at dusk, calm sea, oil painting", "a picture", action.Compose{
			Text: text("Lighthouse at dusk, calm sea, oil painting"), Models: []string{"sim-image"},
			Aspect: text("16:9"), Nonce: &history.Nonce{Mode: history.NonceNone}}},
	}
}
