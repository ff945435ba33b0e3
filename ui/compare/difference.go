package compare

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service/diff"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/markdown"
	"confab/ui/part"
	"confab/ui/widget"
)

// difference is a [mode] that shows how two answers differ. A command computes and draws the difference.
type difference struct {
	a, b        comparedAnswer
	byLines     bool
	wantColumns bool
	ofSource    bool // compares the texts as they came, not as they are drawn
	requested   drawing
	drawn       drawing // what result and view show
	result      diff.Result
	view        widget.DiffView
	top         int
	hunk        int
}

// comparedAnswer is one of the two answers, as it was when the difference was opened.
type comparedAnswer struct {
	cell   string // its name
	number int
	answer history.Answer
}

// drawing is everything that the lines of a difference depend on.
type drawing struct {
	a, b     int64
	byLines  bool
	ofSource bool
	columns  bool
	w        int
	styles   *themes.Styles
}

type differenceMsg struct {
	drawn  drawing
	result diff.Result
	lines  widget.DiffView
}

func newComparedAnswer(x *cell) comparedAnswer { return comparedAnswer{x.name, x.number, x.answer()} }

// openDifference compares the focused answer with the pinned one, or with the first other one when none is pinned.
func (v *View) openDifference() action.Action {
	a, b := v.pinned(), v.current()
	if a == nil || a == b {
		if i := slices.IndexFunc(v.listed, func(x *cell) bool { return x != b && x.isText() }); i >= 0 {
			a = v.listed[i]
		}
	}
	if a == nil || a == b || !a.isText() || !b.isText() {
		return action.Notify{Severity: action.Warn,
			Text: "Two finished texts are needed" + v.env.Keys.Phrase(keys.Compare, keys.Pin, ": %s pins one") +
				v.env.Keys.Phrase(keys.Compare, keys.Difference, ", %s compares another with it") + "."}
	}
	v.mode = &difference{a: newComparedAnswer(a), b: newComparedAnswer(b),
		wantColumns: v.isPreview || v.w >= usualTwoColumns}
	v.relayout()
	return nil
}

// A difference can be drawn in two columns from minTwoColumns cells on, and is so at first from usualTwoColumns on:
// longer lines are hard to read.
const (
	minTwoColumns   = 60
	usualTwoColumns = 140
)

// draw computes and draws, in a command, what is not shown yet.
func (d *difference) draw(v *View) tea.Cmd {
	want := drawing{a: d.a.answer.ID, b: d.b.answer.ID, byLines: d.byLines, ofSource: d.ofSource,
		columns: d.wantColumns && v.w-2 >= minTwoColumns, w: v.w - 2, styles: v.styles}
	if want == d.requested {
		return nil
	}
	d.requested = want
	a, b := d.a.answer.Text, d.b.answer.Text
	return func() tea.Msg {
		msg := differenceMsg{drawn: want, result: want.compare(a, b)}
		if left := (want.w - 1) / 2; want.columns {
			msg.lines = widget.DiffColumns(msg.result, left, want.w-left, want.styles)
		} else {
			msg.lines = widget.InlineDiff(msg.result, want.w, want.styles)
		}
		return part.Result{To: v, Msg: msg}
	}
}

// compare returns how two texts differ. The similarity is that of the texts as they came, as in the lists.
func (d drawing) compare(a, b string) (result diff.Result) {
	compare := diff.Words
	if d.byLines {
		compare = diff.Lines
	}
	if d.ofSource {
		return compare(a, b)
	}
	result = compare(markdown.PlainText(a), markdown.PlainText(b))
	if result.Equal() && a != b { // only the markup differs
		return compare(a, b)
	}
	result.Similarity = diff.Similarity(a, b)
	return result
}

// take shows what was drawn in h lines, unless something else was asked for since.
func (d *difference) take(msg differenceMsg, h int) {
	if d.requested != msg.drawn {
		return
	}
	if d.drawn.a != msg.drawn.a || d.drawn.b != msg.drawn.b {
		d.top, d.hunk = 0, 0
	}
	d.drawn, d.result, d.view = msg.drawn, msg.result, msg.lines
	d.goToHunk(min(d.hunk, max(len(d.view.Hunks)-1, 0)), h)
}

