package conversation

import (
	"image"
	"slices"
	"strings"

	"confab/history"
	"confab/themes"
	"confab/ui/flow"
	"confab/ui/markdown"
)

// The roles of the parts of a turn, from above downwards.
const (
	roleYou uint8 = iota + 1
	rolePrompt
	roleHead
	roleServiceNote
	roleReasoning
	roleBody
	roleEnding // why a text stops before its end
	roleNote
	roleWaiting // a prompt that is sent later
)

// The indexes of parts that are no block of a text.
const (
	indexWhole       = -1 - iota // an empty answer, or a text that is not yet cut
	indexFailure                 // why there is no answer
	indexSource                  // what an edit was made from, in the place of its picture
	indexWaiting                 // the place of an answer of which nothing has come
	indexFold                    // one line for all of a reasoning
	indexUnformatted             // a prompt of which all is shown; the first block of a text as it came, others follow
)

// blockIndex returns the number of the block that an index stands for, drawn or as it came; -1 for none.
func blockIndex(index int) int {
	if index <= indexUnformatted {
		return indexUnformatted - index
	}
	return max(index, -1)
}

// drawing names how a part is drawn. A part is rendered anew when its drawing changes.
type drawing struct {
	key     flow.Key
	version uint64      // of the text
	box     image.Point // of a picture: the cells it is drawn in
	imageID int         // of a picture: by which the terminal knows it, 0 for cells
	// of a text with code: the cells of its long lines that are left out, and the key that copies it
	sideways int
	codeKey  string
}

// rendering is the lines of a part.
type rendering struct {
	drawing
	lines []string
	grows bool // what it shows may become longer
}

// fits tells whether what was drawn can be shown until it is drawn as it is now: a picture of another size cannot.
func (d drawing) fits(now drawing) bool { return d.box == now.box && d.imageID == now.imageID }

// hasPicture tells whether the body of an answer is a picture.
func hasPicture(a history.Answer) bool { return a.State == history.Done && a.Picture != nil }

// hasText tells whether the body of an answer is a text, be it a part of one.
func hasText(a history.Answer) bool { return a.Picture == nil && strings.TrimSpace(a.Text) != "" }

// answerOf returns the turn and the answer that a part belongs to.
func (c *Pane) answerOf(key flow.Key) (history.Turn, history.Answer) {
	t, _ := c.turn(key.Turn)
	a, _ := t.Answer(key.Answer)
	return t, a
}

// rebuild makes the parts anew from the turns. It measures nothing that was not measured before: unknown heights are
// estimates.
func (c *Pane) rebuild() {
	if c.w == 0 {
		return
	}
	if c.isOutdated() {
		c.revision = c.turns.Revision()
		c.prepareChanges()
	}
	parts := c.spareParts[:0]
	c.order = c.order[:0]
	for i, t := range c.shownTurns() {
		if c.only != 0 {
			if a, ok := t.Answer(c.only); ok {
				parts = c.answerParts(parts, t, a)
			}
			continue
		}
		parts = append(parts, flow.Part{Key: flow.Key{Turn: t.ID, Role: roleYou}, Height: 1 + min(i, 1)},
			c.promptPart(t))
		for _, a := range t.Answers {
			c.order = append(c.order, ref{t.ID, a.ID})
			parts = append(parts, flow.Part{Key: flow.Key{Turn: t.ID, Answer: a.ID, Role: roleHead}, Height: 2})
			parts = c.answerParts(parts, t, a)
		}
	}
	if c.only == 0 && !c.turns.HasNewer() {
		for i := range c.turns.Waiting() {
			parts = append(parts, flow.Part{Key: flow.Key{Role: roleWaiting, Index: i}, Height: waitingLines,
				IsMeasured: true})
		}
	}
	isAtStart := c.only != 0 && !c.flow.IsFollowing() && c.flow.IsAtTop()
	if c.spareParts = c.flow.SetParts(parts); isAtStart { // also where a part comes before the first one
		c.flow.ToTop()
	}
}

