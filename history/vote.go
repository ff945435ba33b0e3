package history

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
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
	A, B       Contestant
	Preference Preference
	// IsBlind reports that the voter saw neither names of models, in the answers included, nor the votes of others.
	IsBlind bool
}

// Swapped returns the vote with its answers in the other order.
func (v Vote) Swapped() Vote {
	v.AnswerA, v.AnswerB, v.A, v.B = v.AnswerB, v.AnswerA, v.B, v.A
	switch v.Preference {
	case VoteA:
		v.Preference = VoteB
	case VoteB:
		v.Preference = VoteA
	}
	return v
}

// Tally counts the votes on one contestant or answer. N is the sum of Wins, Losses, Ties and Bad; Blind is the number
// of blind votes among them.
type Tally struct {
	Wins   int `json:"won"`
	Losses int `json:"lost"`
	Ties   int `json:"equal"`
	Bad    int `json:"bad"`
	N      int `json:"-"`
	Blind  int `json:"blind"`
}

// Contestant is what votes count for: a model, and a label where the model alone does not tell what was asked.
type Contestant struct {
	Model string `json:"model"`
	Label string `json:"label,omitempty"` // see [Vote.SetLabels]
}

// Name returns the label with the model after it, or the model alone.
func (c Contestant) Name() string {
	if c.Label == "" {
		return c.Model
	}
	return c.Label + " (" + c.Model + ")"
}

func (c Contestant) compare(o Contestant) int {
	return cmp.Or(cmp.Compare(c.Model, o.Model), cmp.Compare(c.Label, o.Label))
}

// SetLabels labels the contestants with what a suite calls their models; kind:model and an empty text give no label. To
// two that are still the same it adds the system prompt, the parameters and the prompt in which their turns differ.
func (v *Vote) SetLabels(providers [2]string, turns [2]Turn) {
	for i, c := range []*Contestant{&v.A, &v.B} {
		c.Label = providers[i]
		if _, model, _ := strings.Cut(c.Label, ":"); c.Model == model || c.Model == c.Label {
			c.Label = ""
		}
	}
	if v.A != v.B {
		return
	}
	a, b := turns[0].setup(), turns[1].setup()
	for i := range a {
		if a[i] != b[i] {
			v.A.Label = strings.TrimPrefix(v.A.Label+", "+a[i], ", ")
			v.B.Label = strings.TrimPrefix(v.B.Label+", "+b[i], ", ")
		}
	}
}

// setup returns what a model was asked with, a line each: the system prompt, the parameters and the prompt. Variables
// are not replaced by their values.
func (t Turn) setup() [3]string {
	var params []string
	for _, name := range slices.Sorted(maps.Keys(t.Params)) {
		params = append(params, fmt.Sprint(name, " ", t.Params[name]))
	}
	oneLine := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return [3]string{cmp.Or(oneLine(cmp.Or(t.SystemTemplate, t.System)), "no system prompt"),
		cmp.Or(strings.Join(params, ", "), "no parameters"), oneLine(cmp.Or(t.Template, t.Prompt))}
}

// ContestantWins is the result of a contestant against all others.
type ContestantWins struct {
	Contestant
	Tally
}

// PairWins is the result of a contestant against another; A is before B by model and label.
type PairWins struct {
	A, B  Contestant
	Tally // of A
}

// Wins holds the results of votes by contestant, ordered by model and label.
type Wins struct {
	Contestants []ContestantWins
	Pairs       []PairWins
}

// NewestVotes returns each voter's last vote on each pair of answers, with the older answer first.
func NewestVotes(votes []Vote) (newest []Vote) {
	type ballot struct {
		voter  string
		first  int64
		second int64
	}
	isCounted := map[ballot]bool{}
	for _, v := range slices.Backward(votes) {
		if v.AnswerA > v.AnswerB {
			v = v.Swapped()
		}
		b := ballot{v.Voter, v.AnswerA, v.AnswerB}
		if !isCounted[b] {
			isCounted[b] = true
			newest = append(newest, v)
		}
	}
	return newest
}

// WinsOf sums up the newest votes per contestant and per pair of contestants. It leaves out votes between answers of
// one contestant.
func WinsOf(votes []Vote) Wins {
	contestants, pairs := map[Contestant]Tally{}, map[[2]Contestant]Tally{}
	for _, v := range NewestVotes(votes) {
		if v.A == v.B {
			continue
		}
		if v.A.compare(v.B) > 0 {
			v = v.Swapped()
		}
		a, b := v.Tallies()
		contestants[v.A], contestants[v.B] = contestants[v.A].Plus(a), contestants[v.B].Plus(b)
		pair := [2]Contestant{v.A, v.B}
		pairs[pair] = pairs[pair].Plus(a)
	}
	var w Wins
	for _, c := range slices.SortedFunc(maps.Keys(contestants), Contestant.compare) {
		w.Contestants = append(w.Contestants, ContestantWins{c, contestants[c]})
	}
	for p, t := range pairs {
		w.Pairs = append(w.Pairs, PairWins{p[0], p[1], t})
	}
	slices.SortFunc(w.Pairs, func(x, y PairWins) int { return cmp.Or(x.A.compare(y.A), x.B.compare(y.B)) })
	return w
}

// Tallies returns the vote as results of A and of B.
func (v Vote) Tallies() (a, b Tally) {
	a.N = 1
	if v.IsBlind {
		a.Blind = 1
	}
	b = a
	switch v.Preference {
	case VoteA:
		a.Wins, b.Losses = 1, 1
	case VoteB:
		a.Losses, b.Wins = 1, 1
	case VoteEqual:
		a.Ties, b.Ties = 1, 1
	case VoteBad:
		a.Bad, b.Bad = 1, 1
	}
	return a, b
}

// Plus adds two tallies.
func (t Tally) Plus(o Tally) Tally {
	return Tally{t.Wins + o.Wins, t.Losses + o.Losses, t.Ties + o.Ties, t.Bad + o.Bad, t.N + o.N, t.Blind + o.Blind}
}
