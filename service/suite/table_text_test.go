package suite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/service/suite"
)

// changeOf returns a cell of both runs with a similarity of the texts and a number of newly failed checks.
func changeOf(similarity float64, fallen int) suite.Change {
	cell := func() *history.Cell {
		return &history.Cell{Provider: "llm:alpha", Model: "alpha", State: history.Done, IsJudged: true,
			Elapsed: time.Second}
	}
	c := suite.Change{A: cell(), B: cell(), HasAnswerChanged: true, Similarity: similarity}
	for i := range fallen {
		c.Checks = append(c.Checks, suite.CheckChange{Name: fmt.Sprint("check-", i), A: "passed", B: "failed"})
	}
	return c
}

// TestAnotherTextIsNeverSimilarByOne checks that a difference never shows as 1, which means the same text.
func TestAnotherTextIsNeverSimilarByOne(t *testing.T) {
	for _, share := range []float64{0.999, 1} {
		c := changeOf(share, 0)
		got := suite.NewComparison([]suite.Change{c}).Cell(0, 0).Facts(1, 2)
		if !strings.Contains(got, "99 % same wording;") {
			t.Errorf("%v: %s", share, got)
		}
	}
}

// TestManyChecksAreCounted checks that checks are counted from the fifth on.
func TestManyChecksAreCounted(t *testing.T) {
	for fallen, want := range map[int]string{4: "✗ check-3;", 5: "✗ check-2; 2 more checks"} {
		c := changeOf(0.5, fallen)
		got := suite.NewComparison([]suite.Change{c}).Cell(0, 0).Facts(1, 2)
		if !strings.Contains(got, want) || strings.Contains(got, "check-4") {
			t.Errorf("%d checks: %s", fallen, got)
		}
	}
}

// TestReusedTimesAreNotCompared checks that times not measured in the run are left out.
func TestReusedTimesAreNotCompared(t *testing.T) {
	for _, isCached := range []bool{false, true} {
		c := changeOf(0.5, 0)
		c.B.IsCached = isCached
		got := suite.NewComparison([]suite.Change{c}).Total.Summary()
		if strings.Contains(got, "median") == isCached {
			t.Errorf("reused: %v: %s", isCached, got)
		}
	}
}

// TestACellThatIsGoneIsInTheRowOfItsValues checks this for any number of the test.
func TestACellThatIsGoneIsInTheRowOfItsValues(t *testing.T) {
	stays, gone := changeOf(0.5, 0), changeOf(0.5, 0)
	stays.A.TestIndex, stays.B.TestIndex = 4, 1
	gone.B, gone.A.Model, gone.A.Provider, gone.A.TestIndex = nil, "beta", "llm:beta", 4
	if c := suite.NewComparison([]suite.Change{stays, gone}); len(c.Rows) != 1 || len(c.Columns) != 2 {
		t.Errorf("rows %q, columns %q", c.Rows, c.Columns)
	}
}

// TestCellsSayWhatTotalsCount checks that a cell has the words by which the totals count it, and that more or fewer
// failed checks of a question that still fails are counted.
func TestCellsSayWhatTotalsCount(t *testing.T) {
	check := func(verdict string) history.CheckResult {
		return history.CheckResult{Name: "is-json", Verdict: verdict}
	}
	type checks = []history.CheckResult
	passed, failed := check("passed"), check("failed")
	for _, tt := range []struct {
		a, b   checks
		end    history.State
		text   string
		tone   suite.Tone
		counts string
	}{
		{checks{passed}, checks{failed}, history.Done, "≠ now fails", suite.ToneBad, "1 now fails"},
		{checks{failed}, checks{passed}, history.Done, "≠ now passes", suite.ToneGood, "1 now passes"},
		{checks{failed, passed}, checks{failed, failed}, history.Done, "≠ fails more    1/2 → 0/2",
			suite.ToneBad, "1 fails more"},
		{checks{failed, failed, failed}, checks{failed, passed, passed}, history.Done,
			"≠ fails less    0/3 → 2/3", suite.ToneGood, "1 fails less"},
		{checks{passed}, checks{passed}, history.Failed, "≠ inconclusive  passed → error", suite.TonePlain,
			"1 inconclusive"},
		{checks{passed}, nil, history.Done, "≠ unchecked     passed before", suite.TonePlain, "1 unchecked"},
		{nil, checks{passed}, history.Done, "≠ unchecked     passed now", suite.TonePlain, "1 unchecked"},
		{checks{passed}, checks{passed}, history.Done, "≠ still passes", suite.TonePlain, "1 as before"},
	} {
		c := changeOf(0.5, 0)
		c.A.Checks, c.B.Checks, c.B.State = tt.a, tt.b, tt.end
		for i := range min(len(tt.a), len(tt.b)) {
			if tt.a[i] != tt.b[i] {
				c.Checks = append(c.Checks, suite.CheckChange{Name: "is-json", A: tt.a[i].Verdict, B: tt.b[i].Verdict})
			}
		}
		got := suite.NewComparison([]suite.Change{c})
		if cell := got.Cell(0, 0); cell.Text(30, suite.CellState{}) != tt.text || cell.Tone() != tt.tone ||
			got.Total.Counts() != tt.counts {
			t.Errorf("%v → %v: %q in tone %d, %q; want %q in tone %d, %q", tt.a, tt.b,
				cell.Text(30, suite.CellState{}), cell.Tone(), got.Total.Counts(), tt.text, tt.tone, tt.counts)
		}
	}
}

