package conversation

import (
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/flow"
	"confab/ui/graphics"
	"confab/ui/markdown"
)

// cutMsg brings texts cut into blocks.
type cutMsg struct {
	pane   *Pane
	blocks map[textKey][]markdown.Block
}

// countedMsg brings how many words texts have, by answer.
type countedMsg struct {
	pane  *Pane
	words map[int64]int
}

// drawnMsg brings rendered parts; those of another generation are stale.
type drawnMsg struct {
	pane  *Pane
	gen   int
	lines map[flow.Key][]string
	ids   map[flow.Key]int // of pictures: what they were drawn by
}

// job is one part to be rendered.
type job struct {
	key    flow.Key
	turn   history.Turn
	answer history.Answer
	block  *markdown.Block
	seen   preview
}

// maxLines bounds the rendered lines that are kept.
const maxLines = 40_000

// Work asks for what the screen and the next screenful need and do not have
// yet: pictures as actions, cutting and rendering as a command. The root calls
// it after every update; with nothing to do it returns nothing.
func (c *Pane) Work() (action.Action, tea.Cmd) {
	if c.w == 0 || len(c.turns) == 0 {
		return nil, nil
	}
	c.at = c.selected() // what is on screen now stays selected
	var wishes action.Several
	var jobs []job
	cuts, counts := map[textKey]string{}, map[int64]string{}
	for _, span := range c.flow.Around(c.h) {
		key := span.Part.Key
		if key.Role == roleHead {
			c.wantWords(key, counts)
		}
		if _, done := c.lines[key]; done || key.Role == roleYou || key.Role == roleHead || c.pending[key] {
			continue
		}
		t, _ := c.Turn(key.Turn)
		a, _ := answerOf(t, key.Answer)
		j := job{key: key, turn: t, answer: a}
		switch {
		case key.Role == roleBody && key.Index == wholeText && isText(a):
			if tk := (textKey{a.ID, a.Version}); !c.pending[tk] {
				c.pending[tk] = true
				cuts[tk] = a.Text
			}
			continue
		case key.Role == roleBody && key.Index >= 0 && isText(a):
			blocks := c.blocks[textKey{a.ID, a.Version}]
			if key.Index >= len(blocks) {
				continue
			}
			j.block = &blocks[key.Index]
		case key.Role == roleBody && a.Picture != nil && draws(c.profile):
			p, _ := c.seen(t, a)
			if p.TooLarge || p.Path == "" {
				break
			}
			seen, loaded := c.previews[p.Path]
			if !loaded {
				if !c.pending[p.Path] {
					c.pending[p.Path] = true
					wishes = append(wishes, action.LoadPicture{Path: p.Path})
				}
				continue
			}
			j.seen = seen
			j.seen.id = c.seenID(p)
		}
		c.pending[key] = true
		jobs = append(jobs, j)
	}
	wishes = append(wishes, c.wantTurns()...)
	var wish action.Action
	if len(wishes) > 0 {
		wish = wishes
	}
	return wish, tea.Batch(c.cut(cuts), c.draw(jobs), count(c, counts))
}

func isText(a history.Answer) bool {
	return a.State == history.Done && a.Picture == nil && strings.TrimSpace(a.Text) != ""
}

// counting is the counting of an answer's words, as work under way.
type counting int64

// wantWords notes the text of an answer whose words were not counted. A text does
// not change any more once it is there.
func (c *Pane) wantWords(key flow.Key, counts map[int64]string) {
	if _, counted := c.words[key.Answer]; counted || c.pending[counting(key.Answer)] {
		return
	}
	t, _ := c.Turn(key.Turn)
	if a, _ := answerOf(t, key.Answer); isText(a) {
		c.pending[counting(a.ID)] = true
		counts[a.ID] = a.Text
	}
}

// count counts the words of texts as all words are counted here.
func count(c *Pane, texts map[int64]string) tea.Cmd {
	if len(texts) == 0 {
		return nil
	}
	return func() tea.Msg {
		words := make(map[int64]int, len(texts))
		for id, text := range texts {
			words[id] = format.MeasureText(text).Words
		}
		return countedMsg{pane: c, words: words}
	}
}

