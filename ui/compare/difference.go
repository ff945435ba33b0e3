package compare

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/diff"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/diffview"
	"confab/ui/keys"
)

// difference is the layer that shows how two answers differ. It is found and
// drawn in a command; asked says for what, drawn what is there.
type difference struct {
	a, b    side
	byLines bool
	columns bool
	asked   drawing
	drawn   drawing
	result  diff.Result
	view    diffview.View
	top     int
	hunk    int
}

// side is one of the answers that are compared, as it was then.
type side struct {
	cell   string // its name
	place  int
	answer history.Answer
}

// drawing is everything that the lines of a difference depend on.
type drawing struct {
	a, b    int64
	byLines bool
	columns bool
	w       int
	styles  *themes.Styles
}

type (
	// likenessMsg brings how alike the answers are to the pinned one.
	likenessMsg struct {
		view  *Compare
		pin   int64
		likes map[int64]float64
	}
	// differenceMsg brings how two answers differ, drawn.
	differenceMsg struct {
		view   *Compare
		of     drawing
		result diff.Result
		lines  diffview.View
	}
)

// likeness compares what is done with the pinned answer, in a command.
func (c *Compare) likeness() tea.Cmd {
	p := c.pinned()
	if p == nil || !p.isText() {
		return nil
	}
	pin, text := p.answer().ID, p.answer().Text
	if pin != c.likesOf {
		c.likesOf, c.likes, c.liking = pin, map[int64]float64{}, map[int64]bool{}
	}
	texts := map[int64]string{}
	for _, x := range c.cells {
		if a := x.answer(); x != p && x.isText() && !c.liking[a.ID] {
			texts[a.ID], c.liking[a.ID] = a.Text, true
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return func() tea.Msg {
		msg := likenessMsg{view: c, pin: pin, likes: map[int64]float64{}}
		for id, other := range texts {
			msg.likes[id] = diff.Similarity(text, other)
		}
		return msg
	}
}

func (c *Compare) liked(msg likenessMsg) {
	if msg.view != c || msg.pin != c.likesOf {
		return
	}
	for id, l := range msg.likes {
		c.likes[id] = l
	}
	if c.by == byLikeness {
		c.relist()
		c.layout()
	}
}

func sideOf(x *cell) side { return side{x.name, x.place, x.answer()} }

// openDifference compares the focused answer with the pinned one, or with the
// first other one when none is pinned.
func (c *Compare) openDifference() (action.Action, tea.Cmd) {
	b := c.current()
	a := c.pinned()
	if a == nil || a == b {
		if i := slices.IndexFunc(c.listed, func(x *cell) bool { return x != b && x.isText() }); i >= 0 {
			a = c.listed[i]
		}
	}
	if a == nil || a == b || !a.isText() || !b.isText() {
		return action.Notify{Severity: action.Warn,
			Text: "Two finished texts are needed" + c.keys.Phrase(keys.Compare, keys.Pin,
				": %s pins one") + c.keys.Phrase(keys.Compare, keys.Difference, ", %s compares another with it") + "."}, nil
	}
	c.diff = &difference{a: sideOf(a), b: sideOf(b)}
	return nil, nil
}

// drawDifference finds and draws what the layer misses, in a command.
func (c *Compare) drawDifference() tea.Cmd {
	d := c.diff
	if d == nil {
		return nil
	}
	want := drawing{a: d.a.answer.ID, b: d.b.answer.ID, byLines: d.byLines, columns: d.columns && c.w-2 >= leastColumns,
		w: c.w - 2, styles: c.styles}
	if want == d.asked {
		return nil
	}
	d.asked = want
	a, b, have, result := d.a.answer.Text, d.b.answer.Text, d.drawn, d.result
	return func() tea.Msg {
		switch {
		case have.a == want.a && have.b == want.b && have.byLines == want.byLines:
		case want.byLines:
			result = diff.Lines(a, b)
		default:
			result = diff.Words(a, b)
		}
		msg := differenceMsg{view: c, of: want, result: result}
		if left := (want.w - 1) / 2; want.columns {
			msg.lines = diffview.Columns(result, left, want.w-left, want.styles)
		} else {
			msg.lines = diffview.Inline(result, want.w, want.styles)
		}
		return msg
	}
}

// leastColumns are the cells from which a difference is drawn in two columns.
const leastColumns = 60

func (c *Compare) differs(msg differenceMsg) {
	d := c.diff
	if d == nil || msg.view != c || d.asked != msg.of {
		return
	}
	fresh := d.drawn.a != msg.of.a || d.drawn.b != msg.of.b
	d.drawn, d.result, d.view = msg.of, msg.result, msg.lines
	if fresh {
		d.top, d.hunk = 0, 0
	}
	d.toHunk(min(d.hunk, max(len(d.view.Hunks)-1, 0)), c.h-2)
}

func (c *Compare) closeDifference() { c.diff = nil }

// performDifference carries out the commands of the layer; ok is false for one
// that means the same as without it.
func (c *Compare) performDifference(command keys.Command) (wish action.Action, ok bool) {
	d := c.diff
	if d == nil {
		return nil, false
	}
	if (command == keys.FindNext || command == keys.FindPrevious) && len(d.view.Hunks) < 2 {
		return action.Unused{Why: "There is no other place in which the two differ."}, true
	}
	switch command {
	case keys.DiffColumns:
		d.columns = !d.columns
	case keys.Write:
		d.byLines = !d.byLines
	case keys.SwapSides:
		d.a, d.b = d.b, d.a
	case keys.FindNext:
		d.toHunk(d.hunk+1, c.h-2)
	case keys.FindPrevious:
		d.toHunk(d.hunk-1, c.h-2)
	case keys.CopyAnswer:
		return c.copyDifference(), true
	case keys.Pin:
		c.repin()
	case keys.NextAnswer:
		return c.compareNext(1), true
	case keys.PrevAnswer:
		return c.compareNext(-1), true
	case keys.Difference, keys.ZoomAnswer:
		c.closeDifference()
	default:
		return c.belowDifference(command)
	}
	return nil, true
}

// belowDifference keeps keys from the answers that the difference covers; ok is false for those that scroll or help.
func (c *Compare) belowDifference(command keys.Command) (wish action.Action, ok bool) {
	if _, scrolls := command.Lines(1, 0, 1); scrolls || command == keys.Help {
		return nil, false
	}
	e, _ := c.keys.Entry(keys.Compare, command)
	return action.Unused{Why: e.Short + " is not for a difference" + c.keys.Phrase(keys.Everywhere, keys.Back,
		": %s leaves it") + "."}, true
}

// copyDifference copies the difference as text with its marks.
func (c *Compare) copyDifference() action.Action {
	d := c.diff
	if d.drawn != d.asked || d.drawn.w == 0 {
		return action.Notify{Severity: action.Info, Text: "The texts are being compared; try again in a moment."}
	}
	return action.Copy{Text: diffview.Text(d.result), What: "the difference between " + d.a.cell + " and " + d.b.cell}
}

// repin pins the answer on the right, so that the other one is compared with it.
func (c *Compare) repin() {
	d := c.diff
	d.a, d.b = d.b, d.a
	c.pin = d.a.cell
	if i := slices.IndexFunc(c.listed, func(x *cell) bool { return x.name == d.b.cell }); i >= 0 {
		c.at = i
	}
	c.layout()
}

// compareNext compares the next finished text with the one on the left; it says when there is none.
func (c *Compare) compareNext(by int) action.Action {
	i := c.furtherText(by)
	if i < 0 {
		return action.Unused{Why: "There is no further text to compare with."}
	}
	c.at, c.diff.b = i, sideOf(c.listed[i])
	c.layout()
	return nil
}

// furtherText returns the next listed text that is not the one on the left, -1 for none.
func (c *Compare) furtherText(by int) int {
	for i := c.at + by; i >= 0 && i < len(c.listed); i += by {
		if x := c.listed[i]; x.isText() && x.name != c.diff.a.cell {
			return i
		}
	}
	return -1
}

// toHunk shows a hunk, the first or last one past the ends.
func (d *difference) toHunk(n, h int) {
	hunks := d.view.Hunks
	if len(hunks) == 0 {
		d.hunk = 0
		return
	}
	d.hunk = (n%len(hunks) + len(hunks)) % len(hunks)
	if at := hunks[d.hunk]; at < d.top || at >= d.top+h {
		d.top = max(at-h/3, 0)
	}
}

// scroll moves the window; n and N go on from what is seen then.
func (d *difference) scroll(n, h int) {
	d.top = max(min(d.top+n, len(d.view.Lines)-h), 0)
	if at := d.view.HunkAt(d.top + h - 1); at >= 0 && len(d.view.Hunks) > 0 {
		if line := d.view.Hunks[d.hunk]; line < d.top || line >= d.top+h {
			d.hunk = at
		}
	}
}

// lines draws the layer: what is compared, and where it differs.
func (d *difference) lines(c *Compare) []string {
	if d.drawn.w == 0 {
		return []string{" " + d.head(c), "", c.styles.Faint.Render("  comparing…")}
	}
	out := []string{" " + d.head(c), ""}
	for i := d.top; i < len(d.view.Lines) && len(out) < c.h; i++ {
		out = append(out, " "+d.view.Line(i, d.hunk))
	}
	return out
}

// head says what is compared and how it differs. Where there is no room for all,
// what is known anyhow goes first, then the middle of the names.
func (d *difference) head(c *Compare) string {
	s := c.styles
	line := func(names int, pinned bool, facts []piece) []piece {
		name := func(of side) string {
			text := fmt.Sprintf("%d %s", of.place, shortName(termtext.Line(of.cell), names))
			if of.cell == c.pin && pinned {
				text += " (pinned)"
			}
			return text
		}
		return append([]piece{{"diff", s.Muted}, {name(d.a), s.Strong}, {"→", s.Muted}, {name(d.b), s.Strong}}, facts...)
	}
	const whole = 1000 // cells that no name takes
	facts := d.facts(c)
	for _, try := range [][]piece{line(whole, true, facts[0]), line(whole, true, facts[1]), line(whole, true, facts[2]),
		line(whole, false, facts[2])} {
		if text := joinedBy(between, try); ansi.StringWidth(text) <= c.w-2 {
			return text
		}
	}
	short := line(0, false, facts[2])
	room := c.w - 2 - ansi.StringWidth(joinedBy(between, short))
	return joinedBy(between, line(max(room/2, 6), false, facts[2]))
}

// facts say how the two differ, the longest first.
func (d *difference) facts(c *Compare) [3][]piece {
	s := c.styles
	if d.drawn.w == 0 {
		return [3][]piece{}
	}
	unit := "by words"
	if d.drawn.byLines {
		unit = "by lines"
	}
	var more []piece
	if d.result.Coarse {
		more = append(more, piece{"by lines where words would take too long", s.Muted})
	}
	if d.columns && !d.drawn.columns {
		more = append(more, piece{"too narrow for two columns", s.Warning})
	}
	if d.result.Equal() {
		same := []piece{{"the same text", s.Success}}
		return [3][]piece{append(same, more...), append(same, more...), same}
	}
	likeness := fmt.Sprintf("likeness %.2f", d.result.Similarity)
	long := []piece{{likeness + " (text, not merit)", s.Muted},
		{fmt.Sprintf("%d of %d", d.hunk+1, len(d.view.Hunks)), s.Muted}}
	short := []piece{{likeness, s.Muted}, {fmt.Sprintf("%d/%d", d.hunk+1, len(d.view.Hunks)), s.Muted}}
	return [3][]piece{slices.Concat(long, []piece{{unit, s.Muted}}, more), slices.Concat(long, more),
		slices.Concat(short, more)}
}

// hints are the keys of the layer; more tells whether there is another text to compare with.
func (d *difference) hints(m keys.Map, more bool) []keys.Hint {
	said := func(command keys.Command, text string) (out []keys.Hint) {
		for _, h := range m.Hints(keys.Compare, command) {
			out = append(out, keys.Hint{Key: h.Key, Text: text})
		}
		return out
	}
	other := "by lines"
	if d.byLines {
		other = "by words"
	}
	var hints []keys.Hint
	if len(d.view.Hunks) > 1 {
		hints = said(keys.FindNext, "next place")
	}
	if more {
		hints = append(hints, m.Hints(keys.Compare, keys.NextAnswer)...)
	}
	return slices.Concat(hints, m.Hints(keys.Compare, keys.SwapSides, keys.DiffColumns), said(keys.Write, other),
		m.Hints(keys.Compare, keys.Pin, keys.CopyAnswer))
}
