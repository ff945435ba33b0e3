package conversation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/flow"
	"confab/ui/keys"
	"confab/ui/textedit"
)

// finder is the search in the conversation.
type finder struct {
	typing bool
	text   string
	gen    int
	turns  []int64 // of the whole session, ascending, those that hold the text
	asked  bool
	at     ref
	jump   int64 // turn to go to once it is loaded
	want   int   // of the one answer that is read: the match to go to, from 1; 0 for none
	here   spot  // where the match stands that was gone to
	went   bool  // a match was gone to, here or in another answer
}

// FoundTurnsMsg answers [action.FindTurns].
type FoundTurnsMsg struct {
	Gen   int
	Turns []int64
}

func (f finder) column() int { return 7 + ansi.StringWidth(f.text) }

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
	switch msg.String() {
	case "backspace":
		c.find.text = textedit.WithoutLast(c.find.text)
		return c.refind()
	case "ctrl+u":
		c.find.text = ""
		return c.refind()
	}
	if msg.Text == "" {
		return nil
	}
	c.find.text += msg.Text
	return c.refind()
}

// ClearFind ends a search; it tells whether there was one.
func (c *Pane) ClearFind() bool {
	if c.find.text == "" && !c.find.typing {
		return false
	}
	c.closeFind()
	return true
}

func (c *Pane) closeFind() action.Action {
	c.find = finder{gen: c.find.gen + 1}
	c.flow.SetHeight(c.room())
	c.rebuild()
	return nil
}

// refind asks anew which turns hold the text.
func (c *Pane) refind() action.Action {
	c.find.gen++
	c.find.turns, c.find.asked, c.find.at = nil, true, ref{}
	if c.find.text == "" {
		return nil
	}
	return action.FindTurns{Text: c.find.text, Gen: c.find.gen}
}

// FoundTurns takes the turns that hold the text.
func (c *Pane) FoundTurns(msg FoundTurnsMsg) {
	if msg.Gen == c.find.gen {
		c.find.turns, c.find.asked = msg.Turns, false
		c.rebuild()
	}
}

// nextMatch goes to the next place that holds the text, or the one before,
// from the focused answer on; turns outside the window are loaded first.
func (c *Pane) nextMatch(n int) action.Action {
	if c.find.text == "" {
		return action.Notify{Severity: action.Info,
			Text: "Nothing is searched for" + c.keys.Phrase(keys.Conversation, keys.Find, ": %s starts a search") + "."}
	}
	if c.find.asked {
		return nil
	}
	places := c.places()
	from := c.find.at
	if from == (ref{}) {
		from = ref{turn: c.selected().turn}
	}
	at, exact := slices.BinarySearchFunc(places, from, compareRefs)
	switch {
	case n > 0 && exact && c.find.at != (ref{}):
		at++
	case n < 0:
		at--
	}
	if len(places) == 0 {
		return action.Notify{Severity: action.Warn,
			Text: fmt.Sprintf("%q is not in this session.", termtext.Line(c.find.text))}
	}
	at = (at%len(places) + len(places)) % len(places)
	c.find.at = places[at]
	return c.goMatch(places[at])
}

func compareRefs(a, b ref) int {
	if a.turn != b.turn {
		return int(max(min(a.turn-b.turn, 1), -1))
	}
	return int(max(min(a.answer-b.answer, 1), -1))
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
		if holds(t.Prompt, c.find.text) || holds(t.System, c.find.text) {
			out = append(out, ref{turn: id})
		}
		for _, a := range t.Answers {
			if holds(a.Text, c.find.text) || holds(a.Note, c.find.text) {
				out = append(out, ref{id, a.ID})
			}
		}
	}
	slices.SortFunc(out, compareRefs)
	return out
}

func holds(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

func (c *Pane) goMatch(place ref) action.Action {
	t, ok := c.Turn(place.turn)
	if !ok {
		c.find.jump = place.turn
		c.loading = true
		return action.LoadTurns{Page: history.Page{Around: place.turn, Limit: PageSize}}
	}
	c.GoTo(place.turn, place.answer)
	if a, _ := answerOf(t, place.answer); place.answer != 0 {
		for i, b := range c.blocks[textKey{a.ID, a.Version}] {
			if holds(b.Source, c.find.text) {
				c.flow.ToPart(flow.Key{Turn: t.ID, Answer: a.ID, Role: roleBody, Version: a.Version, Index: i}, 0)
				c.flow.ScrollBy(-2)
				break
			}
		}
	}
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
	} else if c.find.text != "" && !c.find.asked {
		count = "not in this session"
	}
	var hints []string
	for _, h := range c.findHints() {
		hints = append(hints, h.Key+" "+h.Text)
	}
	left := " " + c.styles.Key.Render("find") + "  " + c.styles.Text.Render(termtext.Line(c.find.text))
	return termtext.Fit(left+"   "+c.styles.Muted.Render(count)+c.styles.Faint.Render("   "+strings.Join(hints, "  ")),
		c.w)
}
