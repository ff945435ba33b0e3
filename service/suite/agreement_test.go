package suite_test

import (
	"fmt"
	"math"
	"testing"

	"confab/history"
	"confab/service/suite"
)

// votesOn returns the counted votes of a run.
func votesOn(t *testing.T, votes []history.Vote) suite.Votes {
	t.Helper()
	r := suite.NewRunner(suite.RunnerOptions{Service: storedRuns{votes: votes}})
	all, err := r.Votes(t.Context(), suite.VoteScope{Run: 1})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// agreementOn returns the agreement of the reader and ann, who gave these votes on the pairs.
func agreementOn(t *testing.T, pairs [][2]history.Preference) suite.Agreement {
	t.Helper()
	votes := []history.Vote{{Voter: "", AnswerA: 1, AnswerB: 2, Preference: history.VoteA, IsBlind: true},
		{Voter: "ann", AnswerA: 3, AnswerB: 4, Preference: history.VoteA, IsBlind: true}}
	for i, said := range pairs {
		for j, voter := range []string{"", "ann"} {
			votes = append(votes, history.Vote{Voter: voter, AnswerA: int64(5 + 2*i), AnswerB: int64(6 + 2*i),
				Preference: said[j], IsBlind: true})
		}
	}
	return votesOn(t, votes).Agreement
}

// TestCohen uses published examples: tables of the counts of pairs of ratings.
func TestCohen(t *testing.T) {
	words := []history.Preference{history.VoteA, history.VoteB, history.VoteBad}
	for name, example := range map[string]struct {
		table [][]int
		want  string
	}{
		"Cohen 1960, table 1":           {[][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}, "0.492"},
		"50 grant proposals, yes or no": {[][]int{{20, 5}, {10, 15}}, "0.400"},
		"same agreement, other shares":  {[][]int{{25, 35}, {5, 35}}, "0.259"},
		"less than chance":              {[][]int{{0, 5}, {5, 0}}, "-1.000"},
	} {
		var pairs [][2]history.Preference
		for i, row := range example.table {
			for j, n := range row {
				for range n {
					pairs = append(pairs, [2]history.Preference{words[i], words[j]})
				}
			}
		}
		if a := agreementOn(t, pairs); fmt.Sprintf("%.3f", *a.Kappa) != example.want {
			t.Errorf("%s: %+v, want %s", name, a, example.want)
		}
	}
}

func TestAgreementIsNotAlwaysDefined(t *testing.T) {
	const kappa = "Agreement of blind votes (Cohen's kappa, 1 is full, 0 that of chance): "
	same := [2]history.Preference{history.VoteA, history.VoteA}
	other := [2]history.Preference{history.VoteB, history.VoteB}
	for want, pairs := range map[string][][2]history.Preference{
		"Nobody voted blind on a pair that another one voted on blind.": nil,
		"All blind votes on 2 pairs are the same.":                      {same, same},
		kappa + "1.00 on 2 pairs.":                                      {same, other},
		kappa + "0.00 on 2 pairs.":                                      {same, {history.VoteA, history.VoteB}},
	} {
		if got := agreementOn(t, pairs).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := votesOn(t, []history.Vote{{AnswerA: 1, AnswerB: 2, Preference: history.VoteA, IsBlind: true}}); got.
		Agreement.String() != "" {
		t.Errorf("one person agrees: %s", got.Agreement)
	}
}

// TestOnlyBlindVotesAgree counts the votes of three people: one saw other votes on a pair, and one never votes blind.
func TestOnlyBlindVotesAgree(t *testing.T) {
	vote := func(voter string, a, b int64, p history.Preference, isBlind bool) history.Vote {
		return history.Vote{Voter: voter, AnswerA: a, AnswerB: b, A: history.VotedAnswer{Model: fmt.Sprint(a)},
			B: history.VotedAnswer{Model: fmt.Sprint(b)}, Preference: p, IsBlind: isBlind}
	}
	votes := votesOn(t, []history.Vote{
		vote("", 1, 2, history.VoteA, true), vote("", 1, 3, history.VoteB, true), vote("", 2, 3, history.VoteA, true),
		vote("ann", 1, 2, history.VoteB, true), vote("ann", 3, 1, history.VoteA, true),
		vote("ann", 2, 3, history.VoteA, true), vote("ann", 1, 2, history.VoteA, false),
		vote("ben", 1, 2, history.VoteBad, false),
	})
	if got := votes.String(); got != "Votes: you on 3 pairs, ann on 3 pairs (2 blind), ben on 1 pair (0 blind). "+
		"Agreement of blind votes (Cohen's kappa, 1 is full, 0 that of chance): 1.00 on 2 pairs." {
		t.Errorf("says %s", got)
	}
	if got := votes.Answers[1]; got != (history.Tally{Wins: 2, Losses: 2, Bad: 1, N: 5, Blind: 3}) {
		t.Errorf("the first answer has %+v", got)
	}
}

// TestThreeVotersHaveOneKappa pools the kappas of each two: by chance they agree on half of the pairs, and they agree
// on 4 of 4, on 2 of 4 and on 2 of 4.
func TestThreeVotersHaveOneKappa(t *testing.T) {
	var votes []history.Vote
	for voter, said := range map[string]string{"": "aabb", "ann": "aabb", "ben": "abab"} {
		for i, preference := range said {
			votes = append(votes, history.Vote{Voter: voter, AnswerA: int64(2*i + 1), AnswerB: int64(2*i + 2),
				Preference: history.Preference(preference), IsBlind: true})
		}
	}
	got := votesOn(t, votes).Agreement
	if got.Voters != 3 || got.Pairs != 12 || math.Abs(*got.Kappa-1.0/3) > 1e-9 {
		t.Errorf("got %+v, %v", got, *got.Kappa)
	}
}
