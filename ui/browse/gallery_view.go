package browse

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
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
	return g.draw(title, "", "Facts", borders, g.drawLines())
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

// gridLines draws the rows of thumbnails, and the facts under them on a narrow screen.
func (g *Gallery) gridLines() []string {
	p := g.layout
	var out []string
	for row := range g.rows {
		out = append(out, g.gridRow(g.first+row)...)
	}
	if p.below == 0 {
		return out
	}
	height := max(g.listH-2-g.head-p.below, 0)
	for len(out) < height {
		out = append(out, "")
	}
	return append(out[:height], g.factsInLines()...)
}

func (g *Gallery) gridRow(row int) []string {
	out := make([]string, g.pitch)
	for i, end := g.span(row); i < end; i++ {
		cell := g.cell(i)
		for y := range out {
			text := strings.Repeat(" ", g.width(i))
			if y < len(cell) {
				text = cell[y]
			}
			out[y] += " " + text
		}
	}
	return out
}

// cell draws a thumbnail in a frame with the time of the picture, the color of its model and its prompt.
func (g *Gallery) cell(i int) []string {
	s, box := g.Styles, g.thumb(i)
	inside := slices.Repeat([]string{strings.Repeat(" ", box.X)}, box.Y)
	h, ok := g.At(i)
	b := widget.Box{W: box.X + 2, H: box.Y + 2, Styles: s}
	if ok {
		inside = g.thumbnail(h, box)
		b.Title, b.Bottom = g.look.When(h.Turn.Created), s.ModelStyle(h.Answer.Model).Render("●")+" "+
			s.Text.Render(termtext.CutWords(termtext.Line(format.FirstLine(h.Turn.Prompt)), box.X-6))
		if g.marked(h.Answer.ID) >= 0 {
			b.Title = "◆ marked"
		}
	} else if _, read := g.hits[g.ids[i]]; read && box.Y > 0 {
		inside[box.Y/2] = s.Faint.On(centered("deleted", box.X))
	}
	b.Focused = i == g.at
	return widget.BoxLines(b, inside)
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

// thumbCorner returns the corner of a thumbnail in the middle of its box.
func thumbCorner(x Drawing) image.Point { return x.box.Sub(x.Cells).Div(2) }

func (g *Gallery) showFacts() {
	w, height := g.sideInner()
	var lines []string
	if h, ok := g.At(g.at); ok {
		lines = pictureFacts(h, g.look, g.Styles, max(w, 1))
	}
	g.side.Set(lines, height)
}

// factsInLines returns the most important facts about the picture under the cursor, for the lines under the grid.
func (g *Gallery) factsInLines() []string {
	h, ok := g.At(g.at)
	if !ok {
		return nil
	}
	w := max(g.listW-4, 1)
	s, a := g.Styles, h.Answer
	made := termtext.Line(h.Turn.Facts(a, -1).Text(history.FactSource))
	model, facts := pictureLine(h, g.look, s)
	lines := []string{
		s.Text.On(termtext.Line(h.Turn.Prompt)),
		model + factGap + strings.Join(facts, factGap),
		s.Muted.On(joinFacts(filepath.Base(a.Picture.Path), termtext.Line(sessionOf(h)), made)),
	}
	for i, line := range lines {
		lines[i] = " " + ansi.Truncate(line, w, "…")
	}
	return lines
}
