package conversation

import (
	"hash/maphash"
	"strings"
	"time"
	"unicode/utf8"

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
	document markdown.Document
	blocks   []block // that stay as the text grows
	tail     []block
	words    int // of the whole text
	isWhole  bool
	settled  []flow.Part // of the first blocks that stay, as long as none of them is drawn again

	countedBytes, countedWords int // of the beginning that is not counted again
}

// block is a piece of a text that is rendered by itself.
type block struct {
	markdown.Block
	version uint64 // a block that is drawn as it was keeps it
	rows    int    // estimated, with the empty line above
}

// cutter is what blocks are made with.
type cutter struct {
	seed  maphash.Seed
	width int
}

func (c *Pane) cutter() cutter { return cutter{c.seed, c.textWidth()} }

// len returns the number of blocks.
func (t *cutText) len() int { return len(t.blocks) + len(t.tail) }

// at returns a block.
func (t *cutText) at(i int) *block {
	if i < len(t.blocks) {
		return &t.blocks[i]
	}
	return &t.tail[i-len(t.blocks)]
}

// version tells how a block is drawn, or the text of it as it came: with all empty lines at its end.
func (t *cutText) version(index int) uint64 {
	i := blockIndex(index)
	version := t.at(i).version
	if index <= indexUnformatted {
		if version += 4 * uint64(len(t.at(i).Source)); t.isWhole && i == t.len()-1 {
			version += 2
		}
	}
	return version
}

// isOf reports whether the blocks are those of a text, which may be whole.
func (t *cutText) isOf(text string, isWhole bool) bool {
	return t.document.Text() == text && (t.isWhole || !isWhole) && text != ""
}

// grow cuts what has come of a text. Blocks that stay are neither cut nor counted again.
func (t *cutText) grow(text string, with cutter) {
	if t.isWhole || !strings.HasPrefix(text, t.document.Text()) {
		*t = cutText{}
	}
	t.document = t.document.Grow(text)
	for _, b := range t.document.Stable()[len(t.blocks):] {
		t.blocks = append(t.blocks, with.block(b))
	}
	t.tail = nil
	for _, b := range t.document.Tail() {
		t.tail = append(t.tail, with.block(b))
	}
	t.countWords()
}

// maxUncounted is how many bytes without a blank are counted again whenever the text grows.
const maxUncounted = 4 << 10

// countWords counts the words of the text, those before its last blank once.
func (t *cutText) countWords() {
	rest := t.document.Text()[t.countedBytes:]
	n := strings.LastIndexAny(rest, " \n") + 1
	if n == 0 && len(rest) > maxUncounted {
		_, last := utf8.DecodeLastRuneInString(rest)
		n = len(rest) - last
	}
	t.countedWords += format.Words(rest[:n])
	t.countedBytes += n
	t.words = t.countedWords + format.Words(rest[n:])
}

func (with cutter) block(b markdown.Block) block {
	return block{Block: b, version: with.version(b), rows: with.rows(b)}
}

// cutWhole cuts a text that does not grow any more.
func (with cutter) cutWhole(text string) cutText {
	t := cutText{document: markdown.NewDocument(text), words: format.Words(text), isWhole: true}
	for _, b := range t.document.Stable() {
		made := with.block(b)
		if b.DependsOnRest() { // it was drawn without what came later
			made.version++
		}
		t.blocks = append(t.blocks, made)
	}
	return t
}

// version tells blocks apart that are drawn in other ways.
func (with cutter) version(b markdown.Block) uint64 {
	return maphash.String(with.seed, strings.TrimRight(b.Source, " \t\r\n"))
}

func (with cutter) rows(b markdown.Block) int {
	rows := estimate(b.Source, with.width)
	if !b.IsContinuation {
		rows++
	}
	return rows
}

// unsettle forgets the parts from a block on.
func (t *cutText) unsettle(index int) {
	t.settled = t.settled[:max(min(index, len(t.settled)), 0)]
}

// estimateRows estimates the rows of all blocks for another width.
func (t *cutText) estimateRows(with cutter) {
	for i := range t.len() {
		t.at(i).rows = with.rows(t.at(i).Block)
	}
}

// growText cuts what has come of an answer that runs, unless nothing shows it: it is little every time.
func (c *Pane) growText(turn int64, a history.Answer) {
	if a.State != history.Running || c.w == 0 {
		return
	}
	v := c.view(a.ID)
	grow := func(t *cutText, text string, role uint8) {
		if before := t.len(); text != "" {
			t.grow(text, c.cutter())
			for i := t.len(); i < before; i++ { // blocks that became one
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
func (c *Pane) toggleReasoning(t history.Turn, a history.Answer) action.Action {
	if !c.showsThinking(a) {
		return action.Unused{Why: "This answer came without any reasoning."}
	}
	v := c.view(a.ID)
	v.showsReasoning = !v.showsReasoning
	c.growText(t.ID, a)
	c.rebuild()
	return nil
}

// textOf returns the text of a part's answer that its role shows, and the blocks it was cut into.
func (c *Pane) textOf(key flow.Key, a history.Answer) (string, *cutText) {
	if key.Role == roleReasoning {
		return a.Reasoning, &c.view(a.ID).reasoning
	}
	return a.Text, &c.view(a.ID).body
}

// What drawing the ends of texts that grow may take of the time, and how old they may get on the screen by that.
const (
	growingShare = 6 // of one core: a seventh
	maxRest      = 250 * time.Millisecond
	minRest      = 2 * time.Millisecond
	fastRest     = 100 * time.Millisecond // of a text that comes faster than anybody reads:
	fastRate     = 5 << 10                // bytes a second
	maxUnrested  = 1 << 10                // bytes of a block that is drawn first while its text rests
)

// restedMsg ends the rest of a text that grows, named by its textKey.
type restedMsg struct {
	generation int
	key        flow.Key
}

var _ part.InvisibleMsg = restedMsg{}

// Invisible implements [part.InvisibleMsg].
func (restedMsg) Invisible() {}

// rest keeps the ends of texts that grow from being drawn again for a time that depends on how long it took, and how
// many others grow on the screen.
func (c *Pane) rest(parts []rendering, took time.Duration) tea.Cmd {
	var cmds []tea.Cmd
	generation := c.generation
	for _, r := range parts {
		pause := min(took*growingShare*time.Duration(max(c.growing, c.Beside, 1)), maxRest)
		if c.isFast(r.key) {
			pause = max(pause, fastRest)
		}
		if key := textKey(r.key); r.grows && pause >= minRest && !c.resting[key] {
			c.resting[key] = true
			cmds = append(cmds, tea.Tick(pause, func(time.Time) tea.Msg {
				return part.Result{To: c, Msg: restedMsg{generation, key}}
			}))
		}
	}
	return tea.Batch(cmds...)
}

// isFast tells whether a text comes faster than anybody reads.
func (c *Pane) isFast(key flow.Key) bool {
	_, a := c.answerOf(key)
	text, _ := c.textOf(key, a)
	return float64(len(text)) > fastRate*max(c.now.Sub(a.Started).Seconds(), 1)
}

// isResting tells whether a piece waits until its text has rested. One that begins is small, and drawn at once. Of a
// text that comes fast, blocks that stay wait too: most are gone from the screen before anybody has read them.
func (c *Pane) isResting(p piece) bool {
	switch {
	case !c.resting[textKey(p.key)] || p.block == nil || p.answer.State.HasEnded():
		return false
	case !p.grows:
		return c.isFast(p.key)
	}
	return c.rendered.of(p.key) != nil || len(p.block.Source) > maxUnrested
}
