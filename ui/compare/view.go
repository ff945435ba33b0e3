package compare

import (
	"fmt"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/service"
	"confab/ui/frame"
	"confab/ui/pane"
	"confab/ui/terminal"
)

// Cursor implements [pane.Pane].
func (c *Compare) Cursor() *tea.Cursor { return nil }

// redraw forgets what was drawn of a difference.
func (c *Compare) redraw() { c.closeDifference() }

// View implements [pane.Pane].
func (c *Compare) View() []string {
	if c.blind != nil {
		return c.fill(c.blindLines())
	}
	if c.diff != nil {
		return c.fill(c.diff.lines(c))
	}
	lines := c.headLines()
	body := c.body()
	rows := make([]strings.Builder, body.Dy())
	if c.plan.strip {
		rows[0].WriteString(terminal.Fit(c.stripLine(), c.w))
	}
	if !c.plan.list.Empty() {
		put(rows, c.plan.list, c.listBox())
	}
	if p := c.pinned(); p != nil && !c.plan.pinned.Empty() {
		put(rows, c.plan.pinned, c.box(c.plan.pinned, p, "pinned  "))
	}
	for i, r := range c.plan.cells {
		if x := c.boxed(i); x != nil {
			put(rows, r, c.box(r, x, ""))
		} else {
			put(rows, r, frame.Lines(frame.Box{W: r.Dx(), H: r.Dy(), Styles: c.styles}, []string{c.styles.Faint.Render(" nothing to show")}))
		}
	}
	for i := range rows {
		lines = append(lines, rows[i].String())
	}
	return c.fill(append(lines, c.statusLine()))
}

// put writes the lines of a box into the rows it stands in. Boxes are put from
// left to right.
func put(rows []strings.Builder, r image.Rectangle, lines []string) {
	for i, l := range lines {
		if y := r.Min.Y + i; y < len(rows) {
			rows[y].WriteString(l)
		}
	}
}

func (c *Compare) fill(lines []string) []string {
	out := make([]string, c.h)
	for i := range out {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out[i] = terminal.Fit(line, c.w)
	}
	return out
}

// promptLines is the whole prompt, as plain lines.
func (c *Compare) promptLines() []string {
	return terminal.Wrap(terminal.Clean(c.of.first().Prompt), max(c.w-4, 1))
}

// headLines are the lines above the boxes: the prompt, and how the run stands.
func (c *Compare) headLines() []string {
	s := c.styles
	if c.whole {
		lines := c.promptLines()
		lines = lines[:min(len(lines), c.body().Min.Y)]
		for i := range lines {
			lines[i] = " " + s.You.Render("▌ ") + s.Text.Render(lines[i])
		}
		return lines
	}
	right := s.Muted.Render(c.counts() + "   sync:" + c.sync.String() + "  " + string(c.plan.layout))
	if c.zoom {
		right = s.Muted.Render(c.counts()) + s.Accent.Render("   zoom")
	}
	room := c.w - ansi.StringWidth(right) - 6
	left := " " + s.You.Render("▌ ") + s.Text.Render(ansi.Truncate(terminal.Line(c.of.first().Prompt), max(room, 4), "…"))
	gap := max(c.w-ansi.StringWidth(left)-ansi.StringWidth(right)-1, 1)
	return []string{left + strings.Repeat(" ", gap) + right}
}

// counts says how many answers stand where.
func (c *Compare) counts() string {
	states := map[service.State]int{}
	all := 0
	for _, x := range c.cells {
		for _, s := range x.samples {
			states[s.answer.State]++
			all++
		}
	}
	text := fmt.Sprintf("%d/%d done", states[service.Done], all)
	for _, s := range []service.State{service.Running, service.Queued, service.Failed, service.Cancelled, service.Interrupted} {
		if n := states[s]; n > 0 {
			text += fmt.Sprintf("  %d %s", n, s)
		}
	}
	if c.show != showAll {
		text += "  only " + c.show.String()
	}
	return text
}

// box draws a cell with its frame.
func (c *Compare) box(r image.Rectangle, x *cell, before string) []string {
	from, to, total := x.reader.Lines()
	b := frame.Box{W: r.Dx(), H: r.Dy(), Focused: c.focused && x == c.current() && before == "", Styles: c.styles, Title: before + x.title(c.now)}
	if total > 0 {
		b.Bottom = fmt.Sprintf("%d–%d/%d", from, to, total)
	}
	if twin := c.twin(x); twin > 0 {
		b.Bottom += fmt.Sprintf("  same as %d", twin)
	}
	lines := x.reader.View()
	if a := x.answer(); !a.State.Ended() {
		lines = append([]string{"", " " + c.styles.Muted.Render(x.state(c.now))}, lines...)
	}
	return frame.Lines(b, lines)
}

// twin returns the place of an earlier cell with the same text, or the same
// bytes of a picture; 0 for none.
func (c *Compare) twin(x *cell) int {
	a := x.answer()
	if !x.done() {
		return 0
	}
	for _, o := range c.cells {
		b := o.answer()
		if o.place >= x.place || !o.done() {
			continue
		}
		if a.Picture != nil && b.Picture != nil && a.Picture.SHA256 == b.Picture.SHA256 || a.Picture == nil && b.Picture == nil && a.Text == b.Text {
			return o.place
		}
	}
	return 0
}

