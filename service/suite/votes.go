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

// VoteScope selects the votes on a run, or those between answers of some turns; the zero value selects all.
type VoteScope struct {
	Run   int64
	Turns []int64
}

// Votes are the votes of a scope that the reader may see. The newest vote of a person on a pair of answers counts, and
// for the strengths of an axis also the newest one on answers to the same request.
type Votes struct {
	Axes      []AxisVotes             `json:"axes"`
	Answers   map[int64]history.Tally `json:"-"` // by answer
	Counted   AnswerVotes             `json:"-"`
	Voters    []Voter                 `json:"voters"`    // the reader first, then by name
	Hidden    int                     `json:"hidden"`    // number of others' votes on pairs without a vote of the reader
	Repeats   int                     `json:"repeats"`   // older votes of a person on answers to the same request
	Uncounted int                     `json:"uncounted"` // votes on answers that differ on no axis, or on several
	Agreement Agreement               `json:"agreement"`
	Grader    string                  `json:"grader,omitempty"` // how far graders agree with the reader, in a sentence
}

// Voter is a person with the number of pairs that they voted on, and the number of blind ones among these.
type Voter struct {
	Name  string `json:"name,omitempty"` // empty for the reader
	Pairs int    `json:"pairs"`
	Blind int    `json:"blind"`
}

// AxisVotes are the votes between contestants that differ on one axis alone, and that votes connect: directly, or
// through others.
type AxisVotes struct {
	Axis        Axis         `json:"axis"`
	Contestants []Contestant `json:"contestants"` // the strongest first
}

// AnswerVotes are the votes that count on each axis, by answer.
type AnswerVotes map[Axis]map[int64]history.Tally

func (v AnswerVotes) add(axis Axis, answer int64, t history.Tally) {
	if v[axis] == nil {
		v[axis] = map[int64]history.Tally{}
	}
	v[axis][answer] = v[axis][answer].Plus(t)
}

// Contestant is what votes count for on an axis.
type Contestant struct {
	Label string `json:"label"`
	Model string `json:"model,omitempty"` // slug, on the axis of models
	history.Tally
	Strength
}

// fewPairs is the number of pairs under which a contestant has few votes.
const fewPairs = 10

// Votes returns the votes of a scope.
func (r *Runner) Votes(ctx context.Context, scope VoteScope) (Votes, error) {
	if scope.Run != 0 {
		if _, err := r.Run(ctx, scope.Run); err != nil {
			return Votes{}, err
		}
	}
	hidden := 0
	votes, err := read(ctx, r, func(store history.Store) (votes []history.Vote, err error) {
		votes, hidden, err = store.Votes(ctx, scope.Run)
		return votes, err
	})
	if err != nil {
		return Votes{}, err
	}
	if scope.Turns != nil {
		votes = slices.DeleteFunc(votes, func(v history.Vote) bool {
			return !slices.Contains(scope.Turns, v.A.Turn.ID) || !slices.Contains(scope.Turns, v.B.Turn.ID)
		})
	}
	all := newVotes(votes, hidden)
	if scope.Run != 0 {
		all.Grader, err = r.graderAgreement(ctx, scope.Run)
	}
	return all, err
}

// newVotes counts votes in the order of their time.
func newVotes(votes []history.Vote, hidden int) Votes {
	all := Votes{Hidden: hidden, Answers: map[int64]history.Tally{}, Counted: AnswerVotes{}, Axes: []AxisVotes{}}
	ballots, newest, isKnown := map[Axis][]ballot{}, []history.Vote(nil), map[string]bool{}
	isNew := func(key string) bool {
		wasKnown := isKnown[key]
		isKnown[key] = true
		return !wasKnown
	}
	for _, v := range slices.Backward(votes) {
		if v.AnswerA > v.AnswerB {
			v = v.Swapped()
		}
		if !isNew(fmt.Sprint(v.AnswerA, " ", v.AnswerB, " ", v.Voter)) {
			continue
		}
		newest = append(newest, v)
		b := ballot{a: NewEntrant(v.A, v.AnswerA), b: NewEntrant(v.B, v.AnswerB)}
		b.forA, b.forB = v.Tallies()
		all.Answers[v.AnswerA] = all.Answers[v.AnswerA].Plus(b.forA)
		all.Answers[v.AnswerB] = all.Answers[v.AnswerB].Plus(b.forB)
		axis, ok := AxisBetween(b.a, b.b)
		switch {
		case !ok:
			all.Uncounted++
		case isNew(b.key() + v.Voter):
			ballots[axis] = append(ballots[axis], b)
			all.Counted.add(axis, v.AnswerA, b.forA)
			all.Counted.add(axis, v.AnswerB, b.forB)
		default:
			all.Repeats++
		}
	}
	for _, axis := range []Axis{AxisModel, AxisPrompt, AxisParams, AxisValues} {
		all.Axes = append(all.Axes, newAxisVotes(axis, ballots[axis])...)
	}
	all.Voters, all.Agreement = votersOf(newest), agreementOf(newest)
	return all
}

