package conversation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

// finder is the search in the conversation, or in the one answer that is read.
type finder struct {
	widget.Finder
	generation int
	turns      []int64  // of the whole session, ascending, those that hold the text
	asking     bool     // which turns hold the text is not known yet
	current    ref      // the match that was gone to
	target     target   // the match to go to
	line       partLine // where the match is that was gone to
	isStepping bool     // a match was gone to, here or in another answer
}

// target is a match in an answer that is on its way onto the screen; the zero value is none.
type target struct {
	ref
	number int // from 0
}

// FoundTurnsMsg answers [action.FindTurns].
type FoundTurnsMsg struct {
	Gen   int
	Turns []int64
}

// startFind lets the text to search for be typed, or edited.
func (c *Pane) startFind() action.Action {
	c.find.Start(c.keys, c.styles, c.w)
	c.flow.SetHeight(c.turnLines())
	return nil
}

// typeFind takes a key or a paste while the text to search for is typed.
func (c *Pane) typeFind(msg tea.Msg) action.Action {
	switch c.find.Update(msg) {
	case widget.FindChanged:
		return c.search()
	case widget.FindAccepted:
		return c.nextMatch(1)
	case widget.FindClosed:
		return c.closeFind()
	case widget.FindIgnored:
		return action.Unused{Key: msg.(keys.Press).String()}
	}
	return nil
}

// ClearFind ends a search; it tells whether there was one.
func (c *Pane) ClearFind() bool {
	had := c.IsFinding()
	if had {
		c.closeFind()
	}
	return had
}

func (c *Pane) closeFind() action.Action {
	c.find = finder{generation: c.find.generation + 1}
	c.flow.SetHeight(c.turnLines())
	c.rebuild()
	return nil
}

// search asks which turns hold the text.
func (c *Pane) search() action.Action {
	c.find.generation++
	c.find.turns, c.find.asking, c.find.current, c.find.target = nil, true, ref{}, target{}
	if c.find.Text == "" {
		return nil
	}
	return action.FindTurns{Text: c.find.Text, Gen: c.find.generation}
}

// FoundTurns takes the turns that hold the text.
func (c *Pane) FoundTurns(msg FoundTurnsMsg) {
	if msg.Gen == c.find.generation {
		c.find.turns, c.find.asking = msg.Turns, false
		c.rebuild()
	}
}

// nextMatch goes to the next place that holds the text, or the one before, from the focused answer on; turns outside
// the window are loaded first.
func (c *Pane) nextMatch(n int) action.Action {
	switch {
	case c.find.Text == "":
		return action.Notify{Severity: action.Info,
			Text: "No search yet" + c.keys.Phrase(keys.Conversation, keys.Find, ": %s starts a search") + "."}
	case c.find.asking:
		return nil
	}
	places := c.places()
	if len(places) == 0 {
		return action.Notify{Severity: action.Warn,
			Text: fmt.Sprintf("%q not found %s.", termtext.Line(c.find.Text), c.searched())}
	}
	from := c.find.current
	if from == (ref{}) {
		from = ref{turn: c.selected().turn}
	}
	at, exact := slices.BinarySearchFunc(places, from, compareRefs)
	switch {
	case n > 0 && exact && c.find.current != (ref{}):
		at++
	case n < 0:
		at--
	}
	c.find.current = places[(at+len(places))%len(places)]
	return c.goMatch(c.find.current)
}

func compareRefs(a, b ref) int {
	return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.answer, b.answer))
}

// places lists where the text is: prompts (answer 0) and answers of the
// window, and whole turns outside it.
func (c *Pane) places() []ref {
	var out []ref
	for _, id := range c.find.turns {
		t, ok := c.turn(id)
		if !ok {
			out = append(out, ref{turn: id})
			continue
		}
		if CountMatches(t.Prompt+"\n"+t.System, c.find.Text) > 0 {
			out = append(out, ref{turn: id})
		}
		for _, a := range t.Answers {
			if CountMatches(a.Text+"\n"+a.Note, c.find.Text) > 0 {
				out = append(out, ref{id, a.ID})
			}
		}
	}
	slices.SortFunc(out, compareRefs)
	return out
}

func (c *Pane) goMatch(place ref) action.Action {
	if _, ok := c.turn(place.turn); !ok {
		return c.load(history.Page{Around: place.turn})
	}
	c.GoTo(place.turn, place.answer)
	c.find.target = target{ref: place}
	c.seekMatch()
	return nil
}

// findHints are the keys that the line of the search shows.
func (c *Pane) findHints() []keys.Hint {
	if c.find.IsTyping {
		return keys.LineHints(c.keys, "find", "close")
	}
	hints := c.keys.Hints(keys.Conversation, keys.FindNext, keys.FindPrevious)
	for i := range hints {
		hints[i].Text = strings.TrimSuffix(hints[i].Text, " match")
	}
	return append(hints, keys.Hint{Key: c.keys.Key(keys.Everywhere, keys.Back), Text: "close"})
}

// searched names where a search looks.
func (c *Pane) searched() string {
	hasBranches := func(t history.Turn) bool { return len(t.Siblings) > 0 }
	if slices.ContainsFunc(c.turns.Window(), hasBranches) {
		return "on this branch"
	}
	return "in this session"
}

func (c *Pane) findLine() string {
	count := ""
	if len(c.find.turns) > 0 {
		count = format.Count(len(c.find.turns), "turn")
	} else if c.find.Text != "" && !c.find.asking {
		count = "not " + c.searched()
	}
	var hints []string
	for _, h := range c.findHints() {
		hints = append(hints, h.Key+" "+h.Text)
	}
	return termtext.Fit(" "+c.find.View(c.styles)+"   "+c.styles.Muted.Render(count)+
		c.styles.Faint.Render("   "+strings.Join(hints, "  ")), c.w)
}
