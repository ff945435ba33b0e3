package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
)

// figure is what the text of a version of an answer measures.
type figure struct {
	version int
	size    format.TextSize
}

// measuredMsg brings figures, by answer.
type measuredMsg struct {
	view    *Compare
	figures map[int64]figure
}

// measure measures, in a command, the texts that are new or have changed.
func (c *Compare) measure() tea.Cmd {
	texts := map[int64]history.Answer{}
	for _, x := range c.cells {
		for _, d := range x.distinct {
			a := d.answer
			if a.State == history.Done && a.Picture == nil && c.asked[a.ID] != a.Version {
				texts[a.ID], c.asked[a.ID] = a, a.Version
			}
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return func() tea.Msg {
		msg := measuredMsg{view: c, figures: map[int64]figure{}}
		for id, a := range texts {
			msg.figures[id] = figure{a.Version, format.MeasureText(a.Text)}
		}
		return msg
	}
}

// measured takes figures. The ones of an older version stay until then, so that
// a rating does not make them blink.
func (c *Compare) measured(msg measuredMsg) {
	if msg.view != c {
		return
	}
	for id, f := range msg.figures {
		if f.version >= c.figures[id].version {
			c.figures[id] = f
		}
	}
	if c.by == byWords {
		c.relist()
		c.layout()
	}
}

// size returns what the shown answer of a cell measures; ok is false for what is
// no text or not measured yet.
func (c *Compare) size(x *cell) (size format.TextSize, ok bool) {
	f, ok := c.figures[x.answer().ID]
	return f.size, ok && x.isText()
}

// words returns the number of words, -1 where there are none to count.
func (c *Compare) words(x *cell) int {
	if size, ok := c.size(x); ok {
		return size.Words
	}
	return -1
}

// sizeText says all figures of a text; the tokens are a guess.
func (c *Compare) sizeText(x *cell) string {
	size, ok := c.size(x)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s, %s, %s, %s", format.Count(size.Words, "word"), format.Count(size.Chars, "char"),
		format.Count(size.Lines, "line"), format.EstimatedTokens(size.Bytes))
}

// twin returns the place of an earlier cell with the same text, or the same
// bytes of a picture; 0 for none.
func (c *Compare) twin(x *cell) int { return c.twins[x.name] }

// findTwins notes which cells say the same as an earlier one.
func (c *Compare) findTwins() {
	c.twins = map[string]int{}
	for i, x := range c.cells {
		for _, o := range c.cells[:i] {
			if same(o.answer(), x.answer()) {
				c.twins[x.name] = o.place
				break
			}
		}
	}
}

// twinText says how many answers share their text with another one.
func (c *Compare) twinText() string {
	of, alike, what := 0, map[int]bool{}, "text"
	for _, x := range c.cells {
		if !x.done() {
			continue
		}
		of++
		if x.answer().Picture != nil {
			what = "picture"
		}
		if twin := c.twin(x); twin > 0 {
			alike[twin], alike[x.place] = true, true
		}
	}
	switch {
	case of < 2:
		return ""
	case len(alike) == 0:
		return "same " + what + ": none"
	}
	return fmt.Sprintf("same %s: %d of %d", what, len(alike), of)
}

// best names the quickest and the longest of the texts that are done; a reused
// one has no time of its own.
func (c *Compare) best() []string {
	var timed, counted []*cell
	for _, x := range c.cells {
		if x.isText() && x.times().N > 0 {
			timed = append(timed, x)
		}
		if c.words(x) >= 0 {
			counted = append(counted, x)
		}
	}
	var out []string
	if len(timed) > 1 {
		quick := slices.MinFunc(timed, func(a, b *cell) int { return cmp.Compare(a.times().Median, b.times().Median) })
		out = append(out, fmt.Sprintf("quickest %s %s", shortName(termtext.Line(quick.name), 18), say(quick.times().Median)))
	}
	if len(counted) > 1 {
		long := slices.MaxFunc(counted, func(a, b *cell) int { return cmp.Compare(c.words(a), c.words(b)) })
		out = append(out,
			fmt.Sprintf("longest %s %s", shortName(termtext.Line(long.name), 18), format.Count(c.words(long), "word")))
	}
	return out
}

// sampleText says which of a cell's samples is shown, and how many say the same.
func (x *cell) sampleText() string {
	if len(x.samples) < 2 {
		return ""
	}
	text := ""
	if len(x.distinct) > 1 {
		text = fmt.Sprintf("#%d/%d", x.at+1, len(x.distinct))
	}
	if n := x.distinct[x.at].n; n > 1 {
		text = strings.TrimSpace(fmt.Sprintf("%s ×%d", text, n))
	}
	return text
}

// timeText says the time of a cell that is done: of several samples the median
// and, where there is room, the range; the time of a reused one in brackets.
func (x *cell) timeText(long bool) string {
	t, a := x.times(), x.answer()
	switch {
	case a.Cached && long:
		return "(" + say(a.Elapsed) + " cached)"
	case t.N > 1 && long:
		return t.String()
	case t.N > 0 && (t.N > 1 || a.Cached):
		return say(t.Median)
	case a.Cached:
		return "(" + say(a.Elapsed) + ")"
	}
	return say(a.Elapsed)
}
