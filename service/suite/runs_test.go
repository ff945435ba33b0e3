package suite_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"confab/history"
	"confab/service/suite"
)

// storedRuns is a service that only reads runs: 1 and 2 of some cells, whose answers are done, and votes on run 1.
type storedRuns struct {
	suite.Service
	first, second []history.Cell
	votes         []history.Vote
	ratings       map[int64]history.Rating
}

func (s storedRuns) Store(context.Context) (history.Store, error) { return runStore{s: s}, nil }

func (s storedRuns) Answer(_ context.Context, id int64) (history.Answer, error) {
	return history.Answer{ID: id, State: history.Done, Rating: s.ratings[id]}, nil
}

type runStore struct {
	history.Store
	s storedRuns
}

func (r runStore) Run(_ context.Context, id int64) (history.Run, error) {
	return history.Run{ID: id}, nil
}

func (r runStore) Cells(_ context.Context, run, _ int64, _ int) ([]history.Cell, error) {
	return map[int64][]history.Cell{1: r.s.first, 2: r.s.second}[run], nil
}

func (r runStore) Votes(context.Context, int64) ([]history.Vote, int, error) {
	return r.s.votes, 0, nil
}

// changesOf compares run 1 with run 2.
func changesOf(t *testing.T, first, second []history.Cell) []suite.Change {
	t.Helper()
	r := suite.NewRunner(suite.RunnerOptions{Service: storedRuns{first: first, second: second}})
	_, changes, err := r.Compare(t.Context(), 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

func TestPairsCellsByWhatTheySendThenByWhatTheyAsk(t *testing.T) {
	second := []history.Cell{cell(1, "llm:b", 1), cell(2, "llm:a", 2), cell(3, "llm:c", 1)}
	second[1].Key = "the prompt was edited"
	var got []string
	for _, c := range changesOf(t, []history.Cell{cell(1, "llm:a", 1), cell(2, "llm:a", 2), cell(3, "llm:b", 1)},
		second) {
		a, b := 0, 0
		if c.A != nil {
			a = c.A.Number
		}
		if c.B != nil {
			b = c.B.Number
		}
		got = append(got, fmt.Sprintf("%d→%d %v", a, b, c.HasPromptChanged))
	}
	if want := []string{"3→1 false", "2→2 true", "0→3 false", "1→0 false"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOnlyChecksWithAnotherVerdictChanged(t *testing.T) {
	twice := []history.CheckResult{{Name: "same-as x", Verdict: "failed"}, {Name: "same-as x", Verdict: "passed"}}
	for name, tt := range map[string]struct {
		a, b []history.CheckResult
		want []suite.CheckChange
	}{
		"other verdicts": {
			[]history.CheckResult{{Name: "x", Verdict: "passed"}, {Name: "y", Verdict: "passed"},
				{Name: "gone", Verdict: "failed"}},
			[]history.CheckResult{{Name: "x", Verdict: "passed"}, {Name: "y", Verdict: "failed"},
				{Name: "new", Verdict: "skipped"}},
			[]suite.CheckChange{{"y", "passed", "failed"}, {"gone", "failed", ""}, {"new", "", "skipped"}}},
		"a check twice with other verdicts": {twice, twice, nil},
		"the second of two": {twice, []history.CheckResult{twice[0], {Name: "same-as x", Verdict: "skipped"}},
			[]suite.CheckChange{{"same-as x", "passed", "skipped"}}},
	} {
		first, second := []history.Cell{cell(1, "llm:a", 1)}, []history.Cell{cell(1, "llm:a", 1)}
		first[0].Checks, second[0].Checks = tt.a, tt.b
		if got := changesOf(t, first, second)[0].Checks; !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}
