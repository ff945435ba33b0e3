package compare

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/part"
)

// blindVote is a [mode] to vote between pairs of answers that differ on one axis, without their names, times and
// lengths, in random order and on random sides.
type blindVote struct {
	part.Commands
	view        *View
	asked       action.StartVote
	pairs       []votePair
	seen        int // pairs that were voted on or skipped, and index of the next one
	readers     [2]*conversation.Pane
	shown       int  // the answer that is shown where they are shown one at a time
	sawBoth     bool // the other one was shown too
	showsPrompt bool // shows the whole prompt
	hasEnded    bool
	top         int // first line of the result on the screen
}

// maxPairs is the number of pairs of one vote; their turns are in memory.
const maxPairs = 100

// votePair is two answers; the first is shown on the left.
type votePair struct {
	answers    [2]blindAnswer
	note       string             // on both
	preference history.Preference // empty when skipped
	words      string             // the first ones of the better answer
}

// blindAnswer is an answer with its hidden facts at the time when the pair was shown first.
type blindAnswer struct {
	suite.Entrant
	sample
	label, note string
	namesModel  bool // in its text
}

// isBlind reports whether neither answer names a model.
func (p votePair) isBlind() bool { return !p.answers[0].namesModel && !p.answers[1].namesModel }

// voteScope selects the votes on the run, or on the turns whose answers are shown.
func (v *View) voteScope() suite.VoteScope {
	if v.content.Run != 0 {
		return suite.VoteScope{Run: v.content.Run}
	}
	return suite.VoteScope{Turns: v.content.Turns}
}

// openVote starts a vote between the finished answers that are listed.
func (v *View) openVote() action.Action {
	a := action.StartVote{Scope: v.voteScope()}
	for _, x := range v.listed {
		if x.isDone() {
			asked := history.VotedAnswer{Model: x.model, Turn: x.turn()}
			if v.content.Run != 0 {
				asked.Provider = v.content.Named[Asked{asked.Turn.ID, x.model}]
			}
			a.Entrants = append(a.Entrants, suite.NewEntrant(asked, x.answer().ID))
		}
	}
	a.Pairs = suite.PairsByAxis(a.Entrants)
	start, _ := v.StartVote(a)
	return start
}

// StartVote votes on the answers of a table or, without its name, on those side by side. It chooses pairs by chance and
// reads their turns, to ask for the axis with the number of pairs of each.
func (v *View) StartVote(a action.StartVote) (action.Action, tea.Cmd) {
	switch {
	case a.Pairs == nil:
		return nil, func() tea.Msg {
			a.Pairs = suite.PairsByAxis(a.Entrants)
			return part.Do(a)
		}
	case len(a.Pairs) == 0:
		return action.Notify{Severity: action.Warn, Text: "A vote needs two finished answers that differ in " +
			"one way: model, prompt, parameters or values."}, nil
	}
	chosen, asked := map[suite.Axis][][2]int{}, []history.Cell(nil)
	for _, axis := range suite.AllAxes() {
		if len(a.Pairs[axis]) == 0 || a.Axis != "" && a.Axis != axis {
			continue
		}
		pairs := slices.Clone(a.Pairs[axis])
		for i := len(pairs) - 1; i > 0; i-- {
			j := v.randIntn(i + 1)
			pairs[i], pairs[j] = pairs[j], pairs[i]
		}
		chosen[axis] = pairs[:min(len(pairs), maxPairs)]
		for _, pair := range chosen[axis] {
			for _, at := range pair {
				asked = append(asked, history.Cell{Turn: a.Entrants[at].Turn})
			}
		}
	}
	a.Pairs = chosen
	if a.Name == "" {
		var turns []history.Turn
		for _, c := range asked {
			t, _ := v.turns.Turn(c.Turn)
			turns = append(turns, t)
		}
		return v.offerVote(a, turns), nil
	}
	return nil, part.Ask(v, func() (tea.Msg, error) {
		turns, err := v.env.Service.Runner().RowTurns(v.env.Ctx, [][]history.Cell{asked})
		return votedTurnsMsg{a, turns}, err
	})
}

