package browse

import (
	"fmt"
	"image"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/widget"
)

// View implements [action.Dialog].
func (l *List) View() string {
	p := l.layout
	title, right := l.title()
	borders, _ := l.Hints()
	listBox := l.Box(title, right, borders[0], p.listW, p.listH)
	listBox.Pad = 0
	list := widget.BoxLines(listBox, l.lines())
	if !p.hasPreview() {
		return strings.Join(list, "\n")
	}
	name := "Preview"
	if l.grid != nil {
		name = "Facts"
	}
	previewBox := l.Box(name, l.preview.Position(), borders[1], p.previewW, p.previewH)
	previewBox.Title, previewBox.Focused = name, false
	preview := widget.BoxLines(previewBox, l.preview.View())
	if p.isSideBySide {
		return widget.JoinBlocks(list, preview)
	}
	return strings.Join(append(list, preview...), "\n")
}

// Pictures returns the pictures that are seen, where they are drawn.
func (l *List) Pictures() []graphics.Placement {
	switch {
	case l.grid != nil:
		return l.thumbs()
	case l.picture == nil || !l.layout.hasPreview():
		return nil
	}
	corner := image.Pt(2, l.layout.listH+1)
	if l.layout.isSideBySide {
		corner = image.Pt(l.layout.listW+2, 1)
	}
	w, h := l.layout.previewInner()
	p := *l.picture
	p.Clip = image.Rect(0, 0, w, h)
	p.At.Y -= l.preview.Top()
	return []graphics.Placement{p.Moved(corner)}
}

// title is the name of the list with how much of it is shown. Where tabs follow the name, the latter is on the right.
func (l *List) title() (left, right string) {
	n := l.n
	if n > 0 && l.items[0].Title == parentFolder {
		n--
	}
	count, name := strconv.Itoa(n), l.Styles.Gradient(l.c.Title)
	switch {
	case l.found == 0, l.takesText():
		count = ""
	case l.filter.Value() != "":
		count = fmt.Sprintf("%d of %d match", n, max(l.total, n))
	case l.total > n:
		count = fmt.Sprintf("%d of %d", n, l.total)
	}
	if l.grid != nil && len(l.grid.marks) > 0 {
		count += fmt.Sprintf("   %d marked", len(l.grid.marks))
	}
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
	if l.layout.listW < ansi.StringWidth(name)+len(count)+10 {
		count = "" // the tabs are worth more
	}
	return name, count
}

// Hints implements [action.Dialog].
func (l *List) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	var out []keys.Hint
	commands := l.c.Hints
	if l.grid != nil {
		commands = l.gridHints()
	}
	for _, command := range commands {
		switch command {
		case keys.Choose:
			if l.canChoose() {
				out = append(out, l.Keys.HintAs(l.Scope(), command, l.c.Verb)...)
			}
		case keys.PreviewDown:
			if l.layout.hasPreview() && l.preview.Scrolls() {
				out = append(out, l.Keys.Hints(l.Scope(), command)...)
			}
		case keys.Close:
			out = append(out, l.Keys.Hints(l.Scope(), command)...)
			if n := len(l.c.Tabs); n > 0 {
				out = append(out, l.Keys.HintAs(keys.Form, keys.NextField, l.c.Tabs[(l.c.Tab+1)%n].Name)...)
			}
		case keys.LargerPictures, keys.SmallerPictures:
			if l.filter.Value() == "" && l.n > 0 {
				out = append(out, l.Keys.Hints(l.Scope(), command)...)
			}
		default:
			isMark := (command == keys.MarkPicture || command == keys.MarkNone) && l.canChoose()
			if isMark || l.itemAction(command) != nil {
				out = append(out, l.Keys.HintAs(l.Scope(), command, l.c.Labels[command])...)
			}
		}
	}
	return l.BorderHints(out, l.layout.listW, l.layout.previewW)
}

// lines are the lines inside the border.
func (l *List) lines() []string {
	p := l.layout
	w := p.listW - 2
	if w < 1 {
		return nil
	}
	out := make([]string, 0, p.listH)
	out = append(out, " "+l.Styles.Accent.On(">")+" "+l.filter.View(true))
	if p.head > 1 {
		out = append(out, l.underFilter(w))
	}
	switch {
	case l.n == 0 || l.problem != "":
		return append(out, l.message(p.listW-messageMargin)...)
	case l.grid != nil:
		return append(out, l.gridLines()...)
	}
	for i := range min(l.rows, l.n-l.first) {
		out = append(out, l.row(l.first+i, w)...)
	}
	return out
}

// messageMargin is how much narrower a message is than its list.
const messageMargin = 8

// message returns the lines that are shown in place of items: the problem, that they are being read, or why there are
// none. The text takes at most w cells.
func (l *List) message(w int) []string {
	style, text := l.Styles.Muted, l.c.Empty
	switch {
	case l.problem != "":
		style, text = l.Styles.Danger, l.problem
	case l.found == 0:
		text = "Reading…"
	case l.filter.Value() != "" && !l.takesText():
		text = "Nothing matches “" + l.filter.Value() + "”."
		if l.c.HasQuery {
			text += " A day is written with after: or before:, as in after:yesterday."
		}
	}
	lines := termtext.Wrap(termtext.Clean(text), max(w, 1))
	for i, line := range lines {
		lines[i] = "   " + style.On(line)
	}
	return lines
}

// underFilter is the line under the filter: of files the folder, and the values of a search word that has none yet.
func (l *List) underFilter(w int) string {
	if l.c.Files && l.folder != "" {
		return "   " + l.Styles.Faint.On(keepEnd(termtext.Line(l.folder), w-4))
	}
	query := l.filter.Value()
	values := queryValues()[query[strings.LastIndexByte(query, ' ')+1:]]
	if !l.c.HasQuery || values == "" {
		return ""
	}
	return "   " + l.Styles.Faint.On(ansi.Truncate(values, w-4, "…"))
}

// queryValues returns what may follow the words of [history.ParseQuery].
func queryValues() map[string]string {
	const days = "today, yesterday, 2026-01-31, 2026-01, 2026, or 3d, 2w, 6m ago"
	return map[string]string{
		"before:": days, "after:": days,
		"model:": "its name, a part of it, or several with commas",
		"kind:":  "text, image or edit",
		"state:": "queued, running, done, failed, cancelled or interrupted",
		"rated:": "good, bad or none",
	}
}

// keepEnd cuts a path on the left, as its end tells more.
func keepEnd(s string, w int) string {
	if n := ansi.StringWidth(s); n > w && w > 1 {
		return ansi.TruncateLeft(s, n-w+1, "…")
	}
	return s
}

// row draws one item, w cells wide.
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
	if l.layout.lines == 1 {
		return out
	}
	return append(out, bar.On(" "+sign+" ")+l.detail(at, w-4, text)+text.On(" "))
}

// itemGap stands between the facts of an item.
const itemGap = "   "

// fitLastFacts leaves out the last facts of an item where they do not fit into w cells. The first one is cut.
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

// leastDetail is the cells of a detail beside long facts.
const leastDetail = 14

// detail draws what stands under the title of an item, w cells wide: the detail itself, cut where the models and facts
// behind it need the room.
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
