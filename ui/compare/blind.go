package compare

import (
	"fmt"
	"image"
	"math/rand/v2"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/service"
	"confab/ui/action"
	"confab/ui/frame"
	"confab/ui/keys"
)

// blind is a vote between pairs of answers whose makers are hidden: names,
// times, lengths and places are not shown, and sides are tossed.
type blind struct {
	pairs [][2]*cell // the first is shown on the left, as A
	at    int
	votes []cast // what was voted, for undo and for telling afterwards
	ended bool
}

// cast is a vote that was given, or a pair that was skipped.
type cast struct {
	pair    [2]*cell
	verdict service.Verdict // empty when skipped
	leaked  bool
}

// openBlind starts voting between all finished answers of one kind.
func (c *Compare) openBlind() action.Action {
	var done []*cell
	for _, x := range c.listed {
		if x.done() && (len(done) == 0 || (x.answer().Picture != nil) == (done[0].answer().Picture != nil)) {
			done = append(done, x)
		}
	}
	if len(done) < 2 {
		return action.Notify{Severity: action.Warn, Text: "Two finished answers of one kind are needed to vote."}
	}
	b := &blind{}
	for i, x := range done {
		for _, y := range done[i+1:] {
			pair := [2]*cell{x, y}
			if rand.IntN(2) == 1 {
				pair = [2]*cell{y, x}
			}
			b.pairs = append(b.pairs, pair)
		}
	}
	rand.Shuffle(len(b.pairs), func(i, j int) { b.pairs[i], b.pairs[j] = b.pairs[j], b.pairs[i] })
	c.blind = b
	c.showPair()
	return nil
}

// showPair sizes the readers of the pair and puts both at their start.
func (c *Compare) showPair() {
	if c.blind == nil || c.blind.ended {
		return
	}
	boxes := c.pairBoxes()
	for i, x := range c.blind.pairs[c.blind.at] {
		x.reader.SetSize(boxes[i].Dx()-2, boxes[i].Dy()-2)
		x.reader.SetShare(0)
	}
}

func (c *Compare) pairBoxes() []image.Rectangle {
	body := image.Rect(0, 0, c.w, max(c.h-3, 3))
	if c.w < 2*least {
		return []image.Rectangle{{Max: image.Pt(c.w, body.Dy()/2)}, image.Rect(0, body.Dy()/2, c.w, body.Dy())}
	}
	return across(body, 2)
}

// pairs returns the cells whose answers are on screen in a vote.
func (b *blind) cells() []*cell {
	if b.ended {
		return nil
	}
	return b.pairs[b.at][:]
}

// leaks tells which answer names a model, its own or another of the turn.
func (c *Compare) leaks(x *cell) bool {
	text := strings.ToLower(x.answer().Text)
	for _, o := range c.cells {
		name := strings.ToLower(o.model)
		family, _, _ := strings.Cut(name, "-")
		if strings.Contains(text, name) || len(family) > 4 && strings.Contains(text, family) {
			return true
		}
	}
	return false
}

// performBlind carries out the effects of voting.
func (c *Compare) performBlind(effect keys.Effect) (action.Action, tea.Cmd) {
	b := c.blind
	if b.ended {
		return nil, nil
	}
	verdicts := map[keys.Effect]service.Verdict{keys.VoteA: service.VoteA, keys.VoteB: service.VoteB, keys.VoteEqual: service.VoteEqual, keys.VoteBad: service.VoteBad, keys.VoteSkip: ""}
	pair := b.pairs[b.at]
	if v, ok := verdicts[effect]; ok {
		leaked := c.leaks(pair[0]) || c.leaks(pair[1])
		b.votes = append(b.votes, cast{pair, v, leaked})
		b.at++
		if b.at == len(b.pairs) {
			b.at--
			b.ended = true
		}
		c.showPair()
		if v == "" {
			return nil, nil
		}
		return action.Vote{Vote: service.Vote{AnswerA: pair[0].answer().ID, AnswerB: pair[1].answer().ID, Verdict: v, Blind: !leaked}}, nil
	}
	switch effect {
	case keys.UndoVote:
		return c.undoVote(), nil
	case keys.Down, keys.PageDown, keys.Up, keys.PageUp:
		n := map[keys.Effect]int{keys.Down: 1, keys.Up: -1, keys.PageDown: max(c.h-8, 1), keys.PageUp: -max(c.h-8, 1)}[effect]
		for _, x := range pair {
			x.reader.Scroll(n)
		}
	}
	return nil, nil
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

// blindLines draws the pair, or after the last one who was who.
func (c *Compare) blindLines() []string {
	b, s := c.blind, c.styles
	if b.ended {
		return c.revealed()
	}
	out := []string{" " + s.Strong.Render("blind vote") + s.Muted.Render(fmt.Sprintf("   pair %d of %d   names, times, lengths hidden; sides tossed", b.at+1, len(b.pairs)))}
	boxes := c.pairBoxes()
	rows := make([]strings.Builder, max(c.h-3, 3))
	for i, x := range b.pairs[b.at] {
		box := frame.Box{W: boxes[i].Dx(), H: boxes[i].Dy(), Styles: s, Title: string(rune('A' + i))}
		put(rows, boxes[i], frame.Lines(box, x.reader.View()))
	}
	for i := range rows {
		out = append(out, rows[i].String())
	}
	warning := ""
	for i, x := range b.pairs[b.at] {
		if c.leaks(x) {
			warning += fmt.Sprintf(" %c names a model: this vote does not count as blind.", 'A'+i)
		}
	}
	return append(out, s.Warning.Render(warning), "")
}

// revealed says, after the voting, who was who and how it went.
func (c *Compare) revealed() []string {
	s := c.styles
	out := []string{" " + s.Strong.Render("blind vote") + s.Muted.Render(fmt.Sprintf("   %d pairs seen", len(c.blind.votes))), ""}
	wins := map[string]int{}
	for _, v := range c.blind.votes {
		a, b := v.pair[0], v.pair[1]
		text := map[service.Verdict]string{service.VoteA: "better than", service.VoteB: "worse than", service.VoteEqual: "as good as", service.VoteBad: "as bad as", "": "skipped against"}[v.verdict]
		switch v.verdict {
		case service.VoteA:
			wins[a.model]++
		case service.VoteB:
			wins[b.model]++
		}
		line := fmt.Sprintf("  %s  %s %s  %s", a.model, a.state(c.now), text, b.model+"  "+b.state(c.now))
		if v.leaked {
			line += "   (not blind: a name was in the text)"
		}
		out = append(out, s.Text.Render(ansi.Truncate(line, max(c.w-1, 1), "…")))
	}
	out = append(out, "")
	for _, x := range c.cells {
		if n := wins[x.model]; n > 0 {
			out = append(out, s.Accent.Render(fmt.Sprintf("  %-32s %d won here", x.model, n)))
		}
	}
	return append(out, "", s.Faint.Render("  esc goes back; the table of wins counts every vote of the history"))
}