// A prompt of more lines than maxPrompt shows its first foldedPrompt ones: a pasted file must not stand between a
// reader and the answers to it.
const (
	maxPrompt    = 16
	foldedPrompt = 12
)

func (c *Pane) promptPart(t history.Turn) flow.Part {
	key := flow.Key{Turn: t.ID, Role: rolePrompt}
	if c.showsWholePrompt(t) {
		key.Index = indexUnformatted
	}
	p := c.measured(key, 0, t.Prompt)
	if p.Height > maxPrompt && key.Index != indexUnformatted {
		p.Height = foldedPrompt + 1
	}
	return p
}

// showsWholePrompt tells whether a long prompt is shown whole: as one of its answers is shown unformatted, or because
// what is searched for may stand further down.
func (c *Pane) showsWholePrompt(t history.Turn) bool {
	if c.find.Text != "" && CountMatches(t.Prompt, c.find.Text) > 0 {
		return true
	}
	return slices.ContainsFunc(t.Answers, func(a history.Answer) bool { return c.view(a.ID).isUnformatted })
}

// unfold shows a long prompt whole, or folds it, while none of its answers is on screen.
func (c *Pane) unfold(t history.Turn) {
	on := !c.showsWholePrompt(t)
	for i, a := range t.Answers {
		c.view(a.ID).isUnformatted = on && i == 0
	}
	c.rebuild()
}

// answerParts adds the parts below the head of an answer.
func (c *Pane) answerParts(parts []flow.Part, t history.Turn, a history.Answer) []flow.Part {
	// What the service says is to be read before the answer, once a turn; a picture alone fills the pane, and its facts
	// say it.
	first := slices.IndexFunc(t.Answers, func(o history.Answer) bool { return o.ServiceNote == a.ServiceNote })
	hasServiceNote := a.ServiceNote != "" && !c.blind && (c.only == 0 || a.Picture == nil) &&
		t.Answers[first].ID == a.ID
	if hasServiceNote {
		parts = append(parts, c.measured(flow.Key{Turn: t.ID, Answer: a.ID, Role: roleServiceNote},
			1, a.ServiceNote))
	}
	parts = c.reasoningParts(parts, t, a)
	parts = c.bodyParts(parts, t, a)
	if a.Note != "" && !c.blind {
		parts = append(parts, c.measured(flow.Key{Turn: t.ID, Answer: a.ID, Role: roleNote},
			1, "note  "+a.Note))
	}
	return parts
}

func (c *Pane) bodyParts(parts []flow.Part, t history.Turn, a history.Answer) []flow.Part {
	key := flow.Key{Turn: t.ID, Answer: a.ID, Role: roleBody, Index: indexWhole}
	v := c.view(a.ID)
	switch {
	case hasPicture(a):
		if key.Index = 0; v.showsSource && t.SourceOf(a) != nil {
			key.Index = indexSource
		}
		_, picture := c.shownPicture(t, a)
		return append(parts, flow.Part{Key: key, Height: c.pictureHeight(picture)})
	case hasText(a):
		parts = c.blockParts(parts, key, a.Text, &v.body, v.isUnformatted)
		if c.endingText(a) != "" {
			ending := flow.Key{Turn: t.ID, Answer: a.ID, Role: roleEnding}
			parts = append(parts, flow.Part{Key: ending, Height: 2, IsMeasured: true})
		}
	case a.State == history.Done:
		parts = append(parts, c.measured(key, 1, a.WhyEmpty()))
	case !a.State.HasEnded() && !c.showsThinking(a):
		key.Index = indexWaiting
		parts = append(parts, flow.Part{Key: key, Height: c.above() + 1, IsMeasured: true})
	}
	if a.State == history.Failed && a.Failure != nil {
		key.Index = indexFailure
		parts = append(parts, c.measured(key, 1, a.Failure.Message))
	}
	return parts
}

