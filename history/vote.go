package history

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Preference is the choice of a vote between two answers.
type Preference string

const (
	VoteA     Preference = "a"     // the first is better
	VoteB     Preference = "b"     // the second is better
	VoteEqual Preference = "equal" // both are equally good
	VoteBad   Preference = "bad"   // neither is good
)

// IsValid reports whether the preference is a known one.
func (p Preference) IsValid() bool { return p == VoteA || p == VoteB || p == VoteEqual || p == VoteBad }

// Vote is a person's choice between two answers.
type Vote struct {
	ID         int64
	Voter      string // empty for the user
	Turn       int64  // of AnswerA
	Created    time.Time
	AnswerA    int64
	AnswerB    int64
	ModelA     string
	ModelB     string
	Preference Preference
	// IsBlind reports that the voter saw neither names of models, in the answers included, nor the votes of others.
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

// Tally counts the votes on one model or answer. N is the sum of Wins, Losses, Ties and Bad; Blind is the number of
// blind votes among them.
type Tally struct {
	Wins   int `json:"won"`
	Losses int `json:"lost"`
	Ties   int `json:"equal"`
	Bad    int `json:"bad"`
	N      int `json:"-"`
	Blind  int `json:"blind"`
}

// ModelWins is the result of a model against all others.
type ModelWins struct {
	Model string `json:"model"`
	Tally
}

// PairWins is the result of a model against another; A is before B by name.
type PairWins struct {
	A, B  string
	Tally // of A
}

// Wins holds the results of votes by model, ordered by name.
type Wins struct {
	Models []ModelWins
	Pairs  []PairWins
}

// VoteCount is the number of votes with one preference between two models.
type VoteCount struct {
	ModelA, ModelB string
	Preference     Preference
	N, Blind       int
}

// WinsOf sums up counted votes per model and per pair of models.
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

// Tallies returns the votes as results of model A and of model B.
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