// offerVote starts a vote on the pairs whose answers can be judged, or asks on which of several axes.
func (v *View) offerVote(a action.StartVote, turns []history.Turn) action.Action {
	answers := map[int64]history.Answer{}
	for _, t := range turns {
		for _, x := range t.Answers {
			answers[x.ID] = x
		}
	}
	for axis, pairs := range a.Pairs {
		a.Pairs[axis] = slices.DeleteFunc(pairs, func(pair [2]int) bool {
			return !canJudge(answers[a.Entrants[pair[0]].Answer], answers[a.Entrants[pair[1]].Answer])
		})
		if len(a.Pairs[axis]) == 0 {
			delete(a.Pairs, axis)
		}
	}
	switch {
	case len(a.Pairs) == 0:
		return action.Notify{Severity: action.Warn, Text: "Nothing to vote on: these answers are the same " +
			"or of different kinds."}
	case a.Axis == "" && len(a.Pairs) > 1:
		return askAxis(a)
	}
	for axis := range a.Pairs { // the only one
		a.Axis = axis
	}
	if a.Name == "" {
		return v.startVote(a)
	}
	v.mode = nil
	v.turns.Show(v, turns)
	v.SetCase(Case{Name: a.Name, Run: a.Scope.Run, Table: a.Table, Row: -1}, 0)
	return action.Sequence{v.startVote(a), action.ShowComparison{}}
}

// canJudge reports whether two answers are different ones, and both texts or both pictures.
func canJudge(x, y history.Answer) bool {
	return x.State == history.Done && y.State == history.Done && (x.Picture == nil) == (y.Picture == nil) &&
		!isIdentical(x, y)
}

// askAxis asks on which axis answers are judged.
func askAxis(a action.StartVote) action.Action {
	var axes []suite.Axis
	ask := action.Choose{Title: "Blind vote", Question: "What do you want to judge?", Then: func(i int) action.Action {
		a.Axis = axes[i]
		return a
	}}
	for _, axis := range suite.AllAxes() {
		if n := len(a.Pairs[axis]); n > 0 {
			axes = append(axes, axis)
			ask.Choices = append(ask.Choices, string(axis)+" ("+format.Count(n, "pair")+")")
		}
	}
	return ask
}

// startVote shows the first pair.
func (v *View) startVote(a action.StartVote) action.Action {
	var points []suite.Point
	for _, e := range a.Entrants {
		points = append(points, e.Point)
	}
	b, labels := &blindVote{view: v, asked: a}, suite.NewLabels(points)
	b.Commands = voting.For(b, v.env.Keys)
	names := modelNamesOf(a)
	for _, pair := range a.Pairs[a.Axis] {
		var p votePair
		swap := v.randIntn(2)
		for i, at := range pair {
			e := a.Entrants[at]
			x := blindAnswer{Entrant: e, sample: sample{turns: v.turns, turnID: e.Turn, id: e.Answer},
				label: labels.Label(a.Axis, e.On(a.Axis))}
			answer := x.answer()
			x.note, x.namesModel = answer.Note, names.areIn(answer)
			p.answers[i^swap] = x
		}
		b.pairs = append(b.pairs, p)
	}
	for i := range b.readers {
		b.readers[i] = v.session.NewReader()
	}
	v.mode = b
	v.relayout()
	return action.LoadWins{Scope: a.Scope}
}

// otherAnswer shows the other answer of a pair where they are shown one at a time.
const otherAnswer keys.Command = "other_answer"

var voting = part.Table[*blindVote]{Scope: keys.Voting,
	Bindings: []part.Binding[*blindVote]{
		castVote("vote_a", "a", "first", "The first answer is better", history.VoteA),
		castVote("vote_b", "b", "second", "The second answer is better", history.VoteB),
		castVote("vote_equal", "e", "equal", "Both are equally good", history.VoteEqual),
		castVote("vote_bad", "x", "both bad", "Both are bad", history.VoteBad),
		castVote("vote_skip", "s", "skip", "Skip this pair", ""),
		{Command: "undo_vote", Keys: "u", Short: "undo", Long: "Undo the last vote",
			Refuses: func(b *blindVote) string { return part.TextIf(b.seen == 0, "No vote to undo.") },
			Rank:    part.RankIf(2, func(b *blindVote) bool { return b.seen > 0 }), Do: (*blindVote).undo},
		{Command: keys.AddNote, Keys: "m", Acts: true, Short: "note",
			Long: "Write a note on both answers", Rank: part.RankIf(3, (*blindVote).isOpen),
			Refuses: (*blindVote).endedText, Do: (*blindVote).askNote},
		{Command: keys.WholePrompt, Keys: "p", Short: "full text", Long: "Show the whole prompt, or its start",
			Refuses: part.FirstOf((*blindVote).endedText, (*blindVote).wholePromptText),
			Rank:    part.RankIf(4, func(b *blindVote) bool { return b.isOpen() && b.cutsPrompt() }),
			Do: func(b *blindVote) action.Action {
				b.showsPrompt = !b.showsPrompt
				b.view.relayout()
				return nil
			}},
		{Command: otherAnswer, Keys: "tab", Short: "other answer", Long: "Show the other answer, where one is shown",
			Refuses: part.FirstOf((*blindVote).endedText, (*blindVote).showsBothText),
			Do: func(b *blindVote) action.Action {
				b.shown, b.sawBoth = 1-b.shown, true
				b.view.relayout()
				return nil
			}},
		scrollVote(keys.Down, "j down", "down", "Scroll both down"),
		scrollVote(keys.Up, "k up", "up", "Scroll both up"),
		scrollVote(keys.PageDown, "pgdown space", "page down", "Both a page down"),
		scrollVote(keys.PageUp, "pgup", "page up", "Both a page up"),
		{Command: keys.Help, Keys: "?", Short: "help", Long: "Help for the blind vote",
			Action: action.ShowHelp{Scope: keys.Voting}},
	}}