func (d *difference) lookups() []keys.Lookup { return keys.LookupsIn(keys.Compare) }

func (d *difference) handle(v *View, command keys.Command) action.Action {
	if by, ok := command.Lines(v.h, 2, 1<<30); ok {
		d.scroll(v, by)
		return nil
	}
	switch command {
	case keys.DiffColumns:
		if v.w-2 < minTwoColumns && !d.wantColumns {
			return action.Unused{Why: "The screen is too narrow for two columns."}
		}
		d.wantColumns = !d.wantColumns
	case keys.Write:
		d.byLines = !d.byLines
	case keys.SwapSides:
		d.a, d.b = d.b, d.a
	case keys.Unformatted:
		d.ofSource = !d.ofSource
	case keys.FindNext, keys.FindPrevious:
		by := map[keys.Command]int{keys.FindNext: 1, keys.FindPrevious: -1}[command]
		if len(d.view.Hunks) < 2 {
			return action.Unused{Why: "There is no other place in which the two differ."}
		}
		d.goToHunk(d.hunk+by, v.h-2)
	case keys.CopyAnswer:
		if d.drawn != d.requested || d.drawn.w == 0 {
			return notifyInfo("The texts are being compared; try again in a moment.")
		}
		return action.Copy{Text: widget.DiffText(d.result),
			What: "the difference between " + d.a.cell + " and " + d.b.cell}
	case keys.Pin: // pins the answer on the right, so that the left one is compared with it
		d.a, d.b = d.b, d.a
		v.pin = d.a.cell
		v.FocusColumn(d.b.cell)
	case keys.NextAnswer:
		return d.compareNext(v, 1)
	case keys.PreviousAnswer:
		return d.compareNext(v, -1)
	case keys.Difference, keys.ZoomAnswer:
		v.mode = nil
		v.relayout()
	case keys.Help:
		return action.ShowHelp{Scope: keys.Compare}
	default: // other commands would act on the answers that the difference covers
		e, _ := v.env.Keys.Entry(keys.Compare, command)
		leaves := v.env.Keys.Phrase(keys.Everywhere, keys.Back, ": %s leaves it")
		return action.Unused{Why: e.Short + " is not for a difference" + leaves + "."}
	}
	return nil
}

// compareNext compares the next finished text with the one on the left.
func (d *difference) compareNext(v *View, by int) action.Action {
	i := d.nextText(v, by)
	if i < 0 {
		return action.Unused{Why: "There is no further text to compare with."}
	}
	d.b = newComparedAnswer(v.listed[i])
	v.focus(i)
	return nil
}

// nextText returns the index in listed of the next text that is not the one on the left, -1 for none.
func (d *difference) nextText(v *View, by int) int {
	for i := v.focusIndex + by; i >= 0 && i < len(v.listed); i += by {
		if x := v.listed[i]; x.isText() && x.name != d.a.cell {
			return i
		}
	}
	return -1
}

