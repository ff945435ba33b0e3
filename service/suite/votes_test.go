package suite_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/service/suite"
)

// voted is a question with its answers, numbered from 10 times its turn.
func voted(turn int64, model string, change func(*history.VotedAnswer)) history.VotedAnswer {
	a := history.VotedAnswer{Model: model, Turn: history.Turn{ID: turn, Prompt: "Say hello"}}
	if change != nil {
		change(&a)
	}
	return a
}

// castVote numbers answers by their turn and model.
func castVote(a, b history.VotedAnswer, p history.Preference) history.Vote {
	number := func(a history.VotedAnswer) int64 { return a.Turn.ID*1000 + int64(a.Model[0]) }
	return history.Vote{AnswerA: number(a), AnswerB: number(b), A: a, B: b, Preference: p, IsBlind: true}
}

func withPrompt(text string) func(*history.VotedAnswer) {
	return func(a *history.VotedAnswer) { a.Turn.Prompt = text }
}

func withParams(name, value string) func(*history.VotedAnswer) {
	return func(a *history.VotedAnswer) { a.Turn.Params = history.Params{name: json.Number(value)} }
}

func provider(name, temperature string) func(*history.VotedAnswer) {
	return func(a *history.VotedAnswer) {
		a.Provider, a.Prompt = name, "greet"
		withParams("temperature", temperature)(a)
	}
}

// TestAVoteCountsOnTheAxisThatDiffers votes between pairs that differ in one way each, in two, or in none.
func TestAVoteCountsOnTheAxisThatDiffers(t *testing.T) {
	a := voted(1, "alpha", nil)
	inContext := voted(9, "beta", func(a *history.VotedAnswer) { a.Turn.Parent, a.Turn.HasContext = 8, true })
	system := voted(2, "alpha", func(a *history.VotedAnswer) { a.Turn.System = "Be terse." })
	values := func(turn int64, name string) history.VotedAnswer {
		return voted(turn, "alpha", func(a *history.VotedAnswer) {
			a.Turn.Prompt, a.Turn.Template = "Say "+name, "Say {{name}}"
			a.Turn.Vars = map[string]string{"name": name}
		})
	}
	for _, x := range []struct {
		name string
		a, b history.VotedAnswer
		want string // axis and labels, the winner first
	}{
		{"models", a, voted(1, "beta", nil), "model: alpha, beta"},
		{"prompts", a, voted(2, "alpha", withPrompt("Say goodbye")), "prompt: A …hello, B …goodbye"},
		{"system prompts", a, system, "prompt: A no system prompt, B Be terse."},
		{"parameters", a, voted(2, "alpha", withParams("temperature", "0.7")),
			"parameters: temperature not set, temperature 0.7"},
		{"values", values(1, "yes"), values(2, "no"), "values: name=yes, name=no"},
		{"two ways", a, voted(2, "beta", withPrompt("Say goodbye")), ""},
		{"two samples", a, voted(2, "alpha", nil), ""},
		{"other conversations", a, inContext, ""},
		{"providers", voted(1, "alpha", provider("llm:alpha", "0")), voted(2, "beta", provider("hot", "1")),
			"model: alpha, hot (beta)"},
		{"providers of one model", voted(1, "alpha", provider("cold", "0")), voted(2, "alpha", provider("hot", "1")),
			"parameters: temperature 0, temperature 1"},
		{"labels of one model", voted(1, "alpha", provider("x", "0")), voted(2, "alpha", provider("y", "0")),
			"model: x (alpha), y (alpha)"},
	} {
		votes, got := votesOn(t, []history.Vote{castVote(x.a, x.b, history.VoteA)}), ""
		for _, axis := range votes.Axes {
			var labels []string
			for _, c := range axis.Contestants {
				labels = append(labels, c.Label)
			}
			got += string(axis.Axis) + ": " + strings.Join(labels, ", ")
		}
		if wantUncounted := len(x.want) == 0; got != x.want || (votes.Uncounted == 1) != wantUncounted {
			t.Errorf("%s: got %q and %d uncounted, want %q", x.name, got, votes.Uncounted, x.want)
		}
	}
}

