package compare

import (
	"fmt"
	"image"
	"math/rand/v2"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/frame"
	"confab/ui/keys"
)

// blind is a vote between pairs of answers whose makers are hidden: names,
// times, lengths and places are not shown, and sides are tossed.
type blind struct {
	pairs   []pair
	at      int
	readers [2]*conversation.Pane
	votes   []cast // what was voted, for undo and for telling afterwards
	ended   bool
}

// pair is two answers; the first is shown on the left, as A.
type pair struct {
	seats  [2]seat
	leaked [2]bool // which of them names a model
	note   string  // on both
}

// seat is an answer as it was when the vote began, and whose it is.
type seat struct {
	name, state string
	turn        history.Turn
	answer      history.Answer
}

// cast is a vote that was given, or a pair that was skipped.
type cast struct {
	pair    pair
	verdict history.Verdict // empty when skipped
}

// openBlind starts voting between all finished answers of one kind. Two that say
// the same make no pair.
func (c *Compare) openBlind() action.Action {
	var done []*cell
	for _, x := range c.listed {
		if x.done() && (len(done) == 0 || x.isText() == done[0].isText()) {
			done = append(done, x)
		}
	}
	b := &blind{}
	for i, x := range done {
		for _, y := range done[i+1:] {
			if same(x.answer(), y.answer()) {
				continue
			}
			p := pair{seats: [2]seat{c.seatOf(x), c.seatOf(y)}}
			if c.toss(2) == 1 {
				p.seats[0], p.seats[1] = p.seats[1], p.seats[0]
			}
			for k := range p.seats {
				p.leaked[k] = c.leaks(p.seats[k].answer)
			}
			b.pairs = append(b.pairs, p)
		}
	}
	if len(b.pairs) == 0 {
		return action.Notify{Severity: action.Warn, Text: "Two finished answers of one kind that differ are needed to vote."}
	}
	for i := len(b.pairs) - 1; i > 0; i-- {
		j := c.toss(i + 1)
		b.pairs[i], b.pairs[j] = b.pairs[j], b.pairs[i]
	}
	for i := range b.readers {
		b.readers[i] = c.newReader()
	}
	c.blind = b
	c.showPair()
	return action.LoadWins{}
}

func toss(n int) int { return rand.IntN(n) }

func (c *Compare) seatOf(x *cell) seat {
	return seat{name: x.name, state: x.state(c.now), turn: x.turn(), answer: x.answer()}
}

// showPair sizes the readers of the pair and puts them at their start. They are
// not those of the cells, which keep their places.
func (c *Compare) showPair() {
	b := c.blind
	if b == nil || b.ended {
		return
	}
	for i, box := range c.pairBoxes() {
		b.readers[i].SetSize(box.Dx()-2, box.Dy()-2)
		s := b.pairs[b.at].seats[i]
		b.readers[i].ReadBlind(s.turn, s.answer.ID)
	}
}

func (c *Compare) pairBoxes() []image.Rectangle {
	body := image.Rect(0, 0, c.w, max(c.h-3, 3))
	if c.w < 2*least {
		return []image.Rectangle{{Max: image.Pt(c.w, body.Dy()/2)}, image.Rect(0, body.Dy()/2, c.w, body.Dy())}
	}
	return across(body, 2)
}

// leaks tells whether an answer names a model of the case, by its whole name or
// by the word that the name begins with.
func (c *Compare) leaks(a history.Answer) bool {
	text := strings.ToLower(a.Text)
	for _, x := range c.cells {
		for _, name := range []string{x.model, x.answer().ServedModel, x.answer().EngineModel} {
			name = strings.ToLower(name)
			family := name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz"))]
			if hasWord(text, name) || len(family) >= 4 && hasWord(text, family) {
				return true
			}
		}
		if hasWord(text, strings.ToLower(x.name)) {
			return true
		}
	}
	return false
}

// hasWord tells whether a text holds a name that is not part of a longer word.
func hasWord(text, name string) bool {
	letter := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80 }
	for from := 0; name != ""; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			break
		}
		start, end := from+at, from+at+len(name)
		if (start == 0 || !letter(text[start-1])) && (end == len(text) || !letter(text[end])) {
			return true
		}
		from = start + 1
	}
	return false
}

