package browse

import (
	"image"
	"strings"

	"github.com/charmbracelet/x/ansi"

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
	corner := image.Pt(2, l.listH+1)
	if l.isBeside {
		corner = image.Pt(l.listW+2, 1)
	}
	w, h := l.sideInner()
	p := *l.picture
	p.Clip = image.Rect(0, 0, w, h)
	p.At.Y -= l.side.Top()
	return []graphics.Placement{p.Moved(corner)}
}

// title returns the name of the list and how many items are shown; with tabs, the count is on the right.
func (l *List) title() (left, right string) {
	n, count := l.n, ""
	if n > 0 && l.items[0].Title == parentFolder {
		n--
	}
	if !l.takesText() {
		count = l.count(n)
	}
	name := l.Styles.Gradient(l.Title)
	if len(l.c.Tabs) == 0 {
		return name + l.Styles.Muted.On(strings.TrimRight("   "+count, " ")), ""
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
	return name, count
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
	out := l.headLines(folder)
	if l.n == 0 || l.problem != "" {
		return append(out, l.message(l.filter.Value() != "" && !l.takesText())...)
	}
	for i := range min(l.rows, l.n-l.first) {
		out = append(out, l.row(l.first+i, w)...)
	}
	return out
}

func (l *List) row(at, w int) []string {
	item, s := l.items[at], l.Styles
	text, name, mark := s.Muted, s.Strong, s.Marked
	bar, sign := s.Muted, " "
	if at == l.at {
		text, name, mark = s.Selected, s.Selected, s.Selected
		bar, sign = s.SelectedMark, "▌"
	}
	marked := " "
	if item.Marked {
		marked = s.Sign("◆", "*")
	}
	title := ansi.StringWidth(widget.OneLine(item.Title[:min(len(item.Title), maxRowBytes)]))
	right := fitLastFacts(termtext.Line(item.Facts), max((w-4)/2, w-6-title, 0))
	if right != "" {
		right = "  " + right
	}
	out := []string{mark.On(marked) + bar.On(sign+" ") +
		highlight(item.Title, item.hits, w-4-ansi.StringWidth(right), name, s.Match) + text.On(right+" ")}
	if l.lines == 1 {
		return out
	}
	return append(out, bar.On(" "+sign+" ")+l.detail(at, w-4, text)+text.On(" "))
}

const (
	itemGap     = "   " // between the facts of an item
	leastDetail = 14    // cells of a detail beside long facts
)

// fitLastFacts omits the last facts of an item that do not fit into w cells. It cuts the first one.
func fitLastFacts(facts string, w int) string {
	for ansi.StringWidth(facts) > w {
		i := strings.LastIndex(facts, itemGap)
		if i < 0 {
			return ansi.Truncate(facts, w, "…")
		}
		facts = strings.TrimRight(facts[:i], " ")
	}
	return facts
}

// detail draws the line under the title of an item, w cells wide. It cuts the detail to fit models and facts after it.
func (l *List) detail(at, w int, text themes.Style) string {
	item := l.items[at]
	var parts []string
	if item.Detail != "" {
		parts = append(parts, "")
	}
	if len(item.Models) > 0 {
		parts = append(parts, widget.ModelDots(l.Styles, item.Models))
	}
	if item.DetailFacts != "" {
		parts = append(parts, text.On(termtext.Line(item.DetailFacts)))
	}
	most := w
	if item.Detail != "" {
		most = max(w*2/3, w-leastDetail)
	}
	tail := ansi.Truncate(strings.Join(parts, text.On("   ")), most, "…")
	if at == l.at {
		tail = text.On(ansi.Strip(tail))
	}
	room := w - ansi.StringWidth(tail)
	if tail != "" {
		shown := item.Detail[:min(len(item.Detail), maxRowBytes)]
		room = min(room, ansi.StringWidth(widget.OneLine(shown)))
	}
	line := highlight(item.Detail, item.Match, room, text, l.Styles.Match) + tail
	return line + text.On(strings.Repeat(" ", max(w-ansi.StringWidth(line), 0)))
}