// wantTurns asks for further turns when the reader comes near an edge of the
// window.
func (c *Pane) wantTurns() action.Several {
	if c.loading {
		return nil
	}
	total, above := c.flow.Lines()
	switch {
	case c.older && above < 3*c.h:
		c.loading = true
		return action.Several{action.LoadTurns{Page: history.Page{Before: c.turns[0].ID, Limit: PageSize}}}
	case c.newer && total-above < 4*c.h:
		c.loading = true
		return action.Several{action.LoadTurns{Page: history.Page{After: c.turns[len(c.turns)-1].ID, Limit: PageSize}}}
	}
	return nil
}

// PageSize is the number of turns read at once.
const PageSize = 40

// FirstTurn, as the turn a page is read around, means the first turns of a
// session: ids begin with it.
const FirstTurn = 1

func (c *Pane) cut(texts map[textKey]string) tea.Cmd {
	if len(texts) == 0 {
		return nil
	}
	return func() tea.Msg {
		blocks := make(map[textKey][]markdown.Block, len(texts))
		for k, text := range texts {
			blocks[k] = markdown.Split(text)
		}
		return cutMsg{pane: c, blocks: blocks}
	}
}

// draw returns a command that renders the jobs with a renderer of its own: one
// is not safe to share (glamour v2.0.1).
func (c *Pane) draw(jobs []job) tea.Cmd {
	if len(jobs) == 0 {
		return nil
	}
	gen, cv := c.gen, c.canvas()
	return func() tea.Msg {
		lines := make(map[flow.Key][]string, len(jobs))
		ids := map[flow.Key]int{}
		var r *markdown.Renderer
		for _, j := range jobs {
			switch {
			case j.key.Role == rolePrompt:
				lines[j.key] = cv.promptLines(j.turn.Prompt, j.key)
			case j.block == nil:
				lines[j.key] = cv.simpleLines(j.key, j.turn, j.answer, j.seen)
				ids[j.key] = j.seen.id
				if j.answer.Picture == nil {
					lines[j.key] = cv.top(j.key, lines[j.key])
				}
			default:
				if r == nil {
					r = markdown.NewRenderer(cv.styles, cv.text)
				}
				lines[j.key] = cv.top(j.key, cv.blockLines(r, *j.block))
			}
		}
		return drawnMsg{pane: c, gen: gen, lines: lines, ids: ids}
	}
}

// received takes the results of work. It reports whether the message was one.
func (c *Pane) received(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case cutMsg:
		if msg.pane != c {
			return true
		}
		for k, blocks := range msg.blocks {
			c.blocks[k] = blocks
			delete(c.pending, k)
		}
		c.rebuild()
		c.seekFound()
	case countedMsg:
		if msg.pane == c {
			maps.Copy(c.words, msg.words)
		}
		for id := range msg.words {
			delete(c.pending, counting(id))
		}
	case drawnMsg:
		if msg.pane != c || msg.gen != c.gen {
			return true
		}
		c.trim()
		for k, lines := range msg.lines {
			delete(c.pending, k)
			if c.misfits(k, lines, msg.ids[k]) {
				continue
			}
			c.lines[k] = lines
			c.flow.SetExact(k, len(lines))
		}
		c.flow.Settle()
		c.seekFound()
	case graphics.SentMsg:
		c.resizePictures()
	case graphics.PreviewMsg:
		delete(c.pending, msg.Path)
		if len(c.previews) >= maxPreviews {
			clear(c.previews)
		}
		c.previews[msg.Path] = preview{img: msg.Image, problem: msg.Problem}
		if len(c.before) > 0 {
			c.rebuild() // the shape of what an edit was made from is known by now
		}
	default:
		return false
	}
	return true
}

// maxPreviews bounds the scaled pictures that are kept.
const maxPreviews = 48

// trim forgets what was rendered once there is too much of it; what is on
// screen is rendered again at once.
func (c *Pane) trim() {
	n := 0
	for _, lines := range c.lines {
		n += len(lines)
	}
	if n < maxLines {
		return
	}
	keep := map[flow.Key][]string{}
	for _, span := range c.flow.Around(2 * c.h) {
		if lines, ok := c.lines[span.Part.Key]; ok {
			keep[span.Part.Key] = lines
		}
	}
	c.lines = keep
}