// goToHunk shows a hunk; past the last one it shows the first one, and the other way round.
func (d *difference) goToHunk(n, h int) {
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

// scroll moves the window; the current hunk becomes one in the window.
func (d *difference) scroll(v *View, n int) {
	h := v.h - 2
	d.top = max(min(d.top+n, len(d.view.Lines)-h), 0)
	if at := d.view.HunkAt(d.top + h - 1); at >= 0 && len(d.view.Hunks) > 0 {
		if line := d.view.Hunks[d.hunk]; line < d.top || line >= d.top+h {
			d.hunk = at
		}
	}
}

func (d *difference) boxes(*View) []box { return nil }
func (d *difference) position() string  { return fmt.Sprint(d.top, d.hunk) }
func (d *difference) close() bool       { return true }

// lines draws what is compared, and where it differs.
func (d *difference) lines(v *View) []string {
	lines := []string{v.styles.Faint.Render(" comparing…")}
	if d.drawn.w > 0 {
		lines = nil
		for i := d.top; i < min(len(d.view.Lines), d.top+v.h-2); i++ {
			lines = append(lines, d.view.Line(i, d.hunk))
		}
	}
	if v.isPreview {
		return widget.BoxLines(widget.Box{W: v.w, H: v.h, Styles: v.styles, Title: d.head(v, v.w-6),
			Bottom: widget.ScrollPosition(d.top, v.h-2, len(d.view.Lines))}, lines)
	}
	out := []string{" " + d.head(v, v.w-2), ""}
	for _, line := range lines {
		out = append(out, " "+line)
	}
	return out
}

// head names what is compared, with the sign and color of what only that text has, and how much it differs. Facts that
// are known otherwise are left out where it is too long for w cells, then the ends of the names.
func (d *difference) head(v *View, w int) string {
	s := v.styles
	line := func(nameWidth int, showsPin bool, facts widget.Pieces) widget.Pieces {
		name := func(x comparedAnswer) string {
			text := v.numbered(x.number, v.shortName(x.cell, nameWidth))
			if x.cell == v.pin && showsPin {
				text += " (pinned)"
			}
			return v.nameStyle(x.cell, s.Strong).On(text)
		}
		head := widget.Pieces{{Text: name(d.a)}, piece("→", s.Muted), {Text: name(d.b)}}
		if d.drawn.w > 0 && !d.result.Equal() {
			removed, added := diffSigns(s)
			head = widget.Pieces{{Text: removed + name(d.a)}, {Text: added + name(d.b)}}
		}
		if showsPin {
			head = append(widget.Pieces{piece("diff", s.Muted)}, head...)
		}
		return append(head, facts...).Join(lineGap)
	}
	const anyWidth = 1000
	facts := d.facts(s)
	short := facts[len(facts)-1]
	for i, f := range append(facts[:], short) {
		if l := line(anyWidth, i < len(facts), f); l.Width() <= w {
			return l.String()
		}
	}
	space := w - line(0, false, short).Width()
	return line(max(space/2, 6), false, short).String()
}

// facts returns how much the two differ, in three lengths, the longest first.
func (d *difference) facts(s *themes.Styles) [3]widget.Pieces {
	if d.drawn.w == 0 {
		return [3]widget.Pieces{}
	}
	var more widget.Pieces
	if d.result.IsCoarse {
		more = append(more, piece("only in part: long and very different", s.Muted))
	}
	if d.wantColumns && !d.drawn.columns {
		more = append(more, piece("too narrow for two columns", s.Warning))
	}
	if d.result.Equal() {
		same := widget.Pieces{piece("the same text", s.Success)}
		return [3]widget.Pieces{slices.Concat(same, more), slices.Concat(same, more), same}
	}
	unit := "by words"
	if d.drawn.byLines {
		unit = "by lines"
	}
	if d.drawn.ofSource {
		more = append(more, piece("source", s.Muted))
	}
	facts := func(similarity, place, unit string) widget.Pieces {
		return append(widget.Pieces{piece(fmt.Sprintf(similarity, d.result.Similarity), s.Muted),
			piece(fmt.Sprintf(place, d.hunk+1, len(d.view.Hunks)), s.Muted), piece(unit, s.Muted)}, more...)
	}
	return [3]widget.Pieces{facts("similarity %.2f (text, not merit)", "%d of %d", unit),
		facts("similarity %.2f (text, not merit)", "%d of %d", ""), facts("similarity %.2f", "%d/%d", "")}
}

func (d *difference) hints(v *View) []keys.Hint {
	m := v.env.Keys
	var hints []keys.Hint
	if len(d.view.Hunks) > 1 {
		hints = m.HintAs(keys.Compare, keys.FindNext, "next place")
	}
	if d.nextText(v, 1) >= 0 {
		hints = append(hints, m.HintAs(keys.Compare, keys.NextAnswer, "next answer")...)
	}
	unit := "by lines"
	if d.byLines {
		unit = "by words"
	}
	source := "source"
	if d.ofSource {
		source = "as drawn"
	}
	hints = append(hints, m.Hints(keys.Compare, keys.SwapSides)...)
	if columns := "two columns"; v.w-2 >= minTwoColumns {
		if d.wantColumns {
			columns = "one column"
		}
		hints = append(hints, m.HintAs(keys.Compare, keys.DiffColumns, columns)...)
	}
	if !d.result.Equal() {
		hints = append(hints, m.HintAs(keys.Compare, keys.Write, unit)...)
	}
	return slices.Concat(hints, m.HintAs(keys.Compare, keys.Unformatted, source),
		m.Hints(keys.Compare, keys.Pin, keys.CopyAnswer))
}
