package browse

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/termtext"
	"confab/ui/graphics"
	"confab/ui/widget"
)

// View implements [action.Dialog].
func (g *Gallery) View() string {
	title := "   " + g.count(g.n)
	if n := len(g.marks); n > 0 {
		title += fmt.Sprintf("   %d marked", n)
	}
	title = g.Styles.Gradient(g.Title) + g.Styles.Muted.On(strings.TrimRight(title, " "))
	borders, _ := g.Hints()
	from, to := g.window(0)
	return g.draw(title, widget.ScrollPosition(from, to-from, g.n), "Picture "+g.position(), borders, g.drawLines())
}

func (g *Gallery) drawLines() []string {
	switch {
	case g.listW < 3:
		return nil
	case g.n == 0 || g.problem != "":
		return append(g.headLines(""), g.message(g.filter.Value() != "")...)
	}
	return append(g.headLines(""), g.gridLines()...)
}

// Pictures returns the thumbnails on the screen and their positions.
func (g *Gallery) Pictures() []graphics.Placement {
	var all []graphics.Placement
	inside := image.Rect(1, 1, max(g.listW-1, 1), max(g.listH-1, 1))
	from, to := g.window(0)
	for i := from; i < to; i++ {
		h, ok := g.At(i)
		if !ok {
			continue
		}
		f := graphics.FileOf(h.Answer.Picture)
		x, ok := g.done[f]
		if !ok || x.box != g.thumb(i) || x.Problem != "" || !x.pixels && len(x.Lines) == 0 {
			continue
		}
		row := g.rowOf(i)
		cell := image.Pt(3, 2+g.head+(row-g.first)*g.pitch) // within the frame
		for left, _ := g.span(row); left < i; left++ {
			cell.X += g.width(left) + 1
		}
		all = append(all, graphics.Placement{File: f, At: cell.Add(thumbCorner(x)), Cells: x.Cells, Clip: inside})
	}
	return all
}

// position says which picture is under the cursor.
func (g *Gallery) position() string { return fmt.Sprintf("%d of %d", g.at+1, g.n) }

// gridLines draws the rows of thumbnails, and the facts under them on a narrow screen.
func (g *Gallery) gridLines() []string {
	p := g.layout
	var out []string
	for row := range g.rows {
		out = append(out, g.gridRow(g.first+row)...)
	}
	if h, ok := g.At(g.at); ok && p.below > 0 {
		out = slices.Concat(out, slices.Repeat([]string{""}, max(g.listH-2-g.head-p.below-len(out), 0)),
			[]string{pictureLine(h, g.position(), g.look, g.Styles, g.listW-2)})
	}
	return out
}

func (g *Gallery) gridRow(row int) []string {
	out := make([]string, g.pitch)
	for i, end := g.span(row); i < end; i++ {
		for y, line := range g.cell(i) {
			out[y] += " " + line
		}
	}
	return out
}

// cell draws a thumbnail and its caption, the color of the model and the prompt. The one under the cursor has a frame.
func (g *Gallery) cell(i int) []string {
	box := g.thumb(i)
	inside := slices.Repeat([]string{strings.Repeat(" ", box.X)}, box.Y)
	if h, ok := g.At(i); ok {
		inside = append(g.thumbnail(h, box), g.caption(h, box.X)...)
	} else if _, read := g.hits[g.ids[i]]; read && box.Y > 0 {
		inside[box.Y/2] = g.Styles.Faint.On(centered("deleted", box.X))
	}
	if i == g.at {
		return widget.BoxLines(widget.Box{W: box.X + 2, H: g.lines, Focused: true, Styles: g.Styles}, inside)
	}
	for y, line := range inside {
		inside[y] = " " + line
	}
	return widget.FillLines(append([]string{""}, inside...), box.X+2, g.lines)
}

// caption draws the prompt of a picture in the lines under it.
func (g *Gallery) caption(h history.PictureHit, w int) []string {
	mark := g.Styles.ModelStyle(h.Answer.Model).On("●")
	if g.marked(h.Answer.ID) >= 0 {
		mark = g.Styles.Accent.On("◆")
	}
	lines := termtext.Wrap("● "+termtext.Line(h.Turn.Prompt), w)
	if last := g.lines - g.layout.picH - frameLines; len(lines) > last+1 && last >= 0 {
		lines = append(lines[:last], termtext.CutWords(strings.Join(lines[last:], " "), w))
	}
	for i, line := range lines {
		lines[i] = strings.Replace(g.Styles.Text.On(line), "●", mark, 1)
	}
	return lines
}

func (g *Gallery) thumbnail(h history.PictureHit, box image.Point) []string {
	x, ok := g.drawn(graphics.FileOf(h.Answer.Picture), box)
	words := []string{"…"}
	switch {
	case !ok:
		x = Drawing{}
	case x.Problem != "":
		words = termtext.Wrap(termtext.Clean(x.Problem), max(box.X-1, 1))
	}
	return x.fill(box, thumbCorner(x), words, g.Styles.Faint)
}

// thumbCorner returns the corner of a thumbnail that stands on its caption.
func thumbCorner(x Drawing) image.Point { return image.Pt(0, x.box.Y-x.Cells.Y) }

func (g *Gallery) showFacts() {
	w, height := g.sideInner()
	var lines []string
	if h, ok := g.At(g.at); ok {
		lines = pictureFacts(h, g.look, g.Styles, max(w, 1))
	}
	g.side.Set(lines, height)
}
