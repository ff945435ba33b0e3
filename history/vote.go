package history

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Preference is what a vote says of two answers.
type Preference string

// The preferences.
const (
	VoteA     Preference = "a"     // the first is better
	VoteB     Preference = "b"     // the second is better
	VoteEqual Preference = "equal" // they are as good as each other
	VoteBad   Preference = "bad"   // neither is any good
)

// IsValid reports whether the preference is one of the four.
func (p Preference) IsValid() bool { return p == VoteA || p == VoteB || p == VoteEqual || p == VoteBad }

// Vote is a person's choice between two answers.
type Vote struct {
	ID         int64
	Voter      string // the user; empty for oneself
	Turn       int64  // of AnswerA
	Created    time.Time
	AnswerA    int64
	AnswerB    int64
	ModelA     string
	ModelB     string
	Preference Preference
	// IsBlind tells that neither the models' names, also in the answers themselves, nor the votes of others were shown.
	IsBlind bool
}

// Swapped returns the vote with its answers in the other order.
func (v Vote) Swapped() Vote {
	v.AnswerA, v.AnswerB, v.ModelA, v.ModelB = v.AnswerB, v.AnswerA, v.ModelB, v.ModelA
	switch v.Preference {
	case VoteA:
		v.Preference = VoteB
	case VoteB:
		v.Preference = VoteA
	}
	return v
}

// Tally counts votes from the side of one model or answer. N is their number: Wins, Losses, Ties and Bad together;
// Blind is how many of them were blind.
type Tally struct {
	Wins   int `json:"won"`
	Losses int `json:"lost"`
	Ties   int `json:"equal"`
	Bad    int `json:"bad"`
	N      int `json:"-"`
	Blind  int `json:"blind"`
}

// ModelWins is how a model fared against all others.
type ModelWins struct {
	Model string `json:"model"`
	Tally
}

// PairWins is how a model fared against another; A comes before B by name.
type PairWins struct {
	A, B  string
	Tally // of A
}

// Wins is how models fared in the votes, by their names.
type Wins struct {
	Models []ModelWins
	Pairs  []PairWins
}

// VoteCount is how many votes between two models had the same preference.
type VoteCount struct {
	ModelA, ModelB string
	Preference     Preference
	N, Blind       int
}

// WinsOf adds up counted votes per model and per pair of models.
func WinsOf(counts []VoteCount) Wins {
	models, pairs := map[string]Tally{}, map[[2]string]Tally{}
	for _, c := range counts {
		a, b := c.Tallies()
		models[c.ModelA], models[c.ModelB] = models[c.ModelA].Plus(a), models[c.ModelB].Plus(b)
		if c.ModelA > c.ModelB {
			c.ModelA, c.ModelB, a = c.ModelB, c.ModelA, b
		}
		pair := [2]string{c.ModelA, c.ModelB}
		pairs[pair] = pairs[pair].Plus(a)
	}
	var w Wins
	for _, m := range slices.Sorted(maps.Keys(models)) {
		w.Models = append(w.Models, ModelWins{m, models[m]})
	}
	for p, t := range pairs {
		w.Pairs = append(w.Pairs, PairWins{p[0], p[1], t})
	}
	slices.SortFunc(w.Pairs, func(x, y PairWins) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return w
}

// Tallies returns the votes from the side of model A and of model B.
func (c VoteCount) Tallies() (a, b Tally) {
	a = Tally{N: c.N, Blind: c.Blind}
	b = a
	switch c.Preference {
	case VoteA:
		a.Wins, b.Losses = c.N, c.N
	case VoteB:
		a.Losses, b.Wins = c.N, c.N
	case VoteEqual:
		a.Ties, b.Ties = c.N, c.N
	case VoteBad:
		a.Bad, b.Bad = c.N, c.N
	}
	return a, b
}

// Plus adds two tallies.
func (t Tally) Plus(o Tally) Tally {
	return Tally{t.Wins + o.Wins, t.Losses + o.Losses, t.Ties + o.Ties, t.Bad + o.Bad, t.N + o.N, t.Blind + o.Blind}
}