func votersOf(votes []history.Vote) []Voter {
	all := []Voter{}
	voters := map[string]Voter{}
	for _, v := range votes {
		a, _ := v.Tallies()
		voters[v.Voter] = Voter{v.Voter, voters[v.Voter].Pairs + 1, voters[v.Voter].Blind + a.Blind}
	}
	for _, name := range slices.Sorted(maps.Keys(voters)) {
		all = append(all, voters[name])
	}
	return all
}

// ballot is a vote with where its answers stand.
type ballot struct {
	a, b       Entrant
	forA, forB history.Tally
}

// key identifies what was asked for the two answers.
func (b ballot) key() string {
	keys := []string{b.a.key(), b.b.key()}
	slices.Sort(keys)
	return strings.Join(keys, "\x00")
}

// newAxisVotes counts the votes on an axis, the largest group of contestants first.
func newAxisVotes(axis Axis, ballots []ballot) (all []AxisVotes) {
	next := map[string]string{} // of each position another one of its group; the last has none
	last := func(position string) string {
		for next[position] != "" {
			position = next[position]
		}
		return position
	}
	for _, b := range ballots {
		if from, to := last(b.a.On(axis)), last(b.b.On(axis)); from != to {
			next[from] = to
		}
	}
	groups := map[string][]ballot{}
	for _, b := range ballots {
		group := last(b.a.On(axis))
		groups[group] = append(groups[group], b)
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		all = append(all, newGroupVotes(axis, groups[group]))
	}
	slices.SortStableFunc(all, func(a, b AxisVotes) int { return len(b.Contestants) - len(a.Contestants) })
	return all
}

// newGroupVotes counts the votes of contestants that these connect.
func newGroupVotes(axis Axis, ballots []ballot) AxisVotes {
	var entrants []Entrant
	for _, b := range ballots {
		entrants = append(entrants, b.a, b.b)
	}
	// The order of tables, so that prompts have the same letters.
	slices.SortStableFunc(entrants, func(a, b Entrant) int { return cmp.Compare(a.Turn, b.Turn) })
	points := make([]Point, len(entrants))
	for i, e := range entrants {
		points[i] = e.Point
	}
	labels := NewLabels(points)
	positions, duels := labels.Positions(axis), make([]Duel, len(ballots))
	contestants := make([]Contestant, len(positions))
	for i, b := range ballots {
		duels[i] = Duel{A: slices.Index(positions, b.a.On(axis)), B: slices.Index(positions, b.b.On(axis)),
			Won: float64(b.forA.Wins) + float64(b.forA.Ties+b.forA.Bad)/2}
		x, y := &contestants[duels[i].A], &contestants[duels[i].B]
		x.Tally, y.Tally = x.Tally.Plus(b.forA), y.Tally.Plus(b.forB)
		if axis == AxisModel {
			x.Model, y.Model = b.a.Slug, b.b.Slug
		}
	}
	for i, s := range Strengths(len(contestants), duels) {
		contestants[i].Label, contestants[i].Strength = labels.Label(axis, positions[i]), s
	}
	slices.SortStableFunc(contestants, func(a, b Contestant) int { return cmp.Compare(b.Share, a.Share) })
	return AxisVotes{axis, contestants}
}

