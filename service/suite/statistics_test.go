package suite_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/service/suite"
)

// TestMcNemarIsExact compares with values computed by hand from binomial coefficients.
func TestMcNemarIsExact(t *testing.T) {
	for _, tt := range []struct {
		better, worse int
		want          float64
	}{{0, 0, 1}, {1, 0, 1}, {4, 1, 0.375}, {1, 4, 0.375}, {5, 5, 1}, {6, 0, 0.03125}, {10, 2, 0.03857421875},
		{3000, 3000, 1}} {
		if got := suite.McNemar(tt.better, tt.worse); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%d better, %d worse: %v, want %v", tt.better, tt.worse, got, tt.want)
		}
	}
}

func TestRatesHaveIntervals(t *testing.T) {
	for want, n := range map[string][2]int{"": {0, 0}, "60 % (39–78 %)": {12, 20}, "0 % (0–79 %)": {0, 1},
		"100 % (72–100 %)": {10, 10}} {
		if got := suite.Rate(n[0], n[1]); got != want {
			t.Errorf("%d of %d: %q, want %q", n[0], n[1], got, want)
		}
	}
}

func TestStatusOfAnswers(t *testing.T) {
	for _, tt := range []struct {
		state    history.State
		ending   history.Ending
		verdicts []string
		want     string
	}{
		{history.Done, "", []string{"passed", "passed"}, "passed"},
		{history.Done, "", []string{"passed", "skipped"}, "inconclusive: skipped"},
		{history.Done, "", nil, "unchecked"},
		{history.Done, history.EndsCut, []string{"passed"}, "inconclusive: cut"},
		{history.Done, history.EndsFiltered, []string{"passed"}, "inconclusive: filtered"},
		{history.Done, history.EndsEmpty, nil, "inconclusive: empty"},
		{history.Done, history.EndsRefused, []string{"skipped"}, "inconclusive: refused"},
		{history.Done, history.EndsRefused, []string{"passed"}, "passed"}, // by is-refusal
		{history.Done, history.EndsCut, []string{"passed", "failed"}, "failed"},
		{history.Failed, "", []string{"passed"}, "inconclusive: error"},
		{history.Cancelled, "", []string{"passed"}, "missing"},
		{"", "", nil, "missing"},
	} {
		if got := history.StatusOf(tt.state, tt.ending, checks(tt.verdicts...)).String(); got != tt.want {
			t.Errorf("%s %s with checks %v: %s, want %s", tt.state, tt.ending, tt.verdicts, got, tt.want)
		}
	}
}

// TestTwoRunsAreTested compares runs of 24 questions, and of questions with samples.
func TestTwoRunsAreTested(t *testing.T) {
	run := func(samples int, verdicts ...string) (cells []history.Cell) {
		for i, v := range verdicts {
			c := done(1e9, v)
			c.Checks[0].Name = "contains a"
			if v == "" {
				c.Checks, c.State = nil, history.Failed
			}
			c.Prompt, c.TestIndex, c.Repeat = fmt.Sprint(i/samples), i/samples, i%samples+1
			c.Key, c.ID, c.Answer = fmt.Sprint(i), int64(i+1), int64(i+1)
			cells = append(cells, c)
		}
		return cells
	}
	all := func(n int, verdict string) []string { return slices.Repeat([]string{verdict}, n) }
	first := run(1, slices.Concat(all(4, "failed"), all(20, "passed"), []string{"passed"})...)
	second := run(1, slices.Concat(all(4, "passed"), all(1, "failed"), all(19, "passed"), []string{""})...)
	c := suite.NewComparison(changesOf(t, first, second))
	if got := c.Total.Pairs.String(); got != "1 now fails, 4 now pass, 19 as before, "+
		"1 inconclusive: could be chance (p = 0.38)" {
		t.Errorf("the runs are %q", got)
	}
	if got := c.Report(); len(got) != 2 || got[1] !=
		"check needs a: 1 now fails, 4 now pass, 19 as before: could be chance (p = 0.38)" {
		t.Errorf("by check: %q", got)
	}
	// Two of five samples are no better than two of five.
	c = suite.NewComparison(changesOf(t, run(5, "passed", "passed", "failed", "failed", "failed"),
		run(5, "failed", "failed", "failed", "passed", "passed")))
	if c.Total.Pairs != (suite.Pairs{Same: 1}) || len(c.Flaky) != 1 ||
		c.Flaky[0] != "0, : passes in 2 of 5 samples" {
		t.Errorf("with samples: %+v, flaky %q", c.Total.Pairs, c.Flaky)
	}
	c = suite.NewComparison(changesOf(t, run(1, all(11, "failed")...), run(1, all(11, "passed")...)))
	if got := c.Total.Pairs.String(); got != "11 now pass: hardly chance (p < 0.001)" {
		t.Errorf("the runs are %q", got)
	}
	// A check that rose does not make an inconclusive answer green.
	a, b := run(1, "failed"), run(1, "passed")
	b[0].Ending = history.EndsCut
	if tone := suite.NewComparison(changesOf(t, a, b)).CellAt(0, 0).Tone(); tone == suite.ToneGood {
		t.Error("a cut answer is green in the comparison")
	}
}

