package cli

import (
	"strings"
	"testing"

	"confab/history"
)

// TestATextThatIsTakenBack has a text turn out to be reasoning after it was printed.
func TestATextThatIsTakenBack(t *testing.T) {
	var out strings.Builder
	g := newGrowingText(newPlainText(func(s string) error { out.WriteString(s); return nil }), false)
	for _, a := range []history.Answer{{State: history.Running, Text: "Hm."}, {State: history.Running, Text: "Y"},
		{State: history.Running, Text: "Yes, it is."}, {State: history.Done, Text: "Yes, it is so."}} {
		if err := g.grow(a); err != nil {
			t.Fatal(err)
		}
	}
	if want := "Hm.\n\nYes, it is so.\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