// Title returns "Model against model".
func (v AxisVotes) Title() string {
	name := string(v.Axis)
	return strings.ToUpper(name[:1]) + name[1:] + " against " + name
}

// String returns in sentences who is ahead, and whose votes are few.
func (v AxisVotes) String() string {
	var few []string
	for _, c := range v.Contestants {
		if c.N < fewPairs {
			few = append(few, c.Label)
		}
	}
	first, text := v.Contestants[0], "None is clearly best: the order may be chance."
	if first.IsAhead {
		text = fmt.Sprintf("%s is ahead: it wins %s of its pairs with the others.", first.Label, first.Strength)
	}
	switch {
	case len(few) == len(v.Contestants):
		text += fmt.Sprintf(" Few votes: under %d each.", fewPairs)
	case len(few) > 0:
		text += fmt.Sprintf(" Few votes on %s: under %d.", strings.Join(few, ", "), fewPairs)
	}
	return text
}

// Summary returns who is ahead on each axis and [Votes.String]; it is empty without votes.
func (v Votes) Summary() string {
	var texts []string
	for _, axis := range v.Axes {
		var wins []string
		for _, c := range axis.Contestants {
			wins = append(wins, fmt.Sprintf("%s won %d and lost %d of %s", c.Label, c.Wins, c.Losses,
				format.Count(c.N, "pair")))
		}
		texts = append(texts, axis.Title()+": "+strings.Join(wins, ", ")+". "+axis.String())
	}
	return strings.TrimSpace(strings.Join(append(texts, v.String()), " "))
}

// String returns the voters, their agreement and the votes that do not count in sentences.
func (v Votes) String() string {
	var voters, sentences []string
	for _, voter := range v.Voters {
		text := cmp.Or(voter.Name, "you") + " on " + format.Count(voter.Pairs, "pair")
		if voter.Blind < voter.Pairs {
			text += fmt.Sprintf(" (%d blind)", voter.Blind)
		}
		voters = append(voters, text)
	}
	if len(voters) > 0 {
		sentences = append(sentences, "Votes: "+strings.Join(voters, ", ")+".")
	}
	if text := v.Agreement.String(); text != "" {
		sentences = append(sentences, text)
	}
	if v.Repeats > 0 {
		sentences = append(sentences, format.Several(v.Repeats, "vote repeats a newer one", "votes repeat newer ones")+
			" of the same person on answers that were asked alike, and does not count.")
	}
	if v.Uncounted > 0 {
		sentences = append(sentences, format.Several(v.Uncounted, "vote is", "votes are")+
			" on answers that differ in several ways, or in none: no strength follows.")
	}
	if v.Grader != "" {
		sentences = append(sentences, v.Grader)
	}
	if v.Hidden > 0 {
		sentences = append(sentences, format.Several(v.Hidden, "vote", "votes")+
			" of others are hidden until you have voted on the same answers.")
	}
	return strings.Join(sentences, " ")
}

// Agreement is the agreement of several people's blind votes beyond chance.
type Agreement struct {
	Voters int      `json:"voters"`
	Pairs  int      `json:"pairs"`           // of answers with two blind votes, once for each two people
	Kappa  *float64 `json:"kappa,omitempty"` // 1 is full, 0 that of chance; nil without pairs, or if all are the same
}

// agreementOf returns the agreement of the people who voted blind: Cohen's kappa over the newest votes of each two of
// them on a pair of answers.
func agreementOf(votes []history.Vote) (a Agreement) {
	type answers [2]int64
	preferences := map[string]map[answers]history.Preference{}
	for _, v := range votes {
		if v.IsBlind {
			if preferences[v.Voter] == nil {
				preferences[v.Voter] = map[answers]history.Preference{}
			}
			preferences[v.Voter][answers{v.AnswerA, v.AnswerB}] = v.Preference
		}
	}
	var both [][2]history.Preference
	voters := slices.Sorted(maps.Keys(preferences))
	for i, voter := range voters {
		for _, other := range voters[i+1:] {
			for pair, preference := range preferences[voter] {
				if second, ok := preferences[other][pair]; ok {
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
