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
	document    markdown.Document
	blocks      []block // that stay as the text grows
	tail        []block
	words       int // of the whole text
	stableWords int // of the blocks that stay
	isWhole     bool
}

// block is a piece of a text that is rendered by itself.
type block struct {
	markdown.Block
	version uint64 // a block that is drawn as it was keeps it
	words   int
	rows    int // estimated, with the empty line above
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
	before := t.tail
	measured := func(b markdown.Block) block {
		made := block{Block: b, version: with.version(b), rows: with.rows(b)}
		if len(before) > 0 && before[0].version == made.version {
			made.words = before[0].words
		} else {
			made.words = format.Words(b.Source)
		}
		before = before[min(1, len(before)):]
		return made
	}
	for _, b := range t.document.Stable()[len(t.blocks):] {
		t.blocks = append(t.blocks, measured(b))
		t.stableWords += t.blocks[len(t.blocks)-1].words
	}
	t.tail, t.words = nil, t.stableWords
	for _, b := range t.document.Tail() {
		t.tail = append(t.tail, measured(b))
		t.words += t.tail[len(t.tail)-1].words
	}
}

// cutWhole cuts a text that does not grow any more.
func (with cutter) cutWhole(text string) cutText {
	t := cutText{document: markdown.NewDocument(text), words: format.Words(text), isWhole: true}
	for _, b := range t.document.Stable() {
		made := block{Block: b, version: with.version(b), rows: with.rows(b)}
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
				delete(c.rendered, flow.Key{Turn: turn, Answer: a.ID, Role: role, Index: i})
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

// What drawing the blocks that grow may take of the time, and how old they may get on the screen by that.
const (
	growingShare = 4 // of one core: a quarter
	maxRest      = 500 * time.Millisecond
	minRest      = 2 * time.Millisecond
)

// restedMsg ends the rest of a part that grows.
type restedMsg struct {
	generation int
	key        flow.Key
}

var _ part.InvisibleMsg = restedMsg{}

// Invisible implements [part.InvisibleMsg].
func (restedMsg) Invisible() {}

// rest keeps parts that grow from being drawn again for a time that depends on how long it took, and how many others
// grow on the screen.
func (c *Pane) rest(parts []rendering, took time.Duration) tea.Cmd {
	var cmds []tea.Cmd
	generation := c.generation
	pause := min(took*growingShare*time.Duration(max(c.growing, c.Beside, 1)), maxRest)
	for _, r := range parts {
		if r.grows && pause >= minRest {
			c.resting[r.key] = true
			cmds = append(cmds, tea.Tick(pause, func(time.Time) tea.Msg {
				return part.Result{To: c, Msg: restedMsg{generation, r.key}}
			}))
		}
	}
	return tea.Batch(cmds...)
}
