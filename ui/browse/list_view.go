package browse

import (
	"fmt"
	"image"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/frame"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
)

// View implements [action.Dialog].
func (l *List) View() string {
	p := l.layout
	title, right := l.title()
	borders, _ := l.Hints()
	listBox := l.Box(title, right, borders[0], p.listW, p.listH)
	listBox.Pad = 0
	list := frame.Lines(listBox, l.lines())
	if !p.hasPreview() {
		return strings.Join(list, "\n")
	}
	previewBox := l.Box("Preview", l.preview.Position(), borders[1], p.previewW, p.previewH)
	previewBox.Focused = false
	preview := frame.Lines(previewBox, l.preview.View())
	if p.beside {
		return frame.Beside(list, preview)
	}
	return strings.Join(append(list, preview...), "\n")
}

// Pictures returns the picture of the preview, where it is drawn.
func (l *List) Pictures() []graphics.Placement {
	if l.picture == nil || !l.layout.hasPreview() {
		return nil
	}
	corner := image.Pt(2, l.layout.listH+1)
	if l.layout.beside {
		corner = image.Pt(l.layout.listW+2, 1)
	}
	w, h := l.layout.previewInner()
	p := *l.picture
	p.Clip = image.Rect(0, 0, w, h)
	p.At.Y -= l.preview.Top()
	return []graphics.Placement{p.Moved(corner)}
}

// title is the name of the list with how much of it is shown. Where the name
// is a row of tabs the latter stands on the right.
func (l *List) title() (left, right string) {
	n := l.n
	if n > 0 && l.items[0].Title == parentFolder {
		n--
	}
	count := strconv.Itoa(n)
	switch {
	case l.found == 0:
		return l.c.Title, ""
	case l.filter.Value() != "":
		count = fmt.Sprintf("%d of %d match", n, max(l.total, n))
	case l.total > n:
		count = fmt.Sprintf("%d of %d", n, l.total)
	}
	if l.c.Extra != nil {
		if l.layout.listW < ansi.StringWidth(l.c.Title)+len(count)+10 {
			count = "" // the tabs are worth more
		}
		return l.c.Title, count
	}
	return l.c.Title + "   " + count, ""
}

// Hints implements [action.Dialog].
func (l *List) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	var out []keys.Hint
	for _, command := range l.c.Hints {
		switch command {
		case keys.Choose:
			if l.selected() {
				out = append(out, overlay.Hint(l.Keys, keys.Browser, command, l.c.Verb)...)
			}
		case keys.PreviewDown:
			if l.layout.hasPreview() && l.preview.Scrolls() {
				out = append(out, l.Keys.Hints(keys.Browser, command)...)
			}
		case keys.Close:
			out = append(out, l.Keys.Hints(keys.Browser, command)...)
			out = append(out, l.c.Extra...)
		default:
			if l.itemAction(command) != nil {
				out = append(out, overlay.Hint(l.Keys, keys.Browser, command, l.c.Labels[command])...)
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
		out = append(out, l.second(w))
	}
	if len(l.items) == 0 || l.problem != "" {
		for _, line := range l.message(l.c.Empty, l.w-6) {
			out = append(out, " "+line)
		}
		return out
	}
	rowStyles := l.rowStyles()
	for i := range l.rows {
		at := l.first + i
		if at >= len(l.items) {
			break
		}
		if i > 0 && p.pitch > p.lines {
			out = append(out, "")
		}
		style := rowStyles[0]
		if at == l.at {
			style = rowStyles[1]
		}
		out = append(out, l.row(at, w, style)...)
	}
	return out
}

// second is the line under the filter: of files the folder, else nothing.
func (l *List) second(w int) string {
	if !l.c.Files || l.folder == "" {
		return ""
	}
	return "   " + l.Styles.Faint.On(keepEnd(termtext.Line(l.folder), w-4))
}

// keepEnd cuts a path on the left, as its end tells more.
func keepEnd(s string, w int) string {
	if n := ansi.StringWidth(s); n > w && w > 1 {
		return ansi.TruncateLeft(s, n-w+1, "…")
	}
	return s
}

// rowStyle has the styles of the parts of a row, and the sign at its start.
type rowStyle struct {
	base, title, facts, detail, hit, mark, bar themes.Style
	sign                                       string
}

// rowStyles returns the styles of ordinary rows and those of the row under the cursor.
func (l *List) rowStyles() [2]rowStyle {
	s := l.Styles
	hit, selected := s.Match, s.Selected
	return [2]rowStyle{
		{
			base: s.Text, title: s.Strong, facts: s.Muted,
			detail: s.Muted, hit: hit, mark: s.Marked, sign: " ",
		},
		{
			base: selected, title: selected, facts: selected, detail: selected, hit: hit,
			mark: selected, bar: s.Accent.Inherit(s.Selected), sign: "▌",
		},
	}
}

// row draws one item, w cells wide.
func (l *List) row(at, w int, style rowStyle) []string {
	item := l.items[at]
	var hits [][2]int
	if l.hits != nil {
		hits = l.hits[at]
	}
	mark := " "
	if item.Marked {
		mark = "◆"
	}
	facts := termtext.Line(item.Facts)
	if limit := (w - 4) / 2; ansi.StringWidth(facts) > limit {
		facts = ansi.Truncate(facts, max(limit, 0), "…")
	}
	factsW := ansi.StringWidth(facts)
	titleW := w - 3 - factsW
	gap := ""
	if factsW > 0 {
		titleW -= 2
		gap = "  "
	}
	out := []string{
		style.mark.On(mark) + style.bar.On(style.sign) +
			highlight(item.Title, hits, titleW, style.title, style.hit) +
			style.facts.On(gap+facts+" "),
	}
	if l.layout.lines == 1 {
		return out
	}
	return append(out, style.base.On(" ")+style.bar.On(style.sign)+style.base.On(" ")+
		highlight(item.Detail, item.Match, w-4, style.detail, style.hit)+style.base.On(" "))
}
