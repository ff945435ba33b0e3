package suite_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"confab/service/suite"
)

// TestTotalsSayWhatTheyAre: the words before the totals are never cut.
func TestTotalsSayWhatTheyAre(t *testing.T) {
	for _, table := range []suite.TableText{suite.NewResults(suite.Table{}, nil).TableText,
		suite.NewComparison(nil).TableText} {
		for w := 9; w < 40; w++ {
			for _, total := range table.Totals {
				if got := total.Label(w); ansi.StringWidth(got) > w || strings.Contains(got, "…") {
					t.Errorf("in %d cells it says %q", w, got)
				}
			}
		}
	}
}

// TestPromptsAreNamed by what the suite calls them, else by how they begin.
func TestPromptsAreNamed(t *testing.T) {
	row := func(prompt, text string, vars map[string]string) suite.Row {
		return suite.Row{Prompt: prompt, Text: text, Vars: vars}
	}
	fox := map[string]string{"animal": "fox"}
	owl := map[string]string{"animal": "owl"}
	for _, tt := range []struct {
		rows []suite.Row
		want []string
	}{
		{[]suite.Row{row("1", "Say hello", nil)}, []string{"Say hello"}},
		{[]suite.Row{row("1", "Say hello", nil), row("2", "Say goodbye", nil)},
			[]string{"1 Say hello", "2 Say goodbye"}},
		{[]suite.Row{row("warm", "Say hello", nil), row("2", "", nil)}, []string{"warm", "2"}},
		{[]suite.Row{row("1", "Draw a {{animal}}", fox), row("1", "Draw a {{animal}}", owl)},
			[]string{"fox", "owl"}},
		{[]suite.Row{row("1", "Draw a {{animal}} under a tall tree", fox), row("2", "Write", owl)},
			[]string{"1 Draw a {{animal}} under a… · fox", "2 Write · owl"}},
	} {
		table := suite.NewResults(suite.Table{Rows: tt.rows}, nil)
		for i, want := range tt.want {
			if got := table.Rows[i]; got != want {
				t.Errorf("%+v is %q, want %q", tt.rows[i], got, want)
			}
		}
	}
	table := suite.NewResults(suite.Table{Rows: []suite.Row{row("1", "Say hello", nil)}}, nil)
	if got, want := table.RowFacts(0), "row 1  prompt 1: Say hello"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