// TestRepeatsOfAPersonCountOnce votes twice on a pair, and on further samples of it; another person does the same once.
func TestRepeatsOfAPersonCountOnce(t *testing.T) {
	pair := func(turn int64, voter string, p history.Preference) history.Vote {
		v := castVote(voted(turn, "alpha", nil), voted(turn, "beta", nil), p)
		v.Voter = voter
		return v
	}
	votes := votesOn(t, []history.Vote{pair(1, "", history.VoteB), pair(2, "", history.VoteB),
		pair(2, "", history.VoteA), pair(1, "ann", history.VoteEqual)})
	want := []history.Tally{{Wins: 1, Ties: 1, N: 2, Blind: 2}, {Losses: 1, Ties: 1, N: 2, Blind: 2}}
	for i, c := range votes.Axes[0].Contestants {
		if c.Tally != want[i] || c.Model != []string{"alpha", "beta"}[i] {
			t.Errorf("contestant %d: %+v", i, c)
		}
	}
	if votes.Repeats != 1 || !strings.Contains(votes.String(), "1 vote repeats a newer one of the same person on ") {
		t.Errorf("says %s", votes)
	}
	if got := votes.Answers[2000+'a']; got != (history.Tally{Wins: 1, N: 1, Blind: 1}) {
		t.Errorf("the answer of the older sample has %+v", got)
	}
	other := castVote(voted(3, "alpha", withPrompt("Another")), voted(3, "beta", withPrompt("Another")), history.VoteA)
	if votes := votesOn(t, []history.Vote{pair(1, "", history.VoteA), other}); votes.Axes[0].Contestants[0].Wins != 2 {
		t.Errorf("another prompt is a repeat: %+v", votes.Axes)
	}
}

// TestVotesSayWhatTheyAreWorth casts few votes, many, none, and some between groups that no vote connects.
func TestVotesSayWhatTheyAreWorth(t *testing.T) {
	var votes []history.Vote
	cast := func(n int, a, b string, p history.Preference) {
		for range n {
			ask := withPrompt(fmt.Sprint("question ", len(votes)))
			votes = append(votes, castVote(voted(int64(len(votes)+1), a, ask), voted(int64(len(votes)+1), b, ask), p))
		}
	}
	if got := votesOn(t, nil); got.Summary() != "" || len(got.Axes) != 0 {
		t.Errorf("no votes say %q", got.Summary())
	}
	cast(1, "alpha", "beta", history.VoteA)
	if got := votesOn(t, votes).Axes[0].String(); got !=
		"None is clearly best: the order may be chance. Few votes: under 10 each." {
		t.Errorf("one vote says %q", got)
	}
	cast(15, "alpha", "beta", history.VoteA)
	cast(2, "beta", "alpha", history.VoteBad)
	cast(3, "gamma", "beta", history.VoteB)
	cast(2, "x", "y", history.VoteEqual)
	got := votesOn(t, votes)
	if text := got.Axes[0].String(); !strings.HasPrefix(text, "alpha is ahead: it wins 9") ||
		!strings.HasSuffix(text, " of its pairs with the others. Few votes on gamma: under 10.") {
		t.Errorf("says %q", text)
	}
	if len(got.Axes) != 2 || got.Axes[1].String() !=
		"None is clearly best: the order may be chance. Few votes: under 10 each." {
		t.Errorf("the other group: %+v", got.Axes)
	}
	if text := got.Summary(); !strings.HasPrefix(text, "Model against model: alpha won 16 and lost 0 of 18 pairs, ") {
		t.Errorf("in short: %s", text)
	}
}

// TestPairsDifferOnTheirAxis makes the pairs of a matrix, and of more answers than are paired each with each.
func TestPairsDifferOnTheirAxis(t *testing.T) {
	var all []suite.Entrant
	for prompt := range 3 {
		for value := range 4 {
			for _, model := range []string{"alpha", "beta"} {
				turn := int64(1 + 4*prompt + value)
				all = append(all, suite.Entrant{Slug: model, Turn: turn, Point: suite.Point{Model: model,
					Prompt: fmt.Sprint("p", prompt), Vars: map[string]string{"v": fmt.Sprint(value)}}})
			}
		}
	}
	for axis, want := range map[suite.Axis]int{suite.AxisModel: 12, suite.AxisPrompt: 3 * 4 * 2,
		suite.AxisValues: 6 * 3 * 2, suite.AxisParams: 0} {
		pairs := suite.VotePairs(axis, all)
		for i, p := range pairs {
			if on, ok := suite.AxisBetween(all[p[0]], all[p[1]]); !ok || on != axis ||
				slices.Contains(pairs[:i], p) || slices.Contains(pairs[:i], [2]int{p[1], p[0]}) {
				t.Errorf("%s: pair %v is on %s, or there before", axis, p, on)
			}
		}
		if len(pairs) != want {
			t.Errorf("%s: %d pairs, want %d", axis, len(pairs), want)
		}
	}
	for n, want := range map[int]int{0: 0, 1: 0, 2: 1, 16: 120, 17: 136, 18: 144, 100: 800} {
		var many []suite.Entrant
		for i := range n {
			many = append(many, suite.Entrant{Point: suite.Point{Model: fmt.Sprint("m", i)}})
		}
		if got := len(suite.VotePairs(suite.AxisModel, many)); got != want {
			t.Errorf("%d answers make %d pairs, want %d", n, got, want)
		}
	}
}
