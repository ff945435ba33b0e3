package runs

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/service/suiterun"
	"confab/themes"
	"confab/ui/keys"
)

// TestNamesAreCutSoThatTheyDiffer cuts in the middle only what would be alike.
func TestNamesAreCutSoThatTheyDiffer(t *testing.T) {
	parcels := []string{"tone=warm  mail=My parcel is late", "tone=warm  mail=My parcel is lost", "短い"}
	for _, tt := range []struct {
		names []string
		w     int
		want  []string
	}{
		{parcels, 40, parcels},
		{parcels, 24, []string{"tone=warm  mai…l is late", "tone=warm  mai…l is lost", "短い"}},
		{[]string{"gamma-4-7b-flash", "gamma-4.7"}, 9, []string{"gamma-4-…", "gamma-4.7"}},
		{[]string{"日本語で書いてください", "日本語で書いてね", "日本語で書いてみて"}, 12, []string{"日本語…さい", "日本語…てね", "日本語…みて"}},
		{[]string{"phi-2", "phi-3"}, 3, []string{"ph…", "ph…"}},
		{[]string{"phi-2", "phi-3"}, 0, []string{"", ""}},
		{[]string{"the same name", "the same name"}, 8, []string{"the sam…", "the sam…"}},
	} {
		var c nameCutter
		c.prepare(tt.w, tt.names)
		for i, name := range tt.names {
			if got := c.cut(name, tt.w); ansi.StringWidth(got) > tt.w || got != tt.want[i] {
				t.Errorf("%q in %d cells is %q, want %q", name, tt.w, got, tt.want[i])
			}
		}
	}
}

// TestTotalsSayWhatTheyAre: the words before the totals are never cut.
func TestTotalsSayWhatTheyAre(t *testing.T) {
	none := suiterun.Table{}
	for _, s := range []*runTable{newRunResults(none, nil).table(), newRunComparison(none.Run, none.Run, nil).table()} {
		for w := 9; w < 40; w++ {
			for _, f := range s.totals {
				if got := firstFitting(w, f.labels...); ansi.StringWidth(got) > w || strings.Contains(got, "…") {
					t.Errorf("in %d cells it says %q", w, got)
				}
			}
		}
	}
}

// TestPromptsAreNamed by what the suite calls them, else by how they begin.
func TestPromptsAreNamed(t *testing.T) {
	row := func(prompt, text string, vars map[string]string) suiterun.Row {
		return suiterun.Row{Prompt: prompt, Text: text, Vars: vars}
	}
	fox := map[string]string{"animal": "fox"}
	owl := map[string]string{"animal": "owl"}
	for _, tt := range []struct {
		rows []suiterun.Row
		want []string
	}{
		{[]suiterun.Row{row("1", "Say hello", nil)}, []string{"Say hello"}},
		{[]suiterun.Row{row("1", "Say hello", nil), row("2", "Say goodbye", nil)},
			[]string{"1 Say hello", "2 Say goodbye"}},
		{[]suiterun.Row{row("warm", "Say hello", nil), row("2", "", nil)}, []string{"warm", "2"}},
		{[]suiterun.Row{row("1", "Draw a {{animal}}", fox), row("1", "Draw a {{animal}}", owl)},
			[]string{"fox", "owl"}},
		{[]suiterun.Row{row("1", "Draw a {{animal}} under a tall tree", fox), row("2", "Write", owl)},
			[]string{"1 Draw a {{animal}} under a… · fox", "2 Write · owl"}},
	} {
		table := newRunResults(suiterun.Table{Rows: tt.rows}, nil)
		for i, want := range tt.want {
			if got := table.rows[i]; got != want {
				t.Errorf("%+v is %q, want %q", tt.rows[i], got, want)
			}
		}
	}
	if got, want := rowFacts(0, row("1", "Say hello", nil)), "row 1  prompt 1: Say hello"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWhatWasNotJudgedIsNotPassed on the screen: a run of skipped and missing checks.
func TestWhatWasNotJudgedIsNotPassed(t *testing.T) {
	cell := func(number int, checks ...history.CheckResult) [][]history.Cell {
		return [][]history.Cell{{{Number: number, Repeat: 1, Turn: 1, State: history.Done, IsJudged: true,
			Elapsed: time.Second, Checks: checks}}}
	}
	held := history.CheckResult{Name: "is-json", Verdict: "passed"}
	skipped := history.CheckResult{Name: "llm-rubric", Verdict: "skipped", Reason: "confab does not judge llm-rubric"}
	v := New(keys.Default(), themes.New(themes.Default(true)))
	v.SetSize(120, 20)
	v.SetTable(suiterun.Table{Run: history.Run{ID: 3, Suite: "s", Planned: 3},
		Columns: []suiterun.Column{{Name: "alpha"}}, Rows: []suiterun.Row{
			{Prompt: "a", Description: "late parcel", Cells: cell(1, held, skipped)},
			{Prompt: "b", Description: "broken shoe", Cells: cell(2, skipped)},
			{Prompt: "c", Cells: cell(3)},
		}})
	screen := ansi.Strip(strings.Join(v.View(), "\n"))
	for _, want := range []string{"0 of 3 passed", "2 skipped", "1 unchecked", "late parcel", "broken shoe",
		"? 1/2 1.0s",
		"? 0/1 1.0s", "○ 1.0s", "check 2, llm-rubric, skipped: confab does not judge llm-rubric"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not on\n%s", want, screen)
		}
	}
	if strings.Contains(screen, signPassed+" 1") {
		t.Errorf("something passed on\n%s", screen)
	}
}