// blockParts adds the parts of a text: its blocks, or an estimate until it is cut.
func (c *Pane) blockParts(parts []flow.Part, key flow.Key, text string, cut *cutText, asItCame bool) []flow.Part {
	if cut.Len() == 0 {
		if asItCame {
			key.Index = indexUnformatted
		}
		return append(parts, flow.Part{Key: key, Height: 1 + estimate(text, c.textWidth())})
	}
	first := len(parts)
	if !asItCame {
		parts = append(parts, cut.stableParts...)
	}
	for i := len(parts) - first; i < cut.Len(); i++ {
		if key.Index = i; asItCame {
			key.Index = indexUnformatted - i
		}
		p := flow.Part{Key: key, Height: estimateBlock(cut.Block(i), c.textWidth())}
		if r, ok := c.rendered.parts[key]; ok {
			p.IsMeasured = true
			if r.version == c.versionOf(cut, key.Index) || len(r.lines) > p.Height { // else it grew out of sight
				p.Height = len(r.lines)
			}
		}
		parts = append(parts, p)
	}
	if !asItCame {
		n := len(cut.stableParts)
		cut.stableParts = append(cut.stableParts, parts[first+n:first+len(cut.Stable())]...)
	}
	return parts
}

// showsThinking tells whether an answer has a line that says how long the model thought.
func (c *Pane) showsThinking(a history.Answer) bool {
	return strings.TrimSpace(a.Reasoning) != "" && !c.blind
}

// reasoningParts adds the reasoning of an answer: a line, and under it what the model wrote when that is unfolded.
func (c *Pane) reasoningParts(parts []flow.Part, t history.Turn, a history.Answer) []flow.Part {
	if !c.showsThinking(a) {
		return parts
	}
	key := flow.Key{Turn: t.ID, Answer: a.ID, Role: roleReasoning, Index: indexFold}
	parts = append(parts, flow.Part{Key: key, Height: c.above() + 1, IsMeasured: true})
	v := c.view(a.ID)
	if !v.showsReasoning {
		return parts
	}
	key.Index = indexWhole
	return c.blockParts(parts, key, a.Reasoning, &v.reasoning, false)
}

// measured returns a part with its exact height where it was rendered before, else with an estimate: lines above it
// and those of its text.
func (c *Pane) measured(key flow.Key, above int, text string) flow.Part {
	if r, ok := c.rendered.parts[key]; ok {
		return flow.Part{Key: key, Height: len(r.lines), IsMeasured: true}
	}
	return flow.Part{Key: key, Height: above + estimate(text, c.textWidth())}
}

// estimate guesses how many lines a text takes at a width, without wrapping it.
func estimate(text string, w int) int {
	lines := 0
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		lines += 1 + max(len(line)-1, 0)/max(w, 1)
	}
	return lines
}

// estimateBlock guesses how many lines a block takes, with the empty line above one that begins.
func estimateBlock(b *markdown.Block, w int) int {
	if b.IsContinuation {
		return estimate(b.Source, w)
	}
	return estimate(b.Source, w) + 1
}

// isDrawnAtOnce tells whether a part is one line that is made whenever the screen is drawn.
func isDrawnAtOnce(key flow.Key) bool {
	return key.Role == roleYou || key.Role == roleHead || key.Role == roleEnding ||
		key.Role == roleReasoning && key.Index == indexFold || key.Role == roleBody && key.Index == indexWaiting
}

// partLines returns the lines of a part: rendered where that was done, plain text meanwhile.
func (c *Pane) partLines(p flow.Part, selected ref, style themes.Style) []string {
	t, a := c.answerOf(p.Key)
	switch {
	case p.Key.Role == roleWaiting:
		return c.waitingLines(p.Key.Index)
	case t.ID == 0:
		return nil
	case p.Key.Role == roleYou:
		return c.youLines(t, p.Height)
	case p.Key.Role == roleHead:
		return []string{"", c.headLine(t, a, selected, style)}
	case isDrawnAtOnce(p.Key):
		return c.liveLines(p, a, selected)
	}
	now := c.pieceOf(p.Key)
	if r, ok := c.rendered.parts[p.Key]; ok && r.fits(now.drawing) {
		return r.lines
	}
	return c.plainLines(now)
}
