package conversation

import (
	"hash/maphash"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/flow"
	"confab/ui/markdown"
	"confab/ui/part"
)

// cutText is a text that was cut into blocks. The zero value is one that was not cut yet.
type cutText struct {
	markdown.Document
	words       int         // of the whole text
	stableWords int         // of the blocks that stay as the text grows
	stableParts []flow.Part // of the first blocks that stay, as long as none of them is drawn again
}

// isOf reports whether the blocks are those of a text, which may be whole.
func (t *cutText) isOf(text string, isWhole bool) bool {
	return t.Text() == text && (t.IsWhole() || !isWhole) && text != ""
}

// grow cuts what has come of a text. Blocks that stay are neither cut nor counted again.
func (t *cutText) grow(text string) {
	if t.IsWhole() || !strings.HasPrefix(text, t.Text()) {
		*t = cutText{}
	}
	counted := len(t.Stable())
	t.Document = t.Grow(text)
	t.stableWords += countWords(t.Stable()[counted:])
	t.words = t.stableWords + countWords(t.Tail())
}

func countWords(blocks []markdown.Block) (words int) {
	for _, b := range blocks {
		words += format.Words(b.Source)
	}
	return words
}

// dropStable forgets the parts from a block on.
func (t *cutText) dropStable(index int) {
	t.stableParts = t.stableParts[:max(min(index, len(t.stableParts)), 0)]
}

// versionOf tells apart in which ways a block, or the text of it as it came, is drawn.
func (c *Pane) versionOf(cut *cutText, index int) uint64 {
	i := blockIndex(index)
	b := cut.Block(i)
	version := maphash.String(c.seed, strings.TrimRight(b.Source, " \t\r\n"))
	if cut.IsWhole() && b.DependsOnRest() { // it was drawn without what came later
		version++
	}
	if index <= indexUnformatted { // all empty lines at its end are drawn
		if version += 4 * uint64(len(b.Source)); cut.IsWhole() && i == cut.Len()-1 {
			version += 2
		}
	}
	return version
}

// growText cuts what has come of an answer that runs, unless nothing shows it. Each call cuts only what is new.
func (c *Pane) growText(turn int64, a history.Answer) {
	if a.State != history.Running || c.w == 0 {
		return
	}
	v := c.view(a.ID)
	grow := func(t *cutText, text string, role uint8) {
		if before := t.Len(); text != "" && text != t.Text() {
			t.grow(text)
			for i := t.Len(); i < before; i++ { // blocks that became one
				c.rendered.remove(flow.Key{Turn: turn, Answer: a.ID, Role: role, Index: i})
			}
		}
	}
	if hasText(a) {
		grow(&v.body, a.Text, roleBody)
	}
	if v.showsReasoning {
		grow(&v.reasoning, a.Reasoning, roleReasoning)
	}
}

// toggleReasoning unfolds what a model wrote before its answer, or folds it.
func (c *Pane) toggleReasoning() action.Action {
	t, a, _ := c.Focused()
	v := c.view(a.ID)
	v.showsReasoning = !v.showsReasoning
	c.growText(t.ID, a)
	c.rebuild()
	return nil
}

// textOf returns the text of an answer that parts of a role show.
func textOf(a history.Answer, role uint8) string {
	if role == roleReasoning {
		return a.Reasoning
	}
	return a.Text
}

// cutOf returns the blocks of the text that a part belongs to.
func (c *Pane) cutOf(key flow.Key) *cutText {
	if key.Role == roleReasoning {
		return &c.view(key.Answer).reasoning
	}
	return &c.view(key.Answer).body
}

// The share of the time in which the ends of growing texts are drawn, and how long the screen may lag behind them.
const (
	growingShare = 6 // a pause is so many times as long as the drawing, which is a seventh of one core
	maxDelay     = 250 * time.Millisecond
	minDelay     = 2 * time.Millisecond
	fastDelay    = 100 * time.Millisecond // of a text that comes faster than anybody reads:
	fastRate     = 5 << 10                // bytes a second
	maxUndelayed = 1 << 10                // bytes of a block that is drawn first while its text waits
)

// redrawMsg says that a text that grows may be drawn again, named by its textKey.
type redrawMsg struct {
	generation int
	key        flow.Key
}

// delayRedraw keeps the ends of texts that grow from being drawn again for a time that depends on how long it took, and
// how many others grow on the screen.
func (c *Pane) delayRedraw(parts []rendering, took time.Duration) tea.Cmd {
	var cmds []tea.Cmd
	generation := c.generation
	for _, r := range parts {
		pause := min(took*growingShare*time.Duration(max(c.growing, c.Beside, 1)), maxDelay)
		if c.isFast(r.key) {
			pause = max(pause, fastDelay)
		}
		if key := textKey(r.key); r.grows && pause >= minDelay && !c.delayed[key] {
			c.delayed[key] = true
			cmds = append(cmds, tea.Tick(pause, func(time.Time) tea.Msg {
				return part.Result{To: c, Msg: redrawMsg{generation, key}, Draws: part.DrawsNothing}
			}))
		}
	}
	return tea.Batch(cmds...)
}

// isFast tells whether a text comes faster than anybody reads.
func (c *Pane) isFast(key flow.Key) bool {
	_, a := c.answerOf(key)
	return float64(len(textOf(a, key.Role))) > fastRate*max(format.Elapsed(a.Started, c.now()).Seconds(), 1)
}

// isDelayed tells whether a piece waits until its text may be drawn again. One that begins is small, and drawn at once.
// Of a text that comes fast, blocks that stay wait too: most are gone from the screen before anybody has read them.
func (c *Pane) isDelayed(p piece) bool {
	switch {
	case !c.delayed[textKey(p.key)] || p.block == nil || p.answer.State.HasEnded():
		return false
	case !p.grows:
		return c.isFast(p.key)
	}
	_, isDrawn := c.rendered.parts[p.key]
	return isDrawn || len(p.block.Source) > maxUndelayed
}
