package compare

import (
	"fmt"
	"image"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// blindVote is a [mode] to vote between pairs of answers without their names, times and lengths, in random order and
// on random sides.
type blindVote struct {
	part.Commands
	view     *View
	pairs    []votePair
	seen     int // pairs that were voted on or skipped, and index of the next one
	readers  [2]*conversation.Pane
	hasEnded bool
}

// votePair is two answers; the first is shown on the left, as A.
type votePair struct {
	answers    [2]blindAnswer
	note       string             // on both
	preference history.Preference // empty when skipped
}

// blindAnswer is an answer at the time when the vote began, with its hidden facts.
type blindAnswer struct {
	sample
	name, state string
	note        string
	namesModel  bool // in its text
}

// isBlind reports whether neither answer names a model.
func (p votePair) isBlind() bool { return !p.answers[0].namesModel && !p.answers[1].namesModel }

// openVote starts a vote between all finished answers of one kind. It omits identical pairs.
func (v *View) openVote() action.Action {
	var done []blindAnswer
	for _, x := range v.listed {
		if x.isDone() && (len(done) == 0 || x.isText() == (done[0].answer().Picture == nil)) {
			done = append(done,
				blindAnswer{x.distinct[x.sampleIndex].sample, x.name, x.stateText(v.env.Now()), x.answer().Note,
					v.namesModel(x.answer())})
		}
	}
	b := &blindVote{view: v}
	b.Commands = voting.For(b, v.env.Keys)
	for i, x := range done {
		for _, y := range done[i+1:] {
			if isIdentical(x.answer(), y.answer()) {
				continue
			}
			p := votePair{answers: [2]blindAnswer{x, y}}
			if v.randIntn(2) == 1 {
				p.answers[0], p.answers[1] = p.answers[1], p.answers[0]
			}
			b.pairs = append(b.pairs, p)
		}
	}
	if len(b.pairs) == 0 {
		return action.Notify{Severity: action.Warn,
			Text: "Two finished answers of one kind that differ are needed to vote."}
	}
	for i := len(b.pairs) - 1; i > 0; i-- {
		j := v.randIntn(i + 1)
		b.pairs[i], b.pairs[j] = b.pairs[j], b.pairs[i]
	}
	for i := range b.readers {
		b.readers[i] = v.session.NewReader()
	}
	v.mode = b
	v.relayout()
	return action.LoadWins{Run: v.content.Run}
}

// boxes shows the pair side by side, or one above the other on a narrow screen.
func (b *blindVote) boxes() (boxes []box) {
	v := b.view
	if b.hasEnded {
		return nil
	}
	body := v.body()
	middle := body.Dy() / 2
	rects := []image.Rectangle{image.Rect(0, 0, v.w, middle), image.Rect(0, middle, v.w, body.Dy())}
	if v.w >= 2*minBoxWidth && !v.styles.ScreenReader {
		rects = divide(image.Rect(0, 0, v.w, body.Dy()), 2)
	}
	for i, x := range b.pairs[b.seen].answers {
		shown := box{rect: rects[i], title: answerLetter(i)}
		shown.read(b.readers[i])
		b.readers[i].ReadBlind(x.turnID, x.id)
		boxes = append(boxes, shown)
	}
	return boxes
}

func answerLetter(i int) string { return string(rune('A' + i)) }

// modelFamily matches the word at the start of a model's name.
var modelFamily = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z]{4,}`)
})

// namesModel reports whether an answer contains the name of a model of the case, or its first word.
func (v *View) namesModel(a history.Answer) bool {
	var names []string
	for _, x := range v.cells {
		models := []string{x.model, x.answer().ServedModel, x.answer().EngineModel}
		names = append(append(names, x.name), models...)
		for _, model := range models {
			names = append(names, modelFamily().FindString(model))
		}
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = regexp.QuoteMeta(strings.ToValidUTF8(name, "\uFFFD"))
	}
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
	const notLetter = `[^\p{L}\p{M}\p{N}]`
	words := regexp.MustCompile(`(?i)(^|` + notLetter + `)(` + strings.Join(names, "|") + `)($|` + notLetter + `)`)
	return len(names) > 0 && words.MatchString(a.Text)
}

var voting = part.Table[*blindVote]{Scope: keys.Voting, Refuses: (*blindVote).refuse,
	Bindings: []part.Binding[*blindVote]{
		castVote("vote_a", "a", "A better", "A is better", history.VoteA),
		castVote("vote_b", "b", "B better", "B is better", history.VoteB),
		castVote("vote_equal", "e", "equal", "They are as good as each other", history.VoteEqual),
		castVote("vote_bad", "x", "both bad", "Neither is any good", history.VoteBad),
		castVote("vote_skip", "s", "skip", "No vote on this pair", ""),
		{Command: "undo_vote", Keys: "u", Short: "undo", Long: "Take the newest vote back",
			Refuses: func(b *blindVote) string { return textIf(b.seen == 0, "There is no vote to undo.") },
			Rank:    part.RankIf(2, func(b *blindVote) bool { return b.seen > 0 && !b.hasEnded }),
			Do:      (*blindVote).undo},
		{Command: keys.AddNote, Keys: "m", Acts: true, Short: "note",
			Long: "Write a note on the pair; it is kept with both answers", Rank: part.RankIf(3, (*blindVote).isOpen),
			Do: (*blindVote).askNote},
		scrollVote(1, keys.Down, "j down", "down", "Both a line down"),
		scrollVote(-1, keys.Up, "k up", "up", "Both a line up"),
		scrollVote(1, keys.PageDown, "pgdown space", "page down", "Both a page down"),
		scrollVote(-1, keys.PageUp, "pgup", "page up", "Both a page up"),
	}}

func castVote(c keys.Command, bound, short, long string, preference history.Preference) part.Binding[*blindVote] {
	return part.Binding[*blindVote]{Command: c, Keys: bound, Short: short, Long: long, Acts: preference != "",
		Rank: part.RankIf(1, (*blindVote).isOpen),
		Do:   func(b *blindVote) action.Action { return b.cast(preference) }}
}

func scrollVote(moves int, c keys.Command, bound, short, long string) part.Binding[*blindVote] {
	return part.Binding[*blindVote]{Command: c, Keys: bound, Short: short, Long: long, Moves: moves,
		Do: func(b *blindVote) action.Action {
			lines, _ := c.Lines(max(b.view.h-8, 1), 0, 0)
			b.scroll(lines)
			return nil
		}}
}

func (b *blindVote) isOpen() bool { return !b.hasEnded }

func (b *blindVote) refuse(keys.Command) string { return textIf(b.hasEnded, "The vote has ended.") }

func (b *blindVote) scroll(n int) {
	for _, r := range b.readers {
		r.Scroll(n)
	}
}

func (b *blindVote) position() string {
	return b.readers[0].Position() + b.readers[1].Position()
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
	b.seen++
	b.hasEnded = b.seen == len(b.pairs)
	b.view.relayout()
	if preference == "" {
		return nil
	}
	return action.Vote{Vote: history.Vote{AnswerA: p.answers[0].id, AnswerB: p.answers[1].id,
		Preference: preference, IsBlind: p.isBlind()}}
}

func (b *blindVote) undo() action.Action {
	b.seen--
	b.view.relayout()
	if b.pairs[b.seen].preference == "" {
		return nil
	}
	return action.UndoVote{}
}

// askNote asks for a note and appends it to those of both answers, which stay hidden: they may name the models.
func (b *blindVote) askNote() action.Action {
	p := &b.pairs[b.seen]
	return action.AskText{Title: "Note on A and B", Label: "note", Value: p.note, Many: true,
		Then: func(note string) action.Action {
			p.note = note
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

// lines draws a head, the pair, a warning if an answer names a model, and the note on both.
func (b *blindVote) lines() []string {
	if b.hasEnded {
		return b.resultLines()
	}
	v := b.view
	s, pair, hidden := v.styles, b.pairs[b.seen], "names, times, lengths hidden"
	if v.w >= 80 {
		hidden += "; sides by chance"
	}
	head := widget.Pieces{piece("blind vote", s.Strong), piece(fmt.Sprintf("pair %d of %d", b.seen+1, len(b.pairs)),
		s.Text), piece(hidden, s.Muted)}
	warning, note := "", ""
	for i, x := range pair.answers {
		if x.namesModel {
			warning += " " + answerLetter(i) + " names a model: this vote does not count as blind."
		}
	}
	if pair.note != "" {
		note = s.Info.Render(" note: " + termtext.Line(pair.note))
	}
	return slices.Concat([]string{" " + head.Join(lineGap).String()}, v.bodyLines(),
		[]string{s.Warning.Render(warning), note})
}

// resultLines draws the votes with the names of the models.
func (b *blindVote) resultLines() []string {
	v := b.view
	s, seen := v.styles, b.pairs[:b.seen]
	head := widget.Pieces{piece("blind vote", s.Strong), piece(format.Count(len(seen), "pair")+" seen", s.Muted)}
	out := []string{" " + head.Join(lineGap).String(), ""}
	width := 0
	for _, p := range seen {
		for _, a := range p.answers {
			width = max(width, min(ansi.StringWidth(termtext.Line(a.name)), max(v.w/4, 8)))
		}
	}
	comparisons := map[history.Preference]string{history.VoteA: "better than", history.VoteB: "worse than",
		history.VoteEqual: "as good as", history.VoteBad: "as bad as", "": "skipped, beside"}
	between := 0
	for _, p := range seen {
		between = max(between, len(comparisons[p.preference]))
	}
	named := func(x blindAnswer) string {
		return v.nameStyle(x.name, s.Text).On(termtext.Fit(termtext.Line(x.name), width)) +
			s.Text.On(fmt.Sprintf(" %8s", x.state))
	}
	var pairs []string
	for _, p := range seen {
		line := "  " + named(p.answers[0]) + s.Text.On(fmt.Sprintf("  %-*s  ", between, comparisons[p.preference])) +
			named(p.answers[1])
		if !p.isBlind() {
			line += s.Text.On("  not blind")
		}
		pairs = append(pairs, ansi.Truncate(line, max(v.w-1, 1), "…"))
	}
	about, table := "wins over the whole history", winsLines(v.wins.wins, v.env.Keys, v.w-4, s)
	if v.content.Run != 0 {
		about, table = "votes on the run", votesLines(v.wins.votes, v.env.Keys, v.w-4, s)
	}
	height := max(v.h-len(out)-len(table)-4, 1)
	if more := len(pairs) - height; more > 0 {
		pairs = append(pairs[:height:height], s.Faint.Render(fmt.Sprintf("  … and %d more", more)))
	}
	out = append(append(out, pairs...), "", " "+s.Strong.Render(about))
	for _, line := range table {
		out = append(out, "  "+line)
	}
	return out
}
