package browse

import (
	"image"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/termtext"
	"confab/ui/graphics"
	"confab/ui/widget"
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
		cell := image.Pt(3+col*(p.colW+1), 2+p.head+row*p.pitch) // within the frame
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

// cell draws a thumbnail in its frame, all lines as wide as the column. The frame says when the picture was made and by
// which model.
func (l *List) cell(i int) []string {
	p, s := l.layout, l.Styles
	inside := slices.Repeat([]string{strings.Repeat(" ", max(p.colW-2, 0))}, p.picH)
	h, ok := l.At(i)
	b := widget.Box{W: p.colW, H: p.picH + 2, Styles: s}
	if ok {
		inside = l.thumbnail(h)
		b.Title, b.Bottom = l.grid.look.When(h.Turn.Created), s.ModelStyle(h.Answer.Model).Render("●")+" "+
			s.Text.Render(termtext.Line(h.Answer.Model))
		if l.grid.marked(h.Answer.ID) >= 0 {
			b.Title = "◆ marked"
		}
	} else if _, read := l.grid.hits[l.items[i].ID]; read && p.picH > 0 {
		inside[p.picH/2] = s.Faint.On(centered("deleted", max(p.colW-2, 0)))
	}
	b.Focused = i == l.at
	if !l.grid.look.IsPainted() {
		return widget.BoxLines(b, inside)
	}
	// A picture whose lines change is painted again. So no frame has sides, and only its edges change.
	edges := widget.BoxLines(b, nil)
	lines := edges[:1:1]
	for _, line := range inside {
		lines = append(lines, " "+termtext.Fit(line, max(p.colW-2, 0))+" ")
	}
	corners := strings.NewReplacer("┏", "━", "┓", "━", "┗", "━", "┛", "━", "╭", "─", "╮", "─", "╰", "─", "╯", "─")
	last := len(edges) - 1
	lines[0] = corners.Replace(edges[0])
	return append(lines, corners.Replace(edges[last]))
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

// thumbCorner is the corner of a thumbnail in the middle of its box.
func thumbCorner(x Drawing) image.Point { return x.box.Sub(x.Cells).Div(2) }
