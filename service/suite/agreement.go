package suite

import (
	"fmt"
	"maps"
	"slices"

	"confab/history"
	"confab/internal/format"
)

// Agreement is the agreement of several people's blind votes beyond chance.
type Agreement struct {
	Voters int      `json:"voters"`
	Pairs  int      `json:"pairs"`           // of answers with two blind votes, once for each two people
	Kappa  *float64 `json:"kappa,omitempty"` // 1 is full, 0 that of chance; nil without pairs, or all alike
}

// agreementOf returns the agreement of the people who voted blind: Cohen's kappa over the newest votes of each two of
// them on a pair of answers.
func agreementOf(votes []history.Vote) (a Agreement) {
	type answers [2]int64
	said := map[string]map[answers]history.Preference{}
	for _, v := range votes {
		if v.IsBlind {
			if said[v.Voter] == nil {
				said[v.Voter] = map[answers]history.Preference{}
			}
			said[v.Voter][answers{v.AnswerA, v.AnswerB}] = v.Preference
		}
	}
	var both [][2]history.Preference
	voters := slices.Sorted(maps.Keys(said))
	for i, voter := range voters {
		for _, other := range voters[i+1:] {
			for pair, preference := range said[voter] {
				if second, ok := said[other][pair]; ok {
					both = append(both, [2]history.Preference{preference, second})
				}
			}
		}
	}
	a.Voters, a.Pairs = len(voters), len(both)
	if value, isDefined := kappa(both); isDefined {
		a.Kappa = &value
	}
	return a
}

// String returns the agreement in a sentence; it is empty for one person.
func (a Agreement) String() string {
	switch {
	case a.Voters < 2:
		return ""
	case a.Pairs == 0:
		return "Nobody voted blind on a pair that another one voted on blind."
	case a.Kappa == nil:
		return "All blind votes on " + format.Count(a.Pairs, "pair") + " are the same."
	}
	return fmt.Sprintf("Agreement of blind votes (Cohen's kappa, 1 is full, 0 that of chance): %.2f on %s.", *a.Kappa,
		format.Count(a.Pairs, "pair"))
}
