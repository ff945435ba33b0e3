package browse

import (
	"cmp"
	"image"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/graphics"
	"confab/ui/widget"
)

// View implements [action.Dialog].
func (l *List) View() string {
	title, right := l.title()
	borders, _ := l.Hints()
	return l.draw(title, right, "Preview", borders, l.drawLines())
}

// pictures returns the picture of the preview and its position.
func (l *List) pictures() []graphics.Placement {
	if l.picture == nil || !l.hasSide() {
		return nil
	}
	w, h := l.sideInner()
	p := *l.picture
	p.Clip = image.Rect(0, 0, w, h)
	p.At.Y -= l.side.Top()
	return []graphics.Placement{p.Moved(image.Pt(2, l.listH+1))}
}

// title returns the name of the list and how many items are shown; with tabs, the count is on the right.
func (l *List) title() (left, right string) {
	n, count := l.shownUpTo(l.n), ""
	if n > 0 && l.items[0].Title == parentFolder {
		n--
	}
	if !l.takesText() {
		count = l.count(n)
	}
	above := l.shownUpTo(l.first)
	right = widget.ScrollPosition(above, l.shownUpTo(l.first+l.rows)-above, l.shownUpTo(l.n))
	name := l.Styles.Gradient(l.Title)
	if len(l.c.Tabs) == 0 {
		if right != "" && l.filter.Value() == "" {
			count = "" // the position has it
		}
		return name + l.Styles.Muted.On(strings.TrimRight("   "+count, " ")), right
	}
	name += " "
	for i, tab := range l.c.Tabs {
		if i == l.c.Tab {
			name += l.Styles.Gradient("‹" + tab.Name + "›")
		} else {
			name += l.Styles.Muted.On(" " + tab.Name + " ")
		}
	}
	if l.listW < ansi.StringWidth(name)+len(count)+10 {
		count = "" // no space beside the tabs
	}
	return name, cmp.Or(right, count)
}

// shownUpTo returns how many of the first n rows are no headings.
func (l *List) shownUpTo(n int) (items int) {
	for _, i := range l.items[:min(n, l.n)] {
		if !i.isHeading {
			items++
		}
	}
	return items
}

func (l *List) drawLines() []string {
	w := l.listW - 2
	if w < 1 {
		return nil
	}
	folder := ""
	if l.c.Files {
		folder = termtext.Line(l.folder)
	}
	var out []string
	if l.head > 0 {
		out = l.headLines(folder)
	}
	if l.absent != "" {
		return append(out, "   "+l.Styles.Muted.On("“"+l.absent+"” cannot be done now."))
	}
	if l.n == 0 || l.problem != "" {
		return append(out, l.message(l.filter.Value() != "" && !l.takesText())...)
	}
	for i := range min(l.rows, l.n-l.first) {
		out = append(out, l.row(l.first+i, w)...)
	}
	return out
}

// rowColumns are the widths of what the rows of a list have, in cells.
type rowColumns struct {
	titles  []string // of all items, of which one that is cut shows where it differs
	gap     string   // before each
	title   int      // of items with notes; 0 for all that is free
	columns []int
	numbers []int // of columns, the digits at the start of the longest
	dots    int
	place   int
	facts   int
}

const (
	columnGap  = "   "
	narrowGap  = "  "
	wideRow    = 70 // cells of a row from which its gaps are wide
	leastTitle = 22 // cells of a title beside columns
	leastAlone = 36 // cells of a title beside dots alone
	leastNote  = 20 // cells of a note beside titles that are not cut
	columnDots = 3  // dots of models before the rest is a number
)

// fitColumns returns the columns of items in rows of w cells. On narrow screens the first columns go before the dots.
func fitColumns(s *themes.Styles, items []Item, w int) (c rowColumns) {
	longest, noted, extra := 0, 0, 0
	if c.gap = columnGap; w < wideRow {
		c.gap = narrowGap
	}
	for _, i := range items {
		for len(c.columns) < len(i.Columns) {
			c.columns, c.numbers = append(c.columns, 0), append(c.numbers, 0)
		}
		extra = max(extra, i.Extra)
		for at, text := range i.Columns {
			c.numbers[at] = max(c.numbers[at], digits(text))
		}
		c.dots = max(c.dots, termtext.Width(ansi.Strip(widget.Dots(s, i.Models, columnDots, false))))
		c.facts, c.place = max(c.facts, termtext.Width(i.Facts)), max(c.place, termtext.Width(i.Place))
		title := widget.OneLine(i.Title[:min(len(i.Title), maxRowBytes)])
		c.titles = append(c.titles, title)
		if longest = max(longest, termtext.Width(title)); i.Note != "" {
			noted = max(noted, termtext.Width(title))
		}
	}
	c.facts = min(c.facts, max(w/2-4, 0))
	free := w - 4 - len(c.gap) - c.facts
	if c.place > 0 {
		free -= len(c.gap) + c.place
	}
	least := leastTitle
	if len(c.columns) == 0 {
		least = leastAlone
	}
	if c.dots+len(c.gap)+min(longest, least) > free {
		c.dots = 0
	}
	free -= c.dots + len(c.gap)
	for _, i := range items {
		for at, text := range i.Columns {
			c.columns[at] = max(c.columns[at], termtext.Width(c.aligned(at, text)))
		}
	}
	free -= c.leaveOutColumns(extra, free-min(longest, leastTitle))
	if noted > 0 && free-noted-len(c.gap) >= leastNote {
		c.title = noted
	}
	return c
}

