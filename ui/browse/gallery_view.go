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
		if !ok || x.box != g.layout.box || x.Problem != "" || !x.pixels && len(x.Lines) == 0 {
			continue
		}
		row := g.rowOf(i)
		from, _ := g.span(row)
		cell := image.Pt(2+g.margin+(i-from)*g.cell+frameCells, 2+g.head+(row-g.first)*g.pitch)
		all = append(all, graphics.Placement{File: f, At: cell.Add(inMiddle(x)), Cells: x.Cells, Clip: inside})
	}
	return all
}

// position says which picture is under the cursor.
func (g *Gallery) position() string { return fmt.Sprintf("%d of %d", g.at+1, g.n) }

// gridLines draws the rows of thumbnails, and the facts under them on a narrow screen.
func (g *Gallery) gridLines() (out []string) {
	for n := range g.rows {
		out = append(out, g.gridRow(g.first+n)...)
	}
	if h, ok := g.At(g.at); ok && g.layout.below > 0 {
		out = slices.Concat(out, slices.Repeat([]string{""}, max(g.layout.height-len(out), 0)),
			[]string{pictureLine(h, g.position(), g.look, g.Styles, g.listW-2)})
	}
	return out
}

// gridRow draws a row of thumbnails.
func (g *Gallery) gridRow(row int) []string {
	out := slices.Repeat([]string{strings.Repeat(" ", 1+g.margin)}, g.pitch)
	from, to := g.span(row)
	for i := from; i < to; i++ {
		for y, line := range g.thumbnail(i) {
			out[y] += line
		}
	}
	return out
}

// thumbnail draws a picture with its caption in a frame.
func (g *Gallery) thumbnail(i int) []string {
	var inside []string
	if h, ok := g.At(i); ok {
		inside = append(g.picture(h), g.caption(h)...)
	} else if _, read := g.hits[g.ids[i]]; read {
		inside = Drawing{}.fill(g.layout.box, image.Point{}, []string{"deleted"}, g.Styles.Faint)
	}
	return widget.BoxLines(widget.Box{W: g.cell, H: g.pitch, Pad: frameCells - 1, Focused: i == g.at,
		Styles: g.Styles}, inside)
}

// caption draws what stands under a picture: the prompt, and the model in its color below it if there is room.
func (g *Gallery) caption(h history.PictureHit) []string {
	color := g.Styles.ModelStyle(h.Answer.Model)
	mark := color.On("●")
	if g.marked(h.Answer.ID) >= 0 {
		mark = g.Styles.Accent.On("◆")
	}
	w, prompt := max(g.layout.box.X-captionIndent, 1), termtext.Line(h.Turn.Prompt)
	if g.layout.caption < 2 {
		return []string{termtext.Fit(mark, captionIndent) + g.Styles.Text.On(termtext.CutWords(prompt, w))}
	}
	lines := termtext.Wrap(prompt, g.layout.box.X)
	if last := g.layout.caption - 2; len(lines) > last+1 {
		cut := strings.TrimRight(lines[last], " .,;:") + "…"
		if termtext.Width(cut) > g.layout.box.X {
			cut = termtext.CutWords(strings.Join(lines[last:], " "), g.layout.box.X)
		}
		lines = append(lines[:last], cut)
	}
	lines = paint(lines, g.Styles.Text)
	for len(lines) < g.layout.caption-1 {
		lines = append(lines, "") // all models stand in the last line
	}
	model := termtext.CutName(termtext.Line(h.Answer.Model), w, nil)
	return append(lines, termtext.Fit(mark, captionIndent)+g.Styles.Muted.On(model))
}

// picture draws a picture in the middle of its box.
func (g *Gallery) picture(h history.PictureHit) []string {
	box := g.layout.box
	x, ok := g.drawn(graphics.FileOf(h.Answer.Picture), box)
	words := []string{"…"}
	switch {
	case !ok:
		x = Drawing{}
	case x.Problem != "":
		words = termtext.Wrap(termtext.Clean(x.Problem), max(box.X-1, 1))
	}
	return x.fill(box, inMiddle(x), words, g.Styles.Faint)
}

// inMiddle returns the corner of a picture in the middle of its box.
func inMiddle(x Drawing) image.Point { return x.box.Sub(x.Cells).Div(2) }

func (g *Gallery) showFacts() {
	w, height := g.sideInner()
	var lines []string
	if h, ok := g.At(g.at); ok {
		lines = pictureFacts(h, g.look, g.Styles, max(w, 1))
	}
	g.side.Set(lines, height)
}
