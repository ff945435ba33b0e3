package suiterun

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/format"
)

// Votes are the votes on a run that its reader may know: the newest of each voter on each pair of answers.
type Votes struct {
	Wins      history.Wins
	Answers   map[int64]history.Tally // by answer
	Voters    []Voter                 // the reader first, then by name
	Hidden    int                     // votes of others on pairs that the reader has not voted on
	Agreement Agreement               // of blind votes, by those who gave any
}

// Voter is a person with the number of pairs that they voted on, and on how many of those blind.
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
	return newVotes(votes, hidden), err
}

// answerPair is two answers, the older one first.
type answerPair [2]int64

// newVotes counts votes, which are in the order in which they were given.
func newVotes(votes []history.Vote, hidden int) Votes {
	newest := map[string]map[answerPair]history.Vote{} // by voter
	for _, v := range votes {
		if v.AnswerA > v.AnswerB {
			v = v.Swapped()
		}
		if newest[v.Voter] == nil {
			newest[v.Voter] = map[answerPair]history.Vote{}
		}
		newest[v.Voter][answerPair{v.AnswerA, v.AnswerB}] = v
	}
	all := Votes{Hidden: hidden, Answers: map[int64]history.Tally{}}
	var counts []history.VoteCount
	for name, own := range newest {
		voter := Voter{Name: name, Pairs: len(own)}
		for _, v := range own {
			count := history.VoteCount{ModelA: v.ModelA, ModelB: v.ModelB, Preference: v.Preference, N: 1}
			if v.IsBlind {
				voter.Blind++
				count.Blind = 1
			}
			if v.ModelA != v.ModelB {
				counts = append(counts, count)
			}
			a, b := count.Tallies()
			all.Answers[v.AnswerA] = all.Answers[v.AnswerA].Plus(a)
			all.Answers[v.AnswerB] = all.Answers[v.AnswerB].Plus(b)
		}
		all.Voters = append(all.Voters, voter)
	}
	slices.SortFunc(all.Voters, func(a, b Voter) int { return cmp.Compare(a.Name, b.Name) })
	all.Wins, all.Agreement = history.WinsOf(counts), agreementOf(all.commonRatings(newest))
	return all
}

// commonRatings returns the preferences on each pair that everybody who voted blind on any voted on blind, in the order
// of the voters.
func (v Votes) commonRatings(newest map[string]map[answerPair]history.Vote) (common [][]history.Preference) {
	ratings, raters := map[answerPair][]history.Preference{}, 0
	for _, voter := range v.Voters {
		raters += min(voter.Blind, 1)
		for pair, vote := range newest[voter.Name] {
			if vote.IsBlind {
				ratings[pair] = append(ratings[pair], vote.Preference)
			}
		}
	}
	for _, r := range ratings {
		if len(r) == raters {
			common = append(common, r)
		}
	}
	return common
}

// Summary says what [Votes.String] does after the wins of each model; it is empty where there are no votes.
func (v Votes) Summary() string {
	var models []string
	for _, m := range v.Wins.Models {
		models = append(models, fmt.Sprintf("%s won %d and lost %d of %s", m.Model, m.Wins, m.Losses,
			format.Count(m.N, "pair")))
	}
	if len(models) == 0 {
		return v.String()
	}
	return "Votes: " + strings.Join(models, ", ") + ". " + v.String()
}

// String says who voted, how far they agree and what is hidden, in sentences.
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
	if text := v.Agreement.String(); text != "" && len(v.Voters) > 1 {
		sentences = append(sentences, text)
	}
	if v.Hidden > 0 {
		sentences = append(sentences, format.Several(v.Hidden, "vote", "votes")+
			" of others are hidden until you have voted on the same answers.")
	}
	return strings.Join(sentences, " ")
}

// Agreement is how far voters agree beyond what chance would give: Cohen's kappa of two, Fleiss' kappa of more.
type Agreement struct {
	Voters, Pairs int     // pairs of answers on which all of them voted
	Kappa         float64 // 1 for full agreement, 0 for that of chance
	IsDefined     bool    // false without pairs, and where all votes are the same
}

// Measure names the measure.
func (a Agreement) Measure() string {
	if a.Voters > 2 {
		return "Fleiss' kappa"
	}
	return "Cohen's kappa"
}

// String says the agreement in a sentence.
func (a Agreement) String() string {
	switch {
	case a.Pairs == 0:
		return "Agreement: unknown, as there is no pair that all of them voted on blind."
	case !a.IsDefined:
		return fmt.Sprintf("Agreement: all blind votes on %s are the same.", format.Count(a.Pairs, "pair"))
	}
	return fmt.Sprintf("Agreement: %s %.2f over the blind votes on %s (1 is full agreement, 0 that of chance).",
		a.Measure(), a.Kappa, format.Count(a.Pairs, "pair"))
}

// agreementOf returns the agreement of voters, whose ratings of each item are in the same order.
func agreementOf[T comparable](items [][]T) Agreement {
	if len(items) == 0 || len(items[0]) < 2 {
		return Agreement{}
	}
	voters := len(items[0])
	a := Agreement{Voters: voters, Pairs: len(items)}
	byVoter, all := make([]map[T]float64, voters), map[T]float64{} // shares of the categories
	for i := range byVoter {
		byVoter[i] = map[T]float64{}
	}
	agreeing := 0 // pairs of voters, each in both orders
	for _, ratings := range items {
		counts := map[T]int{}
		for i, category := range ratings {
			counts[category]++
			byVoter[i][category] += 1 / float64(len(items))
			all[category] += 1 / float64(len(items)*voters)
		}
		for _, n := range counts {
			agreeing += n * (n - 1)
		}
	}
	observed, expected := float64(agreeing)/float64(len(items)*voters*(voters-1)), 0.0
	for category, share := range all {
		if voters == 2 {
			expected += byVoter[0][category] * byVoter[1][category]
		} else {
			expected += share * share
		}
	}
	if len(all) > 1 { // else only chance is left: everybody says the same of everything
		a.Kappa, a.IsDefined = (observed-expected)/(1-expected), true
	}
	return a
}
