package conversation

import (
	"cmp"
	"slices"
	"strconv"

	"confab/history"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/flow"
	"confab/ui/keys"
)

// Rails stand left of every line of an answer, in the color of its model.
const (
	rail         = " ▎"
	selectedRail = " ▌"
)

// turnColors gives answers the colors of their models, which are told apart within a turn.
type turnColors struct {
	turn   int64
	models []string
	styles []themes.Style
}

func (c *turnColors) styleOf(s *themes.Styles, t history.Turn, model string) themes.Style {
	if c.turn != t.ID || c.styles == nil {
		c.turn, c.models = t.ID, t.Models()
		c.styles = s.ModelStyles(c.models)
	}
	if i := slices.Index(c.models, model); i >= 0 {
		return c.styles[i]
	}
	return s.ModelStyle(model)
}

// selected returns the answer that keys act on. It is on screen, whatever happened to the window since it was chosen:
// where the chosen one is out of sight, it is the first answer whose head is seen, else the first of which any line
// is. Where only a prompt is on screen it is that turn without an answer. A reader of one answer has no other.
func (c *Pane) selected() ref {
	if c.only != 0 || c.flow.Height() == 0 {
		return c.chosen
	}
	var first, headed, prompt ref
	for _, span := range c.flow.Visible() {
		k := span.Part.Key
		at := ref{k.Turn, k.Answer}
		switch {
		case k.Answer == 0:
			prompt = cmp.Or(prompt, at)
		case k.Role == roleHead && span.To < 2, // only the blank line above it
			k.Role == roleBody && k.Index == indexWaiting: // nothing that says whose it is
		case at == c.chosen:
			return at
		case k.Role == roleHead:
			headed = cmp.Or(headed, at)
		default:
			first = cmp.Or(first, at)
		}
	}
	return cmp.Or(headed, first, prompt)
}

// Focused returns the selected answer and its turn; ok is false where no answer is on screen. The turn is then the one
// whose prompt is seen, or none in an empty session.
func (c *Pane) Focused() (history.Turn, history.Answer, bool) {
	at := c.selected()
	t, ok := c.turn(at.turn)
	if !ok {
		return history.Turn{}, history.Answer{}, false
	}
	a, ok := t.Answer(at.answer)
	return t, a, ok
}

// target tells which answer keys act on.
func (c *Pane) target() string {
	at := c.selected()
	return strconv.FormatInt(at.turn, 10) + " " + strconv.FormatInt(at.answer, 10)
}

// IsFinding tells whether there is a search to be closed.
func (c *Pane) IsFinding() bool { return c.find.IsTyping || c.find.Text != "" }

// GoTo scrolls to an answer, or to the prompt of a turn when answer is 0, and selects it.
func (c *Pane) GoTo(turn, answer int64) {
	shown := c.shownTurns()
	if len(shown) == 0 {
		return
	}
	if turn == 0 {
		turn = shown[0].ID
	}
	t, ok := c.turn(turn)
	if !ok {
		return
	}
	c.chosen, c.goal = ref{turn: turn, answer: answer}, ref{}
	if c.w == 0 {
		c.goal = c.chosen
	}
	key, blank := flow.Key{Turn: turn, Role: roleYou}, 1
	if answer != 0 {
		key = flow.Key{Turn: turn, Answer: answer, Role: roleHead}
	} else if len(t.Answers) > 0 {
		c.chosen.answer = t.Answers[0].ID
	}
	if key.Role == roleYou && turn == shown[0].ID {
		blank = 0 // the first turn has no blank line above
	}
	c.flow.ScrollToPart(key, blank)
}

func (c *Pane) selectNewest() {
	c.chosen = ref{}
	if window := c.turns.Window(); len(window) > 0 {
		t := window[len(window)-1]
		c.chosen.turn = t.ID
		if len(t.Answers) > 0 {
			c.chosen.answer = t.Answers[0].ID
		}
	}
}

// neighbor returns the selected answer, or where it has gone the nearest one that stays, below it if there is one.
func (c *Pane) neighbor() ref {
	stays := func(r ref) bool {
		t, _ := c.turn(r.turn)
		_, ok := t.Answer(r.answer)
		return ok
	}
	at := c.selected()
	if at.answer == 0 || stays(at) {
		return c.chosen
	}
	i := max(slices.Index(c.order, at), 0)
	above := slices.Clone(c.order[:i])
	slices.Reverse(above)
	for _, r := range slices.Concat(c.order[i:], above) {
		if stays(r) {
			return r
		}
	}
	return ref{}
}

// keyAt returns the part at a row of the window, the zero key for none.
func (c *Pane) keyAt(y int) flow.Key {
	for _, span := range c.flow.Visible() {
		if y < span.To-span.From {
			return span.Part.Key
		}
		y -= span.To - span.From
	}
	return flow.Key{}
}

// scroll moves the window; the selection moves along when it leaves the screen.
func (c *Pane) scroll(n int) {
	c.chosen, c.find.target = c.selected(), target{}
	c.flow.ScrollBy(n)
	c.chosen = c.selected()
}

func (c *Pane) stepTurn(n int) action.Action {
	at, window := c.turns.IndexOf(c.selected().turn), c.turns.Window()
	if to := at + n; at >= 0 && to >= 0 && to < len(window) {
		c.GoTo(window[to].ID, 0)
	}
	return nil
}

// stepAnswer selects the next answer or the one before, over the border of a turn too.
func (c *Pane) stepAnswer(n int) action.Action {
	at, all := c.selected(), c.order
	i := slices.Index(all, at)
	if i < 0 { // only a prompt is on screen: its answers are below it
		i = slices.IndexFunc(all, func(r ref) bool { return r.turn == at.turn })
		if i < 0 {
			return nil
		}
		if n > 0 {
			n--
		}
	}
	if i += n; i < 0 || i >= len(all) {
		return nil
	}
	c.chosen = all[i]
	c.reveal(flow.Key{Turn: c.chosen.turn, Answer: c.chosen.answer, Role: roleHead})
	return nil
}

// reveal scrolls to a part unless it is on screen with some lines to spare.
func (c *Pane) reveal(key flow.Key) {
	if y := c.rowOf(key, 0); y < 0 || y >= c.turnLines()*2/3 {
		c.flow.ScrollToPart(key, 0)
	}
}

// whySideBySide says of a key that works on answers side by side how to get there, "" for any other key.
func (c *Pane) whySideBySide(msg keys.Press) string {
	e, ok := c.keys.Entry(keys.Compare, c.keys.Find(msg.KeyPressMsg, keys.LookupsIn(keys.Compare)).Command)
	if t, _, _ := c.Focused(); !ok || len(t.Answers) < 2 {
		return ""
	}
	return msg.String() + " (" + e.Short + ") needs answers side by side" +
		c.keys.Phrase(keys.Conversation, keys.CompareAnswers, "; %s shows them so") + "."
}
