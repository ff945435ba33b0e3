package history

import "time"

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
	A, B       VotedAnswer
	Preference Preference
	// IsBlind reports that the voter saw neither names of models, in the answers included, nor the votes of others.
	IsBlind bool
}

// VotedAnswer is what the answer of a vote was asked with.
type VotedAnswer struct {
	Model string
	Turn  Turn // without answers; its files have only names
	// What a suite calls the model, the prompt and the test; empty outside runs.
	Provider, Prompt, Test string
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
	N      int `json:"pairs"`
	Blind  int `json:"blind"`
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
