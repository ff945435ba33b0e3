package browse

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/graphics"
)

// thumbs returns the thumbnails that are seen, where they are drawn.
func (l *List) thumbs() []graphics.Placement {
	var all []graphics.Placement
	p := l.layout
	inside := image.Rect(1, 1, max(p.listW-1, 1), max(p.listH-1, 1))
	from, to := l.window(0)
	for i := from; i < to; i++ {
		h, ok := l.At(i)
		if !ok {
			continue
		}
		path := h.Answer.Picture.Path
		x, ok := l.grid.done[path]
		if !ok || x.box != p.thumb() || x.Problem != "" || !x.pixels && len(x.Lines) == 0 {
			continue
		}
		row, col := i/p.cols-l.first, i%p.cols
		cell := image.Pt(2+col*(p.colW+1), 1+p.head+row*p.pitch)
		all = append(all, graphics.Placement{Path: path, At: cell.Add(thumbCorner(x)), Cells: x.Cells, Clip: inside})
	}
	return all
}

// gridLines are the rows of thumbnails, and facts under them where they do not stand beside.
func (l *List) gridLines() []string {
	p := l.layout
	var out []string
	for row := range p.rows {
		out = append(out, l.gridRow(l.first+row)...)
	}
	if p.below == 0 {
		return out
	}
	height := max(p.listH-2-p.head-p.below, 0)
	for len(out) < height {
		out = append(out, "")
	}
	return append(out[:height], l.factsInLines()...)
}

func (l *List) gridRow(row int) []string {
	p := l.layout
	out := make([]string, p.pitch)
	for i := row * p.cols; i < min((row+1)*p.cols, l.n); i++ {
		cell := l.cell(i)
		for y := range out {
			text := strings.Repeat(" ", p.colW)
			if y < len(cell) {
				text = cell[y]
			}
			out[y] += " " + text
		}
	}
	return out
}

// cell draws a thumbnail with its caption, all lines as wide as the column.
func (l *List) cell(i int) []string {
	p := l.layout
	h, ok := l.At(i)
	if ok {
		return append(l.thumbnail(h), l.caption(i, h)...)
	}
	out := slices.Repeat([]string{strings.Repeat(" ", p.colW)}, p.picH+p.caption)
	if _, read := l.grid.hits[l.items[i].ID]; read && p.picH > 0 {
		out[p.picH/2] = l.Styles.Faint.On(centered("deleted", p.colW))
	}
	return out
}

// thumbnail draws a picture small, or what stands in its place.
func (l *List) thumbnail(h history.PictureHit) []string {
	box := l.layout.thumb()
	x, ok := l.grid.drawn(h.Answer.Picture.Path, box)
	words := []string{"…"}
	switch {
	case !ok:
		x = Drawing{}
	case x.Problem != "":
		words = termtext.Wrap(termtext.Clean(x.Problem), max(box.X-1, 1))
	}
	return x.fill(box, thumbCorner(x), words, l.Styles.Faint)
}

// thumbCorner is the corner of a thumbnail in its box: centered, and at the bottom, where the caption is.
func thumbCorner(x Drawing) image.Point {
	return image.Pt((x.box.X-x.Cells.X)/2, x.box.Y-x.Cells.Y)
}

// caption says under a thumbnail which model made it, how large it is and when.
func (l *List) caption(i int, h history.PictureHit) []string {
	p, s := l.layout, l.Styles
	name, facts := s.Text, s.Muted
	bar := " "
	if i == l.at {
		name, facts, bar = s.Selected, s.Selected, s.SelectedMark.On("▌")
	}
	mark := ""
	if l.grid.marked(h.Answer.ID) >= 0 {
		mark = "◆ "
	}
	model, when := mark+termtext.Line(h.Answer.Model), l.grid.look.When(h.Turn.Created)
	size := fmt.Sprintf("%d×%d", h.Answer.Picture.Width, h.Answer.Picture.Height)
	w := p.colW - 1
	if p.caption < 2 {
		return []string{bar + sides(model, when, w, name, facts)}
	}
	return []string{bar + name.On(termtext.Fit(model, w)), bar + sides(size, when, w, facts, facts)}
}

// sides sets two texts at the ends of a line of w cells; the first is cut where
// there is no height for both, the second goes where there is none for it.
func sides(left, right string, w int, a, b themes.Style) string {
	n := ansi.StringWidth(right)
	if n+4 > w {
		return a.On(termtext.Fit(left, w))
	}
	return a.On(termtext.Fit(left, w-n-1)) + b.On(" "+right)
}
