package browse

import (
	"fmt"
	"image"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/frame"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
)

// View implements [action.Dialog].
func (b *Browser) View() string {
	p := b.place
	title, right := b.title()
	borders, _ := b.Hints()
	listBox := b.Box(title, right, borders[0], p.listW, p.listH)
	listBox.Pad = 0
	list := frame.Lines(listBox, b.rows())
	if !p.hasPreview() {
		return strings.Join(list, "\n")
	}
	previewBox := b.Box("Preview", b.previewPlace(), borders[1], p.previewW, p.previewH)
	previewBox.Focused = false
	preview := frame.Lines(previewBox, b.lines[min(b.shift, len(b.lines)):])
	if p.beside {
		return frame.Beside(list, preview)
	}
	return strings.Join(append(list, preview...), "\n")
}

// Pictures returns the picture of the preview, where it is drawn.
func (b *Browser) Pictures() []graphics.Placement {
	if b.picture == nil || !b.place.hasPreview() {
		return nil
	}
	corner := image.Pt(2, b.place.listH+1)
	if b.place.beside {
		corner = image.Pt(b.place.listW+2, 1)
	}
	w, h := b.place.previewInner()
	p := *b.picture
	p.Clip = image.Rect(0, 0, w, h)
	p.At.Y -= b.shift
	return []graphics.Placement{p.Moved(corner)}
}

// Cursor implements [action.Dialog].
func (b *Browser) Cursor() *tea.Cursor {
	if b.place.listW < 8 || b.place.listH < 3 {
		return nil
	}
	return b.filter.Cursor(4, 1)
}

// title is the name of the list with how much of it is shown. Where the name
// is a row of tabs the latter stands on the right.
func (b *Browser) title() (left, right string) {
	n := len(b.items)
	if n > 0 && b.items[0].Title == above {
		n--
	}
	count := strconv.Itoa(n)
	switch {
	case b.found == 0 && !b.c.Static:
		return b.c.Title, ""
	case b.filter.Value() != "":
		count = fmt.Sprintf("%d of %d match", n, max(b.total, n))
	case b.total > n:
		count = fmt.Sprintf("%d of %d", n, b.total)
	}
	if b.c.Extra != nil {
		if b.place.listW < ansi.StringWidth(b.c.Title)+len(count)+10 {
			count = "" // the tabs are worth more
		}
		return b.c.Title, count
	}
	return b.c.Title + "   " + count, ""
}

// previewPlace says how much of the preview is below.
func (b *Browser) previewPlace() string {
	_, h := b.place.previewInner()
	return frame.ScrollPosition(b.shift, h, len(b.lines))
}

// Hints implements [action.Dialog].
func (b *Browser) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	var out []keys.Hint
	_, any := b.Selected()
	for _, command := range b.c.Hints {
		switch command {
		case keys.Choose:
			if any {
				out = append(out, overlay.Hint(b.Keys, keys.Browser, command, b.c.Verb)...)
			}
		case keys.PreviewDown:
			if _, h := b.place.previewInner(); b.place.hasPreview() && len(b.lines) > h {
				out = append(out, b.Keys.Hints(keys.Browser, command)...)
			}
		case keys.Close:
			out = append(out, b.Keys.Hints(keys.Browser, command)...)
			out = append(out, b.c.Extra...)
		default:
			if b.keyAction(command) != nil {
				if label := b.c.Labels[command]; label != "" {
					out = append(out, overlay.Hint(b.Keys, keys.Browser, command, label)...)
				} else {
					out = append(out, b.Keys.Hints(keys.Browser, command)...)
				}
			}
		}
	}
	return b.BorderHints(out, b.place.listW, b.place.previewW)
}

// rows are the lines inside the border.
func (b *Browser) rows() []string {
	p := b.place
	w := p.listW - 2
	if w < 1 {
		return nil
	}
	out := make([]string, 0, p.listH)
	out = append(out, " "+b.Styles.Accent.On(">")+" "+b.filter.View(true))
	if p.head > 1 {
		out = append(out, b.second(w))
	}
	if len(b.items) == 0 || b.problem != "" {
		return append(out, b.nothing(w)...)
	}
	pens := b.pens()
	for i := range p.visible() {
		at := b.first + i
		if at >= len(b.items) {
			break
		}
		if i > 0 && p.pitch > p.lines {
			out = append(out, "")
		}
		pen := pens[0]
		if at == b.at {
			pen = pens[1]
		}
		out = append(out, b.row(at, w, pen)...)
	}
	return out
}

// second is the line under the filter: of files the folder, else nothing.
func (b *Browser) second(w int) string {
	if !b.c.files() || b.folder == "" {
		return ""
	}
	return "   " + b.Styles.Faint.On(keepEnd(termtext.Line(b.folder), w-4))
}

// keepEnd cuts a path on the left, as its end tells more.
func keepEnd(s string, w int) string {
	if n := ansi.StringWidth(s); n > w && w > 1 {
		return ansi.TruncateLeft(s, n-w+1, "…")
	}
	return s
}

// nothing is what is said in place of items.
func (b *Browser) nothing(w int) []string {
	ink, text := b.Styles.Muted, b.c.Empty
	switch {
	case b.problem != "":
		ink, text = b.Styles.Danger, b.problem
	case b.found == 0 && !b.c.Static:
		text = "Reading…"
	case b.filter.Value() != "":
		text = "Nothing matches “" + b.filter.Value() + "”."
	}
	var out []string
	for _, line := range termtext.Wrap(termtext.Clean(text), w-4) {
		out = append(out, "   "+ink.On(line))
	}
	return out
}

// rowPen is what a row is drawn with.
type rowPen struct {
	base, title, facts, detail, hit, mark, bar themes.Style
	sign                                       string
}

// pens returns the pen of ordinary rows and that of the row under the cursor.
func (b *Browser) pens() [2]rowPen {
	s := b.Styles
	hit, selected := s.Match, s.Selected
	return [2]rowPen{
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
func (b *Browser) row(at, w int, pen rowPen) []string {
	item := b.items[at]
	var hits [][2]int
	if b.hits != nil {
		hits = b.hits[at]
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
		pen.mark.On(mark) + pen.bar.On(pen.sign) +
			highlight(item.Title, hits, titleW, pen.title, pen.hit) +
			pen.facts.On(gap+facts+" "),
	}
	if b.place.lines == 1 {
		return out
	}
	return append(out, pen.base.On(" ")+pen.bar.On(pen.sign)+pen.base.On(" ")+
		highlight(item.Detail, item.Match, w-4, pen.detail, pen.hit)+pen.base.On(" "))
}
