package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/frame"
	"confab/ui/keys"
	"confab/ui/layout"
)

// sidePane is the pane to the right of the conversation on a very wide screen. It
// shows what belongs to the focused answer and has no focus of its own.
type sidePane struct {
	root   *Model
	reader *conversation.Pane
	large  bool // a picture may be seen twice; kitty's placeholders are of one box
	shows  besideKey
	title  string
	bottom string
}

// besideKey names a state of an answer.
type besideKey struct {
	turn, answer int64
	version      int
	state        history.State
	note         string
}

// sync shows what belongs to the answer that is focused now: its picture as large
// as it fits, the next answer of its turn, or where there is no other one what
// the same model said the time before.
func (b *sidePane) sync(c *conversation.Pane, hint string) {
	t, a, ok := c.Focused()
	b.title, b.bottom = "Beside", ""
	var key besideKey
	if ok {
		t, a, ok = b.find(c, t, a, hint)
	}
	if ok {
		key = besideKey{t.ID, a.ID, a.Version, a.State, a.Note}
	}
	if key == b.shows {
		return
	}
	b.shows = key
	b.reader.ReadOnly(t, key.answer)
}

func (b *sidePane) find(c *conversation.Pane, t history.Turn, a history.Answer, hint string) (history.Turn,
	history.Answer, bool) {
	at := slices.IndexFunc(t.Answers, func(x history.Answer) bool { return x.ID == a.ID })
	switch {
	case b.large && a.Picture != nil && a.State == history.Done:
		b.title = "Picture  " + termtext.Line(a.Model)
		return t, a, true
	case len(t.Answers) > 1:
		next := (at + 1) % len(t.Answers)
		a = t.Answers[next]
		b.title, b.bottom = "Beside  "+termtext.Line(a.Model), fmt.Sprintf("%d of %d", next+1, len(t.Answers))
		if hint != "" {
			b.bottom += "   " + hint
		}
		return t, a, true
	}
	turns := c.Turns()
	for i := slices.IndexFunc(turns, func(x history.Turn) bool { return x.ID == t.ID }) - 1; i >= 0; i-- {
		for _, before := range turns[i].Answers {
			if before.Model == a.Model && before.State == history.Done {
				b.title = "Before  " + termtext.Line(before.Model)
				b.bottom = termtext.Line(format.FirstLine(turns[i].Prompt))
				return turns[i], before, true
			}
		}
	}
	return history.Turn{}, history.Answer{}, false
}

// besideWork asks for what the pane shows and does not have yet.
func (p *sidePane) work() (action.Action, tea.Cmd) {
	p.large = p.root.graphics.IDs() == nil
	p.sync(p.root.conversation, p.root.hintText(p.hints()))
	return p.reader.Work()
}

// besideHints are the keys in the border of the pane beside the conversation.
func (p *sidePane) hints() []keys.Hint {
	return p.root.keys.Hints(keys.Conversation, keys.CompareAnswers)
}

// besideLines draws the pane with its border.
func (p *sidePane) lines() []string {
	r, b := p.root.layout.Beside, p
	lines := b.reader.View()
	if b.shows.answer == 0 {
		w, _ := layout.Inner(r)
		lines = nil
		for _, line := range termtext.Wrap("What belongs to the focused answer stands here: the next answer of its turn, "+
			"its picture as large as it fits, or what the model said the time before.", max(w-2, 1)) {
			lines = append(lines, " "+p.root.styles.Faint.On(line))
		}
	}
	return frame.Lines(frame.Box{W: r.Dx(), H: r.Dy(), Title: b.title, Bottom: b.bottom, Styles: p.root.styles}, lines)
}
