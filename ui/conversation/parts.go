package conversation

import (
	"slices"
	"strings"

	"confab/history"
	"confab/ui/flow"
	"confab/ui/markdown"
)

// The roles of the parts of a turn, from above downwards.
const (
	roleYou uint8 = iota + 1
	rolePrompt
	roleHead
	roleTold
	roleBody
	roleNote
)

// wholeText is the index of a body that is not yet cut into blocks.
const wholeText = -1

// rebuild makes the parts anew from the turns. It measures nothing that was
// not measured before: unknown heights are estimates.
func (c *Pane) rebuild() {
	if c.w == 0 {
		return
	}
	var parts []flow.Part
	for i, t := range c.turns {
		parts = c.turnParts(parts, t, i == 0)
	}
	c.flow.SetParts(parts)
}

func (c *Pane) turnParts(parts []flow.Part, t history.Turn, first bool) []flow.Part {
	if c.only != 0 {
		a, _ := answerOf(t, c.only)
		if a.Picture == nil { // which fills the pane; its facts tell the same
			parts = c.toldParts(parts, t, a)
		}
		return c.noteParts(c.bodyParts(parts, t, a), t, a)
	}
	gap := 1
	if first {
		gap = 0
	}
	parts = append(parts, flow.Part{Key: flow.Key{Turn: t.ID, Role: roleYou}, Height: 1 + gap, Exact: true})
	parts = append(parts, c.promptPart(t))
	for _, a := range t.Answers {
		parts = append(parts, flow.Part{Key: flow.Key{Turn: t.ID, Answer: a.ID, Role: roleHead}, Height: 2, Exact: true})
		parts = c.bodyParts(c.toldParts(parts, t, a), t, a)
		parts = c.noteParts(parts, t, a)
	}
	return parts
}

// A prompt of more lines than mostPrompt shows its first foldedPrompt ones: a
// pasted file must not stand between a reader and the answers to it.
const (
	mostPrompt   = 16
	foldedPrompt = 12
)

func (c *Pane) promptPart(t history.Turn) flow.Part {
	key := flow.Key{Turn: t.ID, Role: rolePrompt}
	if c.unfolded(t) {
		key.Index = wholeText - 1
		return c.measured(key, func() int { return estimate(t.Prompt, c.textWidth()) })
	}
	return c.measured(key, func() int {
		if n := estimate(t.Prompt, c.textWidth()); n <= mostPrompt {
			return n
		}
		return foldedPrompt + 1
	})
}

// unfolded tells whether a long prompt is shown whole: as one of its answers is
// shown unformatted, or because what is searched for may stand further down.
func (c *Pane) unfolded(t history.Turn) bool {
	if c.find.text != "" && holds(t.Prompt, c.find.text) {
		return true
	}
	return slices.ContainsFunc(t.Answers, func(a history.Answer) bool { return c.raw[a.ID] })
}

// unfold shows a long prompt whole, or folds it, while none of its answers is on screen.
func (c *Pane) unfold(t history.Turn) {
	on := !c.unfolded(t)
	for _, a := range t.Answers {
		c.raw[a.ID] = false
	}
	c.raw[t.Answers[0].ID] = on
	c.rebuild()
}

// toldParts is what the service says of an answer, which is to be read before it.
func (c *Pane) toldParts(parts []flow.Part, t history.Turn, a history.Answer) []flow.Part {
	if a.ServiceNote == "" || c.blind {
		return parts
	}
	return append(parts, c.measured(flow.Key{Turn: t.ID, Answer: a.ID, Role: roleTold, Version: a.Version},
		func() int { return 1 + len(a.ServiceNote)/max(c.textWidth(), 1) }))
}

func (c *Pane) noteParts(parts []flow.Part, t history.Turn, a history.Answer) []flow.Part {
	if a.Note == "" || c.blind {
		return parts
	}
	return append(parts, c.measured(flow.Key{Turn: t.ID, Answer: a.ID, Role: roleNote, Version: a.Version},
		func() int { return 1 + estimate(a.Note, c.textWidth()-6) }))
}