// performBlind carries out the commands of voting.
func (c *Compare) performBlind(command keys.Command) (action.Action, tea.Cmd) {
	b := c.blind
	if b.ended {
		return nil, nil
	}
	verdicts := map[keys.Command]history.Verdict{keys.VoteA: history.VoteA, keys.VoteB: history.VoteB,
		keys.VoteEqual: history.VoteEqual, keys.VoteBad: history.VoteBad, keys.VoteSkip: ""}
	if v, ok := verdicts[command]; ok {
		return b.vote(c, v), nil
	}
	switch command {
	case keys.UndoVote:
		return c.undoVote(), nil
	case keys.AddNote:
		return b.askNote(), nil
	case keys.Down, keys.PageDown, keys.Up, keys.PageUp:
		n := map[keys.Command]int{keys.Down: 1, keys.Up: -1, keys.PageDown: max(c.h-8, 1), keys.PageUp: -max(c.h-8, 1)}[command]
		for _, r := range b.readers {
			r.Scroll(n)
		}
	}
	return nil, nil
}

// vote notes a vote and goes to the next pair; after the last one it tells.
func (b *blind) vote(c *Compare, v history.Verdict) action.Action {
	p := b.pairs[b.at]
	b.votes = append(b.votes, cast{p, v})
	b.at++
	if b.at == len(b.pairs) {
		b.at--
		b.ended = true
	}
	c.showPair()
	if v == "" {
		return nil
	}
	return action.Vote{Vote: history.Vote{AnswerA: p.seats[0].answer.ID, AnswerB: p.seats[1].answer.ID, Verdict: v,
		Blind: !p.leaked[0] && !p.leaked[1]}}
}

func (c *Compare) undoVote() action.Action {
	b := c.blind
	if len(b.votes) == 0 {
		return action.Notify{Severity: action.Info, Text: "There is no vote to undo."}
	}
	last := b.votes[len(b.votes)-1]
	b.votes = b.votes[:len(b.votes)-1]
	b.at, b.ended = len(b.votes), false
	c.showPair()
	if last.verdict == "" {
		return nil
	}
	return action.UndoVote{}
}

// askNote asks for a note on the pair. It is put below the notes that the answers
// have, which are not shown: they may tell whose they are.
func (b *blind) askNote() action.Action {
	p := &b.pairs[b.at]
	return action.AskText{Title: "Note on A and B", Label: "note", Value: p.note, Many: true,
		Then: func(note string) action.Action {
			p.note = note
			var all action.Several
			for _, s := range p.seats {
				all = append(all,
					action.Judge{Answer: s.answer.ID, Rating: s.answer.Rating, Winner: s.answer.Winner,
						Note: below(s.answer.Note, note)})
			}
			return all
		}}
}

// below puts a note under another one.
func below(old, note string) string {
	if old == "" || note == "" {
		return old + note
	}
	return old + "\n" + note
}

// blindLines draws the pair, or after the last one who was who.
func (c *Compare) blindLines() []string {
	b, s := c.blind, c.styles
	if b.ended {
		return c.revealed()
	}
	facts := fmt.Sprintf("pair %d of %d", b.at+1, len(b.pairs))
	out := []string{" " + joinedBy(between,
		[]piece{{"blind vote", s.Strong}, {facts, s.Text}, {"names, times, lengths hidden; sides tossed", s.Muted}})}
	boxes := c.pairBoxes()
	rows := make([]strings.Builder, max(c.h-3, 3))
	warning := ""
	for i, r := range b.readers {
		name := string(rune('A' + i))
		put(rows, boxes[i], frame.Lines(frame.Box{W: boxes[i].Dx(), H: boxes[i].Dy(), Styles: s, Title: name}, r.View()))
		if b.pairs[b.at].leaked[i] {
			warning += " " + name + " names a model: this vote does not count as blind."
		}
	}
	for i := range rows {
		out = append(out, rows[i].String())
	}
	note := ""
	if n := b.pairs[b.at].note; n != "" {
		note = s.Info.Render(" note: " + termtext.Line(n))
	}
	return append(out, s.Warning.Render(warning), note)
}
