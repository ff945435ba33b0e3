package suite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/service/suite"
)

// votesOn returns the votes on the cells of a run.
func votesOn(t *testing.T, cells []history.Cell, votes []history.Vote) suite.Votes {
	t.Helper()
	r := suite.NewRunner(suite.RunnerOptions{Service: storedRuns{first: cells, votes: votes}})
	all, err := r.Votes(t.Context(), 1)
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
	all := votesOn(t, nil, votes)
	if len(all.Agreements) != 1 {
		t.Fatalf("got %+v", all.Agreements)
	}
	return all.Agreements[0]
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
		if a := agreementOn(t, pairs); fmt.Sprintf("%.3f", a.Kappa) != example.want {
			t.Errorf("%s: %+v, want %s", name, a, example.want)
		}
	}
}

func TestAgreementIsNotAlwaysDefined(t *testing.T) {
	for want, pairs := range map[string][][2]history.Preference{
		"you and ann voted blind on no pair both":     nil,
		"you and ann said the same of all of 2 pairs": {{history.VoteA, history.VoteA}, {history.VoteA, history.VoteA}},
		"you and ann 1.00 on 2 pairs":                 {{history.VoteA, history.VoteA}, {history.VoteB, history.VoteB}},
	} {
		if got := agreementOn(t, pairs).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestLabelsOfOneModelAreToldApart checks the wins of a run and their summary.
func TestLabelsOfOneModelAreToldApart(t *testing.T) {
	cold, hot, b := history.Contestant{Model: "a", Label: "cold"}, history.Contestant{Model: "a", Label: "hot"},
		history.Contestant{Model: "b"}
	votes := votesOn(t, nil, []history.Vote{
		{AnswerA: 1, AnswerB: 2, A: cold, B: hot, Preference: history.VoteB},
		{AnswerA: 3, AnswerB: 1, A: b, B: cold, Preference: history.VoteBad},
	})
	want := []history.ContestantWins{
		{Contestant: cold, Tally: history.Tally{Losses: 1, Bad: 1, N: 2}},
		{Contestant: hot, Tally: history.Tally{Wins: 1, N: 1}}, {Contestant: b, Tally: history.Tally{Bad: 1, N: 1}}}
	if !slices.Equal(votes.Wins.Contestants, want) {
		t.Errorf("got %+v", votes.Wins.Contestants)
	}
	if got := votes.Summary(); !strings.HasPrefix(got, "Votes: cold (a) won 0 and lost 1 of 2 pairs, hot (a) won 1 ") {
		t.Errorf("says %s", got)
	}
}

// TestOnlyBlindVotesAgree counts the votes of three people: one saw other votes on a pair, and one never votes blind.
func TestOnlyBlindVotesAgree(t *testing.T) {
	vote := func(voter string, a, b int64, p history.Preference, isBlind bool) history.Vote {
		return history.Vote{Voter: voter, AnswerA: a, AnswerB: b, A: history.Contestant{Model: fmt.Sprint(a)},
			B: history.Contestant{Model: fmt.Sprint(b)}, Preference: p, IsBlind: isBlind}
	}
	votes := votesOn(t, nil, []history.Vote{
		vote("", 1, 2, history.VoteA, true), vote("", 1, 3, history.VoteB, true), vote("", 2, 3, history.VoteA, true),
		vote("ann", 1, 2, history.VoteB, true), vote("ann", 3, 1, history.VoteA, true),
		vote("ann", 2, 3, history.VoteA, true), vote("ann", 1, 2, history.VoteA, false),
		vote("ben", 1, 2, history.VoteBad, false),
	})
	if a := votes.Agreements; len(a) != 1 || a[0].Pairs != 2 || a[0].Kappa != 1 {
		t.Errorf("agreements %+v", a)
	}
	if got := votes.String(); got != "Voted: you on 3 pairs, ann on 3 pairs (2 blind), ben on 1 pair (0 blind). "+
		"Agreement of blind votes (Cohen's kappa, 1 is full, 0 that of chance): you and ann 1.00 on 2 pairs." {
		t.Errorf("says %s", got)
	}
	if got := votes.Answers[1]; got != (history.Tally{Wins: 2, Losses: 2, Bad: 1, N: 5, Blind: 3}) {
		t.Errorf("the first answer has %+v", got)
	}
}
