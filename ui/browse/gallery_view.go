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
		cell := image.Pt(3, 2+g.head+g.tops[row-g.first]) // within the frame
		for left, _ := g.span(row); left < i; left++ {
			cell.X += g.widths[left] + 1
		}
		all = append(all, graphics.Placement{File: f, At: cell.Add(thumbCorner(x)), Cells: x.Cells, Clip: inside})
	}
	return all
}

// position says which picture is under the cursor.
func (g *Gallery) position() string { return fmt.Sprintf("%d of %d", g.at+1, g.n) }

// gridLines draws the rows of thumbnails, and the facts under them on a narrow screen.
func (g *Gallery) gridLines() []string {
	out := make([]string, g.tops[g.rows]+1)
	for n := range g.rows {
		for y, line := range g.gridRow(g.first + n) {
			if line != "" && g.tops[n]+y < len(out) {
				out[g.tops[n]+y] = line
			}
		}
	}
	if h, ok := g.At(g.at); ok && g.layout.below > 0 {
		out = slices.Concat(out, slices.Repeat([]string{""}, max(g.layout.height-len(out), 0)),
			[]string{pictureLine(h, g.position(), g.look, g.Styles, g.listW-2)})
	}
	return out
}

// gridRow draws a row of thumbnails, whose frames are as high as the longest caption needs. The line above and the one
// below are empty where no frame is.
func (g *Gallery) gridRow(row int) []string {
	from, to := g.span(row)
	captions, lines := make([][]string, to-from), 1
	for i := from; i < to; i++ {
		if h, ok := g.At(i); ok {
			captions[i-from] = g.caption(h, g.thumb(i).X)
		}
		lines = max(lines, len(captions[i-from]))
	}
	out := make([]string, g.layout.picHeight(row)+lines+2)
	for i := from; i < to; i++ {
		cell := g.cell(i, captions[i-from], len(out))
		for y := range out {
			if from <= g.at && g.at < to || y > 0 && y < len(out)-1 {
				out[y] += " " + termtext.Fit(cell[y], g.widths[i])
			}
		}
	}
	return out
}

// cell draws a thumbnail with its caption in lines. The one under the cursor has a frame.
func (g *Gallery) cell(i int, caption []string, lines int) []string {
	box := g.thumb(i)
	inside := slices.Repeat([]string{strings.Repeat(" ", box.X)}, box.Y)
	if h, ok := g.At(i); ok {
		inside = append(g.thumbnail(h, box), caption...)
	} else if _, read := g.hits[g.ids[i]]; read && box.Y > 0 {
		inside[box.Y/2] = g.Styles.Faint.On(centered("deleted", box.X))
	}
	if i == g.at {
		return widget.BoxLines(widget.Box{W: box.X + 2, H: lines, Focused: true, Styles: g.Styles}, inside)
	}
	for y, line := range inside {
		inside[y] = " " + line
	}
	return widget.FillLines(append([]string{""}, inside...), box.X+2, lines)
}

// captionOf returns the caption of a picture in one line: a mark, and the prompt.
func captionOf(h history.PictureHit) string { return "● " + termtext.Line(h.Turn.Prompt) }

// captionSize returns the cells of a caption in one line, and the width at which it takes no more than maxCaption, or
// the widest that it gets.
func captionSize(h history.PictureHit) image.Point {
	caption := captionOf(h)
	width := termtext.Width(caption)
	least := max((width+maxCaption-1)/maxCaption, 1)
	for least < widestCaption && len(termtext.Wrap(caption, least)) > maxCaption {
		least++
	}
	return image.Pt(width, min(least, widestCaption))
}

// caption draws what stands under a picture: the color of the model and the prompt.
func (g *Gallery) caption(h history.PictureHit, w int) []string {
	mark := g.Styles.ModelStyle(h.Answer.Model).On("●")
	if g.marked(h.Answer.ID) >= 0 {
		mark = g.Styles.Accent.On("◆")
	}
	lines := termtext.Wrap(captionOf(h), w)
	if len(lines) == maxCaption { // of about the same length
		lines = termtext.Wrap(captionOf(h), min(captionSize(h).Y, w))
	}
	if last := g.layout.caption - 1; len(lines) > last+1 {
		lines = append(lines[:last], termtext.CutWords(strings.Join(lines[last:], " "), w))
	}
	for i, line := range lines {
		lines[i] = strings.Replace(g.Styles.Text.On(centered(line, w)), "●", mark, 1)
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

// thumbCorner returns the corner of a picture that stands on its caption, in the middle of its frame.
func thumbCorner(x Drawing) image.Point { return image.Pt((x.box.X-x.Cells.X)/2, x.box.Y-x.Cells.Y) }

func (g *Gallery) showFacts() {
	w, height := g.sideInner()
	var lines []string
	if h, ok := g.At(g.at); ok {
		lines = pictureFacts(h, g.look, g.Styles, max(w, 1))
	}
	g.side.Set(lines, height)
}
