package compare

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/ui/frame"
	"confab/ui/keys"
)

// column is a figure of all listed answers; its width is that of what it holds.
type column struct {
	head  string
	left  bool // not set to the right
	texts []string
	w     int
}

const (
	leastName = 11 // cells of the narrowest name, before columns are left out
	notesFrom = 44 // cells of the list from which there is a column for notes
	leastNote = 5
)

// columns returns the columns that there is room for in a list of w cells, with
// the width of the names before them.
func (c *Compare) columns(w int) (out []column, names int) {
	all := []column{{head: "time"}, {head: "words"}, {head: "ok", left: true}, {head: "sim"}, {head: "note", left: true}}
	if c.ofPictures() {
		all = pictureColumns()
	}
	longest := ansi.StringWidth("model")
	for _, x := range c.listed {
		longest = max(longest, ansi.StringWidth(listName(x)))
		texts := make([]string, len(all))
		if x.done() {
			texts = []string{x.timeText(false), "", strings.ReplaceAll(verdictOf(x.checks()).String(), " ", ""), c.likeText(x),
				c.noteText(x)}
			if n := c.words(x); n >= 0 {
				texts[1] = fmt.Sprint(n)
			}
		}
		if x.done() && c.ofPictures() {
			texts = c.pictureTexts(x)
		}
		for i := range all {
			all[i].texts = append(all[i].texts, texts[i])
		}
	}
	names = w - c.listStart()
	for _, col := range all {
		used := false
		for _, text := range col.texts {
			col.w = max(col.w, ansi.StringWidth(text))
			used = used || text != ""
		}
		col.w = max(col.w, len(col.head))
		if col.head == "note" {
			col.w = min(col.w, max(names-1-min(longest, 24), leastNote))
			used = used && w >= notesFrom
		}
		if (!used && col.head != "time") || names-1-col.w < min(longest, leastName) {
			continue
		}
		out = append(out, col)
		names -= 1 + col.w
	}
	if c.ofPictures() {
		pictureOrder(out)
	}
	return out, names
}

// listStart is what stands before a name: the sign of the focus, the number and
// a mark.
func (c *Compare) listStart() int { return 2 + c.digits() }

func (c *Compare) digits() int { return max(len(fmt.Sprint(len(c.cells))), 2) }

// listName is the name of an answer with its rating.
func listName(x *cell) string {
	name := termtext.Line(x.name)
	if rating := strings.TrimSuffix(x.marks(), "★"); rating != "" {
		name += " " + rating
	}
	return name
}

// listMark is one sign for what is special about an answer.
func listMark(x *cell) string {
	a := x.answer()
	switch {
	case a.State == history.Failed || a.State == history.Interrupted:
		return "!"
	case a.State == history.Cancelled:
		return "-"
	case a.Winner:
		return "★"
	case a.Cached:
		return "c"
	}
	return " "
}

// likeText says how much of its wording an answer shares with the pinned one.
func (c *Compare) likeText(x *cell) string {
	switch p := c.pinned(); {
	case p == nil:
		return ""
	case p == x:
		return "pin"
	}
	switch l, ok := c.likes[x.answer().ID]; {
	case !ok:
		return ""
	case l >= 0.995:
		return "same"
	default:
		return fmt.Sprintf("%.2f", l)[1:]
	}
}

// noteText says what else there is: samples, an equal answer, a note.
func (c *Compare) noteText(x *cell) string {
	parts := []string{}
	if c.onlySimulated(x) {
		parts = append(parts, "simulated")
	}
	if t := x.sampleText(); t != "" {
		parts = append(parts, t)
	}
	if twin := c.twin(x); twin > 0 {
		parts = append(parts, fmt.Sprintf("= %d", twin))
	}
	if note := termtext.Line(x.answer().Note); note != "" {
		parts = append(parts, note)
	}
	return strings.Join(parts, " ")
}

// listTop is the first row of the list, so that the focused one is seen.
func (c *Compare) listTop() int {
	rows := c.listRows()
	return max(min(c.at-rows/2, len(c.listed)-rows), 0)
}

// listBox is the list of all answers with their figures.
func (c *Compare) listBox() []string {
	r, s := c.plan.list, c.styles
	cols, names := c.columns(r.Dx() - 2)
	head := termtext.Fit(strings.Repeat(" ", c.digits())+"# ", c.listStart()) + termtext.Fit("model", names)
	for _, col := range cols {
		head += " " + col.fit(col.head)
	}
	lines := []string{s.Faint.Render(head)}
	top := c.listTop()
	for i := top; i < len(c.listed) && len(lines) <= c.listRows(); i++ {
		lines = append(lines, c.listRow(i, cols, names))
	}
	bottom := fmt.Sprintf("%d–%d/%d", min(top+1, len(c.listed)), top+len(lines)-1, len(c.listed))
	for _, h := range c.keys.Hints(keys.Compare, keys.SortAnswers, keys.ShowAnswers) {
		bottom += " · " + h.Key + " " + h.Text
	}
	lines = append(lines, c.factsBelow()...)
	title := fmt.Sprintf("answers %d", len(c.listed))
	if c.ofPictures() {
		title = fmt.Sprintf("pictures %d", len(c.listed))
	}
	b := frame.Box{W: r.Dx(), H: r.Dy(), Styles: s, Title: title, Right: "order: " + c.by.String(), Bottom: bottom}
	return frame.Lines(b, lines)
}

// fit sets a text into the column.
func (col column) fit(text string) string {
	text = ansi.Truncate(text, col.w, "…")
	blank := strings.Repeat(" ", max(col.w-ansi.StringWidth(text), 0))
	if col.left {
		return text + blank
	}
	return blank + text
}

// listRow draws a row; of what is not done it says where it stands in the place
// of its figures.
func (c *Compare) listRow(i int, cols []column, names int) string {
	x, s := c.listed[i], c.styles
	name, rating := listName(x), ""
	if over := ansi.StringWidth(name) - names; over > 0 { // the rating stays
		rating = strings.TrimPrefix(name, termtext.Line(x.name))
		name = shortName(termtext.Line(x.name), max(names-ansi.StringWidth(rating), 1)) + rating
	}
	start := fmt.Sprintf("%*d%s%s", c.digits(), x.place, listMark(x), termtext.Fit(name, names))
	if !x.done() {
		style := c.stateStyle(x, s.Muted)
		state := " " + x.state(c.now)
		if i == c.at {
			return s.Selected.Render(termtext.Fit("▌"+start+state, c.plan.list.Dx()-2))
		}
		return s.Muted.Render(" "+start) + style.Render(termtext.Fit(state, c.plan.list.Dx()-2-c.listStart()-names))
	}
	if i == c.at {
		for _, col := range cols {
			start += " " + col.fit(col.texts[i])
		}
		return s.Selected.Render(termtext.Fit("▌"+start, c.plan.list.Dx()-2))
	}
	row := s.Text.Render(" " + start)
	for _, col := range cols {
		style := s.Text
		switch {
		case col.head == "ok" && strings.Contains(col.texts[i], crossed):
			style = s.Danger
		case col.head == "shape" && strings.Contains(col.texts[i], otherSign):
			style = s.Warning
		}
		row += style.Render(" " + col.fit(col.texts[i]))
	}
	return row
}