// stripLine lists all answers in one line; < > marks what is on screen.
func (c *Compare) stripLine() string {
	s, out := c.styles, " "
	at := 0
	for i, x := range c.listed {
		text := fmt.Sprintf("%d%s %s %s", x.place, x.marks(), terminal.Line(x.name), x.state(c.now))
		style := s.Muted
		if i >= c.first && i < c.first+len(c.plan.cells) {
			text = "<" + text + ">"
			style = s.Text
		}
		if i == c.at {
			style, at = s.Accent, ansi.StringWidth(out)
		}
		out += style.Render(text) + "  "
	}
	if over := at + 24 - c.w; over > 0 {
		return ansi.TruncateLeft(out, over, "…")
	}
	return out
}

// listTop is the first row of the list, so that the focused one is seen.
func (c *Compare) listTop() int {
	rows := max(c.plan.list.Dy()-3, 1)
	return max(min(c.at-rows/2, len(c.listed)-rows), 0)
}

// listBox is the list of all answers with their figures.
func (c *Compare) listBox() []string {
	r, s := c.plan.list, c.styles
	w := r.Dx() - 2
	wide := w >= 44
	nameW := w - 23
	head := fmt.Sprintf("  %2s %s %10s %5s", "#", terminal.Fit("model", nameW), "time", "words")
	if wide {
		nameW -= 6
		head = fmt.Sprintf("  %2s %s %10s %5s %5s", "#", terminal.Fit("model", nameW), "time", "words", "like")
	}
	lines := []string{s.Faint.Render(head)}
	for i := c.listTop(); i < len(c.listed) && len(lines) < r.Dy()-2; i++ {
		lines = append(lines, c.listRow(i, nameW, wide))
	}
	b := frame.Box{W: r.Dx(), H: r.Dy(), Styles: s, Title: fmt.Sprintf("answers %d", len(c.listed)), Right: "order: " + c.by.String(), Bottom: "h l pick · o order · t show"}
	return frame.Lines(b, lines)
}

func (c *Compare) listRow(i, nameW int, wide bool) string {
	x, s := c.listed[i], c.styles
	words, like := "", ""
	if x.done() && x.answer().Picture == nil {
		words = fmt.Sprint(x.words())
	}
	if l, ok := c.likes[x.answer().ID]; ok {
		like = fmt.Sprintf("%.2f", l)[1:]
		if l >= 0.995 {
			like = "same"
		}
	}
	if x.name == c.pin {
		like = "pin"
	}
	name := terminal.Fit(terminal.Line(x.name)+" "+x.marks(), nameW)
	state := ansi.Truncate(x.state(c.now), 10, "…")
	row := fmt.Sprintf("%2d %s %s %5s", x.place, name, strings.Repeat(" ", max(10-ansi.StringWidth(state), 0))+state, words)
	if wide {
		row += fmt.Sprintf(" %5s", like)
	}
	switch {
	case i == c.at:
		return s.Selected.Render(terminal.Fit("▌ "+row, c.plan.list.Dx()-2))
	case x.answer().State == service.Failed:
		return s.Danger.Render("  " + row)
	case !x.done():
		return s.Muted.Render("  " + row)
	}
	return s.Text.Render("  " + row)
}

// statusLine says more of the focused answer, and which is best in what.
func (c *Compare) statusLine() string {
	s, x := c.styles, c.current()
	if x == nil {
		return s.Faint.Render(" nothing to show: t shows other ones")
	}
	a := x.answer()
	var parts []string
	switch {
	case c.jumping:
		parts = append(parts, "go to answer "+c.jump+"… enter")
	case a.Failure != nil && a.State == service.Failed:
		parts = append(parts, terminal.Line(x.name)+": "+terminal.Line(a.Failure.Message))
	default:
		if a.ServedModel != "" && a.ServedModel != a.Model {
			parts = append(parts, "served as "+terminal.Line(a.ServedModel))
		}
		if len(x.samples) > 1 {
			parts = append(parts, sampleTimes(x.samples))
		}
		if a.Note != "" {
			parts = append(parts, "note: "+terminal.Line(a.Note))
		}
		parts = append(parts, c.best()...)
	}
	return " " + s.Muted.Render(ansi.Truncate(strings.Join(parts, "   "), max(c.w-2, 1), "…"))
}

// best names the quickest and the longest of what is done.
func (c *Compare) best() []string {
	var done []*cell
	for _, x := range c.cells {
		if x.done() && !x.answer().Cached && x.answer().Picture == nil {
			done = append(done, x)
		}
	}
	if len(done) < 2 {
		return nil
	}
	quick := slices.MinFunc(done, func(a, b *cell) int { return int(a.answer().Elapsed - b.answer().Elapsed) })
	long := slices.MaxFunc(done, func(a, b *cell) int { return a.words() - b.words() })
	return []string{fmt.Sprintf("quickest %s %s", terminal.Line(quick.name), pane.Seconds(quick.answer().Elapsed)),
		fmt.Sprintf("longest %s %d words", terminal.Line(long.name), long.words())}
}

// sampleTimes says the median and the range of the samples' times.
func sampleTimes(samples []sample) string {
	var times []float64
	for _, s := range samples {
		if a := s.answer; a.State == service.Done && !a.Cached {
			times = append(times, a.Elapsed.Seconds())
		}
	}
	if len(times) == 0 {
		return ""
	}
	slices.Sort(times)
	median := times[len(times)/2]
	if len(times)%2 == 0 {
		median = (times[len(times)/2-1] + median) / 2
	}
	return fmt.Sprintf("%.1f s (%.1f–%.1f, n=%d)", median, times[0], times[len(times)-1], len(times))
}