// measured returns a part with its exact height where it was rendered before.
func (c *Pane) measured(key flow.Key, guess func() int) flow.Part {
	if lines, ok := c.lines[key]; ok {
		return flow.Part{Key: key, Height: len(lines), Exact: true}
	}
	return flow.Part{Key: key, Height: guess()}
}

func (c *Pane) bodyParts(parts []flow.Part, t history.Turn, a history.Answer) []flow.Part {
	key := flow.Key{Turn: t.ID, Answer: a.ID, Role: roleBody, Version: a.Version}
	switch {
	case a.State == history.Failed && a.Failure != nil:
		return append(parts, c.measured(key, func() int { return 1 + estimate(a.Failure.Message, c.textWidth()) }))
	case a.State != history.Done:
		return parts
	case a.Picture != nil:
		p, index := c.seen(t, a)
		key.Index = index
		return append(parts, flow.Part{Key: key, Height: c.canvas().pictureHeight(p), Exact: true})
	case strings.TrimSpace(a.Text) == "":
		return append(parts, flow.Part{Key: key, Height: 2, Exact: true})
	case c.raw[a.ID]:
		key.Index = wholeText - 1
		return append(parts, c.measured(key, func() int { return 1 + estimate(a.Text, c.textWidth()) }))
	}
	blocks, cut := c.blocks[textKey{a.ID, a.Version}]
	if !cut {
		key.Index = wholeText
		return append(parts, flow.Part{Key: key, Height: 1 + estimate(a.Text, c.textWidth())})
	}
	for i, b := range blocks {
		key.Index = i
		parts = append(parts, c.measured(key, func() int { return 1 + estimate(b.Source, c.textWidth()) }))
	}
	return parts
}

// estimate guesses how many lines a text takes at a width, without wrapping it.
func estimate(text string, w int) int {
	lines := 0
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		lines += 1 + max(len(line)-1, 0)/max(w, 1)
	}
	return lines
}

// partLines returns the lines of a part: rendered where that was done, plain
// text meanwhile.
func (c *Pane) partLines(p flow.Part) []string {
	t, ok := c.Turn(p.Key.Turn)
	if !ok {
		return nil
	}
	switch p.Key.Role {
	case roleYou:
		return c.youLines(t, p.Height)
	case roleHead:
		a, i := answerOf(t, p.Key.Answer)
		return []string{"", c.headLine(t, a, i)}
	}
	if lines, ok := c.lines[p.Key]; ok {
		return lines
	}
	return c.fallback(t, p)
}

// answerOf returns an answer of a turn and its place in it.
func answerOf(t history.Turn, id int64) (history.Answer, int) {
	for i, a := range t.Answers {
		if a.ID == id {
			return a, i
		}
	}
	return history.Answer{}, 0
}

// fallbackBytes bounds what is wrapped while drawing.
const fallbackBytes = 8 << 10

// fallback is the plain text of a part that is not rendered yet.
func (c *Pane) fallback(t history.Turn, p flow.Part) []string {
	if p.Key.Role == rolePrompt {
		return c.canvas().promptLines(clip(t.Prompt), p.Key)
	}
	a, _ := answerOf(t, p.Key.Answer)
	if p.Key.Role == roleNote || p.Key.Role == roleTold || p.Key.Index < wholeText || a.State == history.Failed ||
		a.Picture != nil || strings.TrimSpace(a.Text) == "" {
		a.Text = clip(a.Text)
		return c.canvas().simpleLines(p.Key, t, a, preview{})
	}
	source := a.Text
	if blocks := c.blocks[textKey{a.ID, a.Version}]; p.Key.Index >= 0 && p.Key.Index < len(blocks) {
		source = blocks[p.Key.Index].Source
	}
	return c.canvas().top(p.Key, pad(markdown.Plain(clip(source), c.textWidth())))
}

func clip(s string) string {
	if len(s) > fallbackBytes {
		return s[:fallbackBytes]
	}
	return s
}

// pad puts the empty line above a body and the margin left of it.
func pad(lines []string) []string {
	out := make([]string, 0, len(lines)+1)
	out = append(out, "")
	for _, l := range lines {
		out = append(out, " "+l)
	}
	return out
}
