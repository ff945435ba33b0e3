package suite

import (
	"testing"

	"confab/history"
)

// TestACellShowsWords shows what an answer says, not how it is marked up.
func TestACellShowsWords(t *testing.T) {
	for text, want := range map[string]string{"| Greet | Ana |\n|---|---|\n| 1 | 2 |": "Greet Ana 1 2",
		"# Hi\n\n> **Dear** `Sam` - late": "Hi Dear Sam late"} {
		c := resultCell{cells: []history.Cell{{Words: text}}}
		if got := c.words(); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
