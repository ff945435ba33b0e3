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
	typing     bool
	input      widget.Field // in which the text is typed
	text       string
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

// findColumn is where the text that is searched for begins.
const findColumn = 7

// startFind lets the text to search for be typed, or edited.
func (c *Pane) startFind() action.Action {
	c.find.typing, c.find.input = true, widget.NewField(c.find.text, "")
	c.find.input.Styles = c.styles
	c.find.input.SetWidth(max(c.w/2, 1))
	c.flow.SetHeight(c.turnLines())
	return nil
}

// editFind gives a key or a paste to the text to search for.
func (c *Pane) editFind(msg tea.Msg) action.Action {
	if !c.find.input.Update(msg) {
		return nil
	}
	return c.setFindText(c.find.input.Value())
}

func (c *Pane) typeFind(msg keys.Press) action.Action {
	switch msg.LineCommand() {
	case keys.Accept:
		c.find.typing = false
		if c.find.text == "" {
			return c.closeFind()
		}
		return c.nextMatch(1)
	case keys.Close:
		return c.closeFind()
	}
	if !c.find.input.Edits(msg) {
		return action.Unused{Key: msg.String()}
	}
	return c.editFind(msg)
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

// setFindText searches for another text: it asks which turns hold it.
func (c *Pane) setFindText(text string) action.Action {
	if text == c.find.text {
		return nil
	}
	c.find.text = text
	c.find.generation++
	c.find.turns, c.find.asking, c.find.current, c.find.target = nil, true, ref{}, target{}
	if c.find.text == "" {
		return nil
	}
	return action.FindTurns{Text: c.find.text, Gen: c.find.generation}
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
	case c.find.text == "":
		return action.Notify{Severity: action.Info,
			Text: "Nothing is searched for" + c.keys.Phrase(keys.Conversation, keys.Find, ": %s starts a search") + "."}
	case c.find.asking:
		return nil
	}
	places := c.places()
	if len(places) == 0 {
		return action.Notify{Severity: action.Warn,
			Text: fmt.Sprintf("%q is not in this session.", termtext.Line(c.find.text))}
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
		t, ok := c.Turn(id)
		if !ok {
			out = append(out, ref{turn: id})
			continue
		}
		if CountMatches(t.Prompt+"\n"+t.System, c.find.text) > 0 {
			out = append(out, ref{turn: id})
		}
		for _, a := range t.Answers {
			if CountMatches(a.Text+"\n"+a.Note, c.find.text) > 0 {
				out = append(out, ref{id, a.ID})
			}
		}
	}
	slices.SortFunc(out, compareRefs)
	return out
}

func (c *Pane) goMatch(place ref) action.Action {
	if _, ok := c.Turn(place.turn); !ok {
		return c.load(history.Page{Around: place.turn})
	}
	c.GoTo(place.turn, place.answer)
	c.find.target = target{ref: place}
	c.seekMatch()
	return nil
}

// findHints are the keys that the line of the search shows.
func (c *Pane) findHints() []keys.Hint {
	if c.find.typing {
		return keys.LineHints(c.keys, "find", "close")
	}
	hints := c.keys.Hints(keys.Conversation, keys.FindNext, keys.FindPrevious)
	for i := range hints {
		hints[i].Text = strings.TrimSuffix(hints[i].Text, " match")
	}
	return append(hints, keys.Hint{Key: c.keys.Key(keys.Everywhere, keys.Back), Text: "close"})
}

func (c *Pane) findLine() string {
	count := ""
	if len(c.find.turns) > 0 {
		count = format.Count(len(c.find.turns), "turn")
	} else if c.find.text != "" && !c.find.asking {
		count = "not in this session"
	}
	var hints []string
	for _, h := range c.findHints() {
		hints = append(hints, h.Key+" "+h.Text)
	}
	text := termtext.Line(c.find.text)
	if c.find.typing {
		text, _ = c.find.input.Visible()
	}
	left := " " + c.styles.Key.Render("find") + "  " + c.styles.Text.Render(text)
	return termtext.Fit(left+"   "+c.styles.Muted.Render(count)+c.styles.Faint.Render("   "+strings.Join(hints, "  ")),
		c.w)
}
