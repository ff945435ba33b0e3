package cli

import (
	"regexp"
	"strings"
	"testing"

	"confab/history"
)

// TestATextThatIsTakenBack has a text turn out to be reasoning after it was printed.
func TestATextThatIsTakenBack(t *testing.T) {
	var out strings.Builder
	g := newGrowingText(newApp(Env{Stdout: &out}).textWriter(false), false)
	for _, a := range []history.Answer{{State: history.Running, Text: "Hm."}, {State: history.Running, Text: "Y"},
		{State: history.Running, Text: "Yes, it is."}, {State: history.Done, Text: "Yes, it is so."}} {
		must(t, g.grow(a))
	}
	if want := "Hm.\n\nYes, it is so.\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// TestNothingIsLostWhereTextBecomesAnotherBlock prints character by character where the cursor cannot go back.
func TestNothingIsLostWhereTextBecomesAnotherBlock(t *testing.T) {
	for text, wanted := range map[string]string{
		"[1]: http://x\nTitle of it\n===\n":          "Title of it",
		"[1]: http://x\nTitle of it\n---\n\nafter\n": "after",
	} {
		var out strings.Builder
		w := newApp(Env{Stdout: &out, Environ: []string{"CLICOLOR_FORCE=1"}}).textWriter(false)
		for i := range text {
			must(t, w.add(text[i:i+1], i == len(text)-1))
		}
		got := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(out.String(), "")
		if !strings.Contains(got, wanted) {
			t.Errorf("%q is printed as %q", text, got)
		}
	}
}