func castVote(c keys.Command, bound, short, long string, preference history.Preference) part.Binding[*blindVote] {
	return part.Binding[*blindVote]{Command: c, Keys: bound, Short: short, Long: long, Acts: preference != "",
		Rank: part.RankIf(1, (*blindVote).isOpen), Refuses: (*blindVote).endedText,
		Do: func(b *blindVote) action.Action { return b.cast(preference) }}
}

func scrollVote(c keys.Command, bound, short, long string) part.Binding[*blindVote] {
	return part.Binding[*blindVote]{Command: c, Keys: bound, Short: short, Long: long,
		Do: func(b *blindVote) action.Action {
			lines, _ := c.Lines(max(b.view.h-8, 1), 0, 0)
			b.scroll(lines)
			return nil
		}}
}

func (b *blindVote) isOpen() bool { return !b.hasEnded }

func (b *blindVote) wholePromptText() string {
	return part.TextIf(!b.cutsPrompt(), "The prompt is already shown whole, or is what you judge.")
}

func (b *blindVote) showsBothText() string {
	return part.TextIf(!b.showsOne(), "Both answers are shown.")
}

func (b *blindVote) endedText() string { return part.TextIf(b.hasEnded, "The vote has ended.") }

func (b *blindVote) scroll(n int) {
	if b.hasEnded {
		b.top = max(b.top+n, 0)
		return
	}
	for _, r := range b.readers {
		r.Scroll(n)
	}
}

// close ends the vote. After a vote it shows the result first.
func (b *blindVote) close() bool {
	if b.hasEnded || b.seen == 0 {
		return true
	}
	b.hasEnded = true
	return false
}

func (b *blindVote) cast(preference history.Preference) action.Action {
	p := &b.pairs[b.seen]
	p.preference = preference
	p.words = p.betterWords()
	b.seen++
	b.shown, b.sawBoth = 0, false
	b.hasEnded = b.seen == len(b.pairs)
	b.view.relayout()
	if preference == "" {
		return nil
	}
	return action.Vote{Scope: b.asked.Scope, Vote: history.Vote{AnswerA: p.answers[0].id, AnswerB: p.answers[1].id,
		Preference: preference, IsBlind: p.isBlind()}}
}

func (b *blindVote) undo() action.Action {
	b.seen--
	b.shown, b.sawBoth, b.hasEnded = 0, false, false
	b.view.relayout()
	if b.pairs[b.seen].preference == "" {
		return nil
	}
	return action.UndoVote{Scope: b.asked.Scope}
}

// askNote asks for a note and appends it to those of both answers, which stay hidden: they may name the models.
func (b *blindVote) askNote() action.Action {
	p := &b.pairs[b.seen]
	return action.AskText{Title: "Note on both answers", Label: "note", Value: p.note, Many: true,
		Then: func(note string) action.Action {
			p.note = note
			b.view.relayout()
			var all action.Sequence
			for _, x := range p.answers {
				a := x.answer()
				separator := ""
				if x.note != "" && note != "" {
					separator = "\n"
				}
				all = append(all, action.Judge{Answer: a.ID, Rating: a.Rating, Winner: a.IsWinner,
					Note: x.note + separator + note})
			}
			return all
		}}
}
