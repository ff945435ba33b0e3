package suiterun

import (
	"fmt"
	"testing"

	"confab/history"
)

// TestCohen compares with published examples: tables of how often the first rater said the row and the second one the
// column.
func TestCohen(t *testing.T) {
	for name, example := range map[string]struct {
		table [][]int
		want  string
	}{
		"Cohen 1960, table 1":           {[][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}, "0.492"},
		"50 grant proposals, yes or no": {[][]int{{20, 5}, {10, 15}}, "0.400"},
		"same agreement, other shares":  {[][]int{{25, 35}, {5, 35}}, "0.259"},
		"less than chance":              {[][]int{{0, 5}, {5, 0}}, "-1.000"},
	} {
		var items [][]int
		for i, row := range example.table {
			for j, n := range row {
				for range n {
					items = append(items, []int{i, j})
				}
			}
		}
		if a := agreementOf(items); fmt.Sprintf("%.3f", a.Kappa) != example.want || a.Measure() != "Cohen's kappa" {
			t.Errorf("%s: %+v, want %s", name, a, example.want)
		}
	}
}

// TestFleiss compares with the example that is commonly given with Fleiss 1971: 14 raters put ten subjects into five
// categories; a row has how many chose each.
func TestFleiss(t *testing.T) {
	var items [][]int
	for _, counts := range [][]int{{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
		{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}} {
		var ratings []int
		for category, n := range counts {
			for range n {
				ratings = append(ratings, category)
			}
		}
		items = append(items, ratings)
	}
	if a := agreementOf(items); fmt.Sprintf("%.3f", a.Kappa) != "0.210" || a.Measure() != "Fleiss' kappa" {
		t.Errorf("got %+v, want 0.210", a)
	}
}

func TestAgreementIsNotAlwaysDefined(t *testing.T) {
	for want, items := range map[string][][]string{
		"Agreement: unknown, as there is no pair that all of them voted on blind.": nil,
		"Agreement: all blind votes on 2 pairs are the same.":                      {{"a", "a", "a"}, {"a", "a", "a"}},
		"Agreement: Cohen's kappa 1.00 over the blind votes on 2 pairs (1 is full agreement, 0 that of chance).": {
			{"a", "a"}, {"b", "b"}},
	} {
		if got := agreementOf(items).String(); got != want {
			t.Errorf("%s", got)
		}
	}
}

// TestOnlyBlindVotesAgree counts votes of three people: one voted on a pair after seeing the other votes, and one never
// votes blind.
func TestOnlyBlindVotesAgree(t *testing.T) {
	vote := func(voter string, a, b int64, p history.Preference, isBlind bool) history.Vote {
		return history.Vote{Voter: voter, AnswerA: a, AnswerB: b, ModelA: fmt.Sprint(a), ModelB: fmt.Sprint(b),
			Preference: p, IsBlind: isBlind}
	}
	votes := newVotes([]history.Vote{
		vote("", 1, 2, history.VoteA, true), vote("", 1, 3, history.VoteB, true), vote("", 2, 3, history.VoteA, true),
		vote("ann", 1, 2, history.VoteB, true), vote("ann", 3, 1, history.VoteA, true),
		vote("ann", 2, 3, history.VoteA, true), vote("ann", 1, 2, history.VoteA, false),
		vote("ben", 1, 2, history.VoteBad, false),
	}, 0)
	if a := votes.Agreement; a.Voters != 2 || a.Pairs != 2 || a.Kappa != 1 {
		t.Errorf("agreement %+v", a)
	}
	if got := votes.String(); got != "Voted: you on 3 pairs, ann on 3 pairs (2 blind), ben on 1 pair (0 blind). "+
		"Agreement: Cohen's kappa 1.00 over the blind votes on 2 pairs (1 is full agreement, 0 that of chance)." {
		t.Errorf("says %s", got)
	}
	if got := votes.Answers[1]; got != (history.Tally{Wins: 2, Losses: 2, Bad: 1, N: 5, Blind: 3}) {
		t.Errorf("the first answer has %+v", got)
	}
}
