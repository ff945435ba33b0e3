package compare

import (
	"fmt"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/frame"
	"confab/ui/keys"
)

// Cursor implements [part.Pane].
func (c *Compare) Cursor() *tea.Cursor {
	if !c.Capturing() {
		return nil
	}
	return c.findCursor()
}

// View implements [part.Pane].
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
		rows[0].WriteString(termtext.Fit(c.stripLine(), c.w))
	}
	if !c.plan.list.Empty() {
		put(rows, c.plan.list, c.listBox())
	}
	if p := c.pinned(); p != nil && !c.plan.pinned.Empty() {
		put(rows, c.plan.pinned, c.box(c.plan.pinned, p))
	}
	c.putAnnex(rows)
	for i, r := range c.plan.cells {
		if x := c.boxed(i); x != nil {
			put(rows, r, c.box(r, x))
		} else {
			put(rows, r, c.emptyBox(r))
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
		out[i] = termtext.Fit(line, c.w)
	}
	return out
}

// promptLines is the whole prompt, as plain lines.
func (c *Compare) promptLines() []string {
	return termtext.Wrap(termtext.Clean(c.of.first().Prompt), max(c.w-4, 1))
}

// headLines are the lines above the boxes: the prompt, and how the run stands.
// On a low screen the strip stands in their place.
func (c *Compare) headLines() []string {
	s := c.styles
	if c.bare {
		return nil
	}
	if c.whole {
		lines := c.promptLines()
		lines = lines[:min(len(lines), c.body().Min.Y)]
		for i := range lines {
			lines[i] = " " + s.You.Render("▌ ") + s.Text.Render(lines[i])
		}
		return lines
	}
	how := "sync:" + c.sync.String() + "  " + string(c.plan.layout)
	if c.zoom {
		how = "zoom"
	}
	right := c.counts(false) + between + how
	if n := c.of.AtOnce; n > 0 {
		right = c.counts(false) + fmt.Sprintf("  %d at once", n) + between + how
	}
	for _, shorter := range []string{c.counts(false) + between + how, c.counts(true) + between + how, c.counts(true)} {
		if c.w-termtext.Width(right)-7 < leastPrompt {
			right = shorter
		}
	}
	room := c.w - termtext.Width(right) - 7
	left := " " + s.You.Render("▌ ") + s.Text.Render(ansi.Truncate(termtext.Line(c.of.first().Prompt), max(room, 4), "…"))
	gap := max(c.w-termtext.Width(left)-termtext.Width(right)-1, 1)
	return []string{left + strings.Repeat(" ", gap) + s.Muted.Render(right)}
}

// leastPrompt is under how many cells for the prompt the counts are said shorter.
const leastPrompt = 24

// box draws a cell with its frame.
func (c *Compare) box(r image.Rectangle, x *cell) []string {
	reader := c.reading(x)
	from, to, total := reader.Lines()
	focused := c.focused && x == c.current()
	b := frame.Box{W: r.Dx(), H: r.Dy(), Focused: focused, Styles: c.styles, Title: c.title(x, r.Dx()-6, focused)}
	if total > 0 && (x.isText() || total > to-from+1) {
		b.Bottom = fmt.Sprintf("%d–%d/%d", from, to, total)
	}
	if twin := c.samePicture(x); twin > 0 {
		b.Bottom = strings.TrimSpace(b.Bottom + fmt.Sprintf("  = same picture as %d", twin))
	} else if twin := c.twin(x); twin > 0 {
		b.Bottom += fmt.Sprintf("  same as %d", twin)
	}
	lines := reader.View()
	if a := x.answer(); !a.State.Ended() || total == 0 {
		lines = append([]string{" " + c.stateStyle(x, c.styles.Muted).Render(c.waiting(x))}, lines...)
	}
	return frame.Lines(b, lines)
}

// waiting says in a box why there is nothing to read.
func (c *Compare) waiting(x *cell) string {
	switch a := x.answer(); {
	case !x.asked():
		return "not asked for yet"
	case a.State == history.Cancelled:
		return "cancelled" + c.keys.Phrase(keys.Compare, keys.Again, ": %s asks again")
	case a.State == history.Interrupted:
		return "confab ended before it answered" + c.keys.Phrase(keys.Compare, keys.Again, ": %s asks again")
	case service.RetryWait(a, c.now) > 0:
		return service.RetryText(a, c.now)
	}
	return x.state(c.now)
}

// emptyBox is a box without an answer.
func (c *Compare) emptyBox(r image.Rectangle) []string {
	why := "nothing to show"
	if !c.plan.pinned.Empty() && c.current() == c.pinned() {
		why = "the pinned answer is focused" + c.keys.Phrase(keys.Compare, keys.NextAnswer, ": %s shows the next one here")
	}
	return frame.Lines(frame.Box{W: r.Dx(), H: r.Dy(), Styles: c.styles}, []string{" " + c.styles.Faint.Render(why)})
}