// TestGradersAreComparedWithThePerson computes kappa by hand: they agree on 3 of 4, and would by chance on half.
func TestGradersAreComparedWithThePerson(t *testing.T) {
	var cells []history.Cell
	ratings := map[int64]history.Rating{}
	for i, tt := range []struct {
		isPass  bool
		problem string
		rating  history.Rating
	}{{true, "", history.Good}, {true, "", history.Good}, {false, "", history.Bad}, {false, "", history.Good},
		{true, "", 0}, {true, "no verdict", history.Bad}} {
		c := done(1e9, "passed")
		c.Checks[0].Grade = &history.Grade{Model: "delta", IsPass: tt.isPass, Problem: tt.problem}
		c.ID, c.Answer, ratings[int64(i+1)] = int64(i+1), int64(i+1), tt.rating
		cells = append(cells, c)
	}
	votes, err := suite.NewRunner(suite.RunnerOptions{Service: storedRuns{first: cells, ratings: ratings}}).Votes(
		t.Context(), suite.VoteScope{Run: 1})
	const want = "Agreement of the grader with your ratings (Cohen's kappa): delta 0.50 on 4 answers."
	if err != nil || votes.Grader != want {
		t.Errorf("got %q, %v", votes.Grader, err)
	}
}

// TestUncheckedIsNotInconclusive counts what nothing checked apart from what was not answered as requested, and puts
// rows that got worse first.
func TestUncheckedIsNotInconclusive(t *testing.T) {
	first, second := []history.Cell{}, []history.Cell{}
	for i, verdicts := range [][2]string{{"", ""}, {"failed", "passed"}, {"passed", "failed"}, {"skipped", "passed"}} {
		for run, cells := range []*[]history.Cell{&first, &second} {
			c := done(1e9, verdicts[run])
			if verdicts[run] == "" {
				c.Checks = nil
			}
			c.Prompt, c.Key, c.ID, c.Answer, c.TestIndex = fmt.Sprint(i), fmt.Sprint(i), int64(i+1), int64(i+1), i
			*cells = append(*cells, c)
		}
	}
	c := suite.NewComparison(changesOf(t, first, second))
	if got := c.Total.Counts(); got != "1 now fails, 1 now passes, 1 unchecked, 1 inconclusive" {
		t.Errorf("the runs are %q", got)
	}
	for row, want := range []string{"now fails", "now passes"} {
		if got := c.Cell(row, 0).Text(40, suite.CellState{}); !strings.Contains(got, want) {
			t.Errorf("row %d is %q, want what is %s", row+1, got, want)
		}
	}
}
