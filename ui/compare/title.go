package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
)

// piece is a part of a line in its style.
type piece struct {
	text  string
	style themes.Style
}

// What stands between two pieces of a title, and of a line by itself.
const (
	tight   = "  "
	between = "   "
)

// joinedBy draws pieces with a gap between them; empty ones are left out.
func joinedBy(gap string, pieces []piece) string {
	var out strings.Builder
	for _, p := range pieces {
		if p.text == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteString(gap)
		}
		out.WriteString(p.style.Render(p.text))
	}
	return out.String()
}

func widthOf(pieces []piece) int {
	w := 0
	for _, p := range pieces {
		if p.text != "" {
			w += termtext.Width(p.text) + len(tight)
		}
	}
	return max(w-len(tight), 0)
}

// title is the line above a cell: number, model, mark, time, words, checks,
// samples. Where there is no room for all, the range of the times goes first,
// then the words, which sample it is, and the end of the name; what the checks
// say stays.
func (c *Compare) title(x *cell, w int, focused bool) string {
	s, plain := c.styles, c.styles.Title
	if focused {
		plain = s.TitleFocused
	}
	if x.done() && x.answer().Picture != nil {
		return c.pictureTitle(x, w, plain)
	}
	number := fmt.Sprintf("%d ", x.place)
	name, marks := termtext.Line(x.name), c.marksOf(x)
	line := func(name, state, words, sample string) []piece {
		v := verdict{}
		style := plain
		if x.done() {
			v = verdictOf(x.checks())
		}
		if v.failed > 0 {
			style = s.Danger
		}
		return []piece{{number + name + marks, plain}, {state, c.stateStyle(x, plain)}, {words, plain}, {v.String(), style},
			{sample, plain}}
	}
	long, short, words, sample := x.state(c.now), x.state(c.now), "", x.sampleText()
	if x.done() {
		long, short = x.timeText(true), x.timeText(false)
	}
	if n := c.words(x); n >= 0 {
		words = fmt.Sprintf("%dw", n)
	}
	var last []piece
	for _, try := range [][]piece{line(name, long, words, sample), line(name, short, words, sample),
		line(name, short, "", sample), line(name, short, "", "")} {
		if last = try; widthOf(try) <= w {
			return joined(try)
		}
	}
	over := widthOf(last) - w
	name = ansi.Truncate(name, max(termtext.Width(name)-over, 4), "…")
	return joined(line(name, short, "", ""))
}

// marksOf is what stands behind a name: what a person thought of the answer, and
// that it is simulated where another one is not. It begins with a space.
func (c *Compare) marksOf(x *cell) string {
	marks := x.marks()
	if x.name == c.pin {
		marks += " pinned"
	}
	if c.onlySimulated(x) {
		marks += " simulated"
	}
	if marks = strings.TrimSpace(marks); marks != "" {
		marks = " " + marks
	}
	return marks
}

// onlySimulated tells whether an answer is simulated beside one that is not.
func (c *Compare) onlySimulated(x *cell) bool {
	return x.done() && x.answer().Simulated() &&
		slices.ContainsFunc(c.cells, func(o *cell) bool { return o.done() && !o.answer().Simulated() })
}

// stateStyle is the style of where an answer stands.
func (c *Compare) stateStyle(x *cell, done themes.Style) themes.Style {
	switch x.answer().State {
	case history.Failed:
		return c.styles.Danger
	case history.Cancelled, history.Interrupted:
		return c.styles.Warning
	case history.Running:
		switch {
		case service.RetryWait(x.answer(), c.now) == 0:
			return c.styles.Info
		case service.WithoutConnection(x.answer()):
			return c.styles.Danger
		}
		return c.styles.Warning
	case history.Queued:
		return c.styles.Muted
	}
	return done
}

// joined draws the pieces of a title.
func joined(pieces []piece) string { return joinedBy(tight, pieces) }