// TestAReusedAnswerIsNotGreen checks that it is not shown as one that passed in this run.
func TestAReusedAnswerIsNotGreen(t *testing.T) {
	passed := []history.CheckResult{{Name: "is-json", Verdict: "passed"}}
	for _, cached := range []bool{false, true} {
		want := suite.ToneGood
		if cached {
			want = suite.TonePlain
		}
		cell := history.Cell{State: history.Done, IsJudged: true, Checks: passed, IsCached: cached}
		if got := resultsOf(1, cell).CellAt(0, 0).Tone(); got != want {
			t.Errorf("reused: %v: tone %d, want %d", cached, got, want)
		}
	}
}

func resultsOf(planned int, cells ...history.Cell) *suite.Results {
	for i := range cells {
		cells[i].Provider = "llm:alpha"
	}
	return suite.NewResults(suite.Table{Run: history.Run{Planned: planned},
		Columns: []suite.Column{{Name: "alpha"}},
		Rows: []suite.Row{{Point: suite.Point{Name: "1", Prompt: "Say hello"},
			Cells: [][]history.Cell{cells}}}}, nil)
}

// TestCellsThatWereNotAskedForAreMissing checks cells that the history does not have.
func TestCellsThatWereNotAskedForAreMissing(t *testing.T) {
	r := resultsOf(5, history.Cell{State: history.Done}, history.Cell{State: history.Failed})
	if r.Total.Cells != 5 || r.Total.Missing != 3 || r.Unanswered() != 4 {
		t.Errorf("%d cells, %d missing, %d without an answer", r.Total.Cells, r.Total.Missing, r.Unanswered())
	}
}

// TestTokensHaveARow checks that tokens are shown if a service counts them.
func TestTokensHaveARow(t *testing.T) {
	hasRow := func(r *suite.Results) bool {
		return slices.ContainsFunc(r.Totals, func(t suite.TotalsRow) bool { return t.Labels[0] == "tokens in → out" })
	}
	usage := chat.Usage{InputTokens: 12, OutputTokens: 12}
	if !hasRow(resultsOf(1, history.Cell{State: history.Done, Usage: usage})) ||
		hasRow(resultsOf(1, history.Cell{State: history.Done})) {
		t.Error("the row is missing, or empty")
	}
}

// TestTheHeadingNamesVariables checks variables that every row has.
func TestTheHeadingNamesVariables(t *testing.T) {
	row := func(vars map[string]string) suite.Row { return suite.Row{Point: suite.Point{Name: "1", Vars: vars}} }
	fox, owl := map[string]string{"animal": "fox"}, map[string]string{"animal": "owl"}
	for _, tt := range []struct {
		rows []suite.Row
		want string
	}{{[]suite.Row{row(fox), row(owl)}, "animal"}, {[]suite.Row{row(fox), row(owl), row(nil)}, "prompt"}} {
		if got := suite.NewResults(suite.Table{Rows: tt.rows}, nil).Heading; got != tt.want {
			t.Errorf("the heading is %q, want %q", got, tt.want)
		}
	}
}

// TestEndingsAreMarked checks that cut, refused, filtered and empty answers have not passed, whatever their checks.
func TestEndingsAreMarked(t *testing.T) {
	skipped := []history.CheckResult{{Name: "is-json", Verdict: "skipped"}}
	for want, cells := range map[string][]history.Cell{
		"? cut 0.0 s":   {{State: history.Done, IsJudged: true, Ending: history.EndsCut}},
		"? empty 0.0 s": {{State: history.Done, IsJudged: true, Checks: skipped, Ending: history.EndsEmpty}},
		"? 0/2 1 refused ×2 0.0 s": {{State: history.Done, IsJudged: true, Checks: skipped, Ending: history.EndsRefused,
			IsCached: true}, {State: history.Done, IsJudged: true}},
	} {
		cell := resultsOf(len(cells), cells...).CellAt(0, 0)
		if got := cell.Text(30, suite.CellState{}); got != want || cell.Tone() != suite.ToneWarning {
			t.Errorf("%q in tone %d, want %q", got, cell.Tone(), want)
		}
	}
}

// TestEarlierVerdictsAreSaid checks one sample and several.
func TestEarlierVerdictsAreSaid(t *testing.T) {
	verdict := func(s string) []history.CheckResult { return []history.CheckResult{{Name: "contains", Verdict: s}} }
	for samples, want := range map[int]string{1: "; judged before: failed", 2: "; sample 2 judged before: failed"} {
		var cells []history.Cell
		for i := range samples {
			cells = append(cells, history.Cell{ID: int64(i + 1), Number: i + 1, Repeat: i + 1, Row: 1, Column: 1,
				Provider: "llm:alpha", Model: "alpha", State: history.Done, IsJudged: true, Checks: verdict("passed")})
		}
		cells[samples-1].EarlierChecks = [][]history.CheckResult{verdict("failed")}
		table := suite.NewResults(suite.NewTable(history.Run{}, cells), nil)
		if got := table.CellFacts(0, 0, suite.CellState{}); !strings.Contains(got, want) {
			t.Errorf("%d samples: %s", samples, got)
		}
	}
}