// leaveOutColumns sets the width of columns to 0 until the rest takes at most free cells, which it returns: first the
// extra ones from the last on, then the others from the first on.
func (c rowColumns) leaveOutColumns(extra, free int) (taken int) {
	need := func() (cells int) {
		for _, width := range c.columns {
			if width > 0 {
				cells += width + len(c.gap)
			}
		}
		return cells
	}
	own := len(c.columns) - extra
	for at := len(c.columns) - 1; at >= own && need() > free; at-- {
		c.columns[at] = 0
	}
	for at := 0; at < own && need() > free; at++ {
		c.columns[at] = 0
	}
	return need()
}

// titleWidth returns the cells of a title and a note that the title gets: all without a note. Where notes have no
// column, a title that others have as well leaves half of the cells to the note that tells it from them.
func (c rowColumns) titleWidth(item Item, free int) int {
	if item.Note == "" {
		return free
	}
	if c.title > 0 {
		return min(c.title, free)
	}
	title := widget.OneLine(item.Title[:min(len(item.Title), maxRowBytes)])
	first := slices.Index(c.titles, title)
	if first < 0 || !slices.Contains(c.titles[first+1:], title) {
		return free
	}
	note := termtext.Width(widget.OneLine(item.Note)) + len(c.gap)
	return max(min(termtext.Width(title), free-min(note, free/2)), 0)
}

// digits returns how many digits a text begins with.
func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// aligned returns the text of a column with blanks before its number.
func (c rowColumns) aligned(at int, text string) string {
	if n := digits(text); n > 0 {
		return strings.Repeat(" ", c.numbers[at]-n) + text
	}
	return text
}

// draw draws the columns of an item after its title and note.
func (c rowColumns) draw(s *themes.Styles, item Item, text themes.Style, isSelected bool) (line string) {
	for at, width := range c.columns {
		if width > 0 {
			column := ""
			if at < len(item.Columns) {
				column = item.Columns[at]
			}
			style := text
			if at == item.Failed-1 && !isSelected {
				style = s.Danger
			}
			line += style.On(c.gap + termtext.Fit(c.aligned(at, termtext.Line(column)), width))
		}
	}
	if c.dots > 0 {
		line += text.On(c.gap) + termtext.Fit(widget.Dots(s, item.Models, columnDots, isSelected), c.dots)
	}
	if c.place > 0 {
		place := s.Faint
		if isSelected {
			place = text
		}
		line += place.On(c.gap + termtext.Fit(item.Place, c.place))
	}
	if c.facts > 0 {
		facts := ansi.Truncate(termtext.Line(item.Facts), c.facts, "…")
		blanks := strings.Repeat(" ", c.facts-termtext.Width(facts))
		line += text.On(c.gap + blanks + facts)
	}
	return line
}

func (l *List) row(at, w int) []string {
	item, s := l.items[at], l.Styles
	if item.isHeading {
		return []string{" " + s.Accent.On(format.Capitalize(item.Title))}
	}
	text, name, found := s.Muted, s.Text, s.Match
	sign := s.Muted.On("   ")
	if item.Marked {
		name, sign = s.Strong, s.Muted.On(s.Sign(" ", "*")+"  ")
	}
	if at == l.at {
		text, name, found = s.Selected, s.Selected, s.MatchSelected
		sign = s.Selected.On(" ") + s.SelectedMark.On("▌ ")
	}
	tail := l.columns.draw(s, item, text, at == l.at) + text.On(" ")
	if at == l.at {
		tail = text.Behind(tail)
	}
	free := max(w-3-termtext.Width(tail), 0)
	width := l.columns.titleWidth(item, free)
	title := item.Title
	if len(item.hits) == 0 {
		title = widget.OneLine(title[:min(len(title), maxRowBytes)])
		title = termtext.CutText(title, width, l.columns.titles)
	}
	row, note := sign+highlight(title, item.hits, width, name, found), ""
	if rest := free - width; rest > 0 {
		note = termtext.CutWords(widget.OneLine(item.Note), rest-len(l.columns.gap))
		note = text.On(termtext.Fit(l.columns.gap+note, rest))
	}
	if row += note + tail; l.pitch == 1 {
		return []string{row}
	}
	detail := ""
	if len(item.Match) > 0 {
		detail = item.Detail
	}
	return []string{row, sign + highlight(detail, item.Match, w-4, text, found) + text.On(" ")}
}
