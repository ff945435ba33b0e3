package suite

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/format"
)

// Votes are the votes on a run that the reader may see: each voter's newest vote on each pair of answers.
type Votes struct {
	Wins       history.Wins
	Answers    map[int64]history.Tally // by answer
	Voters     []Voter                 // the reader first, then by name
	Hidden     int                     // number of others' votes on pairs without a vote of the reader
	Agreements []Agreement             // of each two voters with blind votes
}

// Voter is a person with the number of pairs that they voted on, and the number of blind ones among these.
type Voter struct {
	Name  string `json:"name,omitempty"` // empty for the reader
	Pairs int    `json:"pairs"`
	Blind int    `json:"blind"`
}

// Votes returns the votes on a run.
func (r *Runner) Votes(ctx context.Context, run int64) (Votes, error) {
	if _, err := r.Run(ctx, run); err != nil {
		return Votes{}, err
	}
	hidden := 0
	votes, err := read(ctx, r, func(store history.Store) (votes []history.Vote, err error) {
		votes, hidden, err = store.RunVotes(ctx, run)
		return votes, err
	})
	if err != nil {
		return Votes{}, err
	}
	return newVotes(votes, hidden), nil
}

// newVotes counts votes in the order of their time.
func newVotes(votes []history.Vote, hidden int) Votes {
	all := Votes{Hidden: hidden, Answers: map[int64]history.Tally{}, Wins: history.WinsOf(votes)}
	newest := map[string]map[[2]int64]history.Vote{} // by voter and pair of answers
	voters := map[string]Voter{}
	for _, v := range history.NewestVotes(votes) {
		a, b := v.Tallies()
		all.Answers[v.AnswerA] = all.Answers[v.AnswerA].Plus(a)
		all.Answers[v.AnswerB] = all.Answers[v.AnswerB].Plus(b)
		if newest[v.Voter] == nil {
			newest[v.Voter] = map[[2]int64]history.Vote{}
		}
		newest[v.Voter][[2]int64{v.AnswerA, v.AnswerB}] = v
		voters[v.Voter] = Voter{v.Voter, voters[v.Voter].Pairs + 1, voters[v.Voter].Blind + a.Blind}
	}
	for _, name := range slices.Sorted(maps.Keys(voters)) {
		all.Voters = append(all.Voters, voters[name])
	}
	all.Agreements = all.agreements(newest)
	return all
}

// agreements returns the agreement of each two blind voters.
func (v Votes) agreements(newest map[string]map[[2]int64]history.Vote) (all []Agreement) {
	voters := slices.DeleteFunc(slices.Clone(v.Voters), func(voter Voter) bool { return voter.Blind == 0 })
	for i, first := range voters {
		for _, second := range voters[i+1:] {
			var items [][2]history.Preference
			for pair, a := range newest[first.Name] {
				if b := newest[second.Name][pair]; a.IsBlind && b.IsBlind {
					items = append(items, [2]history.Preference{a.Preference, b.Preference})
				}
			}
			agreement := Agreement{A: first.Name, B: second.Name, Pairs: len(items)}
			agreement.Kappa, agreement.IsDefined = kappa(items)
			all = append(all, agreement)
		}
	}
	return all
}

// Summary returns the wins of each contestant and [Votes.String]; it is empty without votes.
func (v Votes) Summary() string {
	var wins []string
	for _, c := range v.Wins.Contestants {
		wins = append(wins, fmt.Sprintf("%s won %d and lost %d of %s", c.Name(), c.Wins, c.Losses,
			format.Count(c.N, "pair")))
	}
	if len(wins) == 0 {
		return v.String()
	}
	return "Votes: " + strings.Join(wins, ", ") + ". " + v.String()
}

// String returns the voters, their agreement and the number of hidden votes in sentences.
func (v Votes) String() string {
	var voters []string
	for _, voter := range v.Voters {
		text := cmp.Or(voter.Name, "you") + " on " + format.Count(voter.Pairs, "pair")
		if voter.Blind < voter.Pairs {
			text += fmt.Sprintf(" (%d blind)", voter.Blind)
		}
		voters = append(voters, text)
	}
	var sentences []string
	if len(voters) > 0 {
		sentences = append(sentences, "Voted: "+strings.Join(voters, ", ")+".")
	}
	var agreements []string
	for _, a := range v.Agreements {
		agreements = append(agreements, a.String())
	}
	if len(agreements) > 0 {
		sentences = append(sentences, "Agreement of blind votes (Cohen's kappa, 1 is full, 0 that of chance): "+
			strings.Join(agreements, ", ")+".")
	}
	if v.Hidden > 0 {
		sentences = append(sentences, format.Several(v.Hidden, "vote", "votes")+
			" of others are hidden until you have voted on the same answers.")
	}
	return strings.Join(sentences, " ")
}

// Agreement is the agreement of two voters' blind votes beyond chance.
type Agreement struct {
	A, B      string  // the voters; empty for the reader
	Pairs     int     // pairs of answers on which both voted blind
	Kappa     float64 // Cohen's: 1 for full agreement, 0 for chance
	IsDefined bool    // false without pairs, and if all votes are the same
}

// String returns the agreement in a clause.
func (a Agreement) String() string {
	names := cmp.Or(a.A, "you") + " and " + cmp.Or(a.B, "you")
	switch {
	case a.Pairs == 0:
		return names + " voted blind on no pair both"
	case !a.IsDefined:
		return fmt.Sprintf("%s said the same of all of %s", names, format.Count(a.Pairs, "pair"))
	}
	return fmt.Sprintf("%s %.2f on %s", names, a.Kappa, format.Count(a.Pairs, "pair"))
}
