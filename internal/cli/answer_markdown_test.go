package cli

import (
	"regexp"
	"strings"
	"testing"

	"confab/themes"
)

// print adds a text in parts of n bytes and returns what was printed, for a terminal that cannot go back.
func print(t *testing.T, text string, n int) string {
	t.Helper()
	var out strings.Builder
	w := newMarkdownText(markdownTerminal{
		print:  func(s string) error { out.WriteString(s); return nil },
		styles: themes.New(themes.Palette{}), size: func() (int, int) { return 80, 24 }, hasNoCursor: true,
	})
	for ; len(text) > n; text = text[n:] {
		if err := w.add(text[:n]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.end(text); err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(out.String(), "")
}

func TestNothingIsLostWhereTextBecomesAnotherBlock(t *testing.T) {
	for text, wanted := range map[string]string{
		"[1]: http://x\nTitle of it\n===\n":          "Title of it",
		"[1]: http://x\nTitle of it\n---\n\nafter\n": "after",
	} {
		if got := print(t, text, 1); !strings.Contains(got, wanted) {
			t.Errorf("%q is printed as %q", text, got)
		}
	}
}
