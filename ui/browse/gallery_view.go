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
	"confab/ui/frame"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// View implements [action.Dialog].
func (g *Gallery) View() string {
	p := g.layout
	borders, _ := g.Hints()
	count := ""
	if g.found != 0 {
		count = g.count()
	}
	grid := frame.Lines(g.Box("Pictures", count, borders[0], p.w, p.h), g.lines())
	if p.sideW == 0 {
		return strings.Join(grid, "\n")
	}
	facts := g.facts()
	factsBox := g.Box("Facts", facts.Position(), borders[1], p.sideW, p.h)
	factsBox.Focused = false
	return frame.Beside(grid, frame.Lines(factsBox, facts.View()))
}

// Hints implements [action.Dialog].
func (g *Gallery) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	if _, ok := g.hit(); !ok {
		return g.BorderHints(g.Keys.Hints(keys.Gallery, keys.Close), g.layout.w, g.layout.sideW)
	}
	commands := []keys.Command{keys.Choose, keys.Close, keys.ViewLarge, keys.MarkPicture, keys.Export, keys.Edit,
		keys.Remove,
		keys.OpenPicture, keys.CopyPath, keys.EditChain}
	if len(g.marks) > 0 { // what is done with all of them comes first
		commands = slices.Insert(slices.DeleteFunc(commands, func(c keys.Command) bool { return c == keys.Export }), 1,
			keys.Export, keys.MarkNone)
	}
	if g.look.Far {
		commands = append(commands, keys.FetchLine)
	}
	return g.BorderHints(g.Keys.Hints(keys.Gallery, commands...), g.layout.w, g.layout.sideW)
}

// Pictures returns the thumbnails that are seen, where they are drawn.
func (g *Gallery) Pictures() []graphics.Placement {
	var all []graphics.Placement
	p := g.layout
	inside := image.Rect(1, 1, max(p.w-1, 1), max(p.h-1, 1))
	from, to := g.window(0)
	for i := from; i < to; i++ {
		h, ok := g.At(i)
		if !ok {
			continue
		}
		path := h.Answer.Picture.Path
		x, ok := g.done[path]
		if !ok || x.box != p.box() || x.Problem != "" || !x.pixels && len(x.Lines) == 0 {
			continue
		}
		at := p.corner(i/p.cols-g.first, i%p.cols).Add(thumbCorner(x))
		all = append(all, graphics.Placement{Path: path, At: at, Cells: x.Cells, Clip: inside})
	}
	return all
}

// lines are what is inside the border of the grid.
func (g *Gallery) lines() []string {
	p := g.layout
	out := []string{g.Styles.Accent.On(">") + " " + g.filter.View(true)}
	if p.head > 1 {
		out = append(out, "")
	}
	if len(g.ids) == 0 || g.problem != "" {
		return append(out, g.message("No picture has been made yet.", p.w-8)...)
	}
	for row := range p.rows {
		out = append(out, g.row(g.first+row)...)
	}
	if p.below == 0 {
		return out
	}
	for len(out) < p.h-2-p.below {
		out = append(out, "")
	}
	return append(out[:max(p.h-2-p.below, 0)], g.factsInLines()...)
}

// row draws a row of the grid.
func (g *Gallery) row(row int) []string {
	p := g.layout
	lines := make([]strings.Builder, p.pitch)
	for col := range p.cols {
		i := row*p.cols + col
		if i >= len(g.ids) {
			break
		}
		cell := g.cell(i)
		for y := range lines {
			if col > 0 {
				lines[y].WriteByte(' ')
			}
			if y < len(cell) {
				lines[y].WriteString(cell[y])
			} else {
				lines[y].WriteString(strings.Repeat(" ", p.colW))
			}
		}
	}
	out := make([]string, len(lines))
	for y := range lines {
		out[y] = lines[y].String()
	}
	return out
}

// cell draws a thumbnail with its caption, all lines as wide as the column.
func (g *Gallery) cell(i int) []string {
	p := g.layout
	h, ok := g.At(i)
	out := make([]string, 0, p.picH+p.caption)
	if !ok {
		for range p.picH + p.caption {
			out = append(out, strings.Repeat(" ", p.colW))
		}
		if _, read := g.hits[g.ids[i]]; read && p.picH > 0 {
			out[p.picH/2] = g.Styles.Faint.On(centered("deleted", p.colW))
		}
		return out
	}
	out = append(out, g.picture(h)...)
	return append(out, g.caption(i, h)...)
}

// picture draws a thumbnail, or what stands in its place.
func (g *Gallery) picture(h history.PictureHit) []string {
	box := g.layout.box()
	x, ok := g.drawn(h.Answer.Picture.Path, box)
	words := []string{"…"}
	switch {
	case !ok:
		x = Drawing{}
	case x.Problem != "":
		words = termtext.Wrap(termtext.Clean(x.Problem), max(box.X-1, 1))
	}
	return x.fill(box, thumbCorner(x), words, g.Styles.Faint)
}

// thumbCorner is the corner of a thumbnail in its box: centered, and at the bottom, where the caption is.
func thumbCorner(x Drawing) image.Point {
	return image.Pt((x.box.X-x.Cells.X)/2, x.box.Y-x.Cells.Y)
}

// caption says under a thumbnail which model made it, how large it is and when.
func (g *Gallery) caption(i int, h history.PictureHit) []string {
	p, s := g.layout, g.Styles
	name, facts := s.Text, s.Muted
	bar := " "
	if i == g.at {
		name, facts, bar = s.Selected, s.Selected, s.Accent.Inherit(s.Selected).On("▌")
	}
	mark := ""
	if g.marked(h.Answer.ID) >= 0 {
		mark = "◆ "
	}
	model, when := mark+termtext.Line(h.Answer.Model), g.look.When(h.Turn.Created)
	size := fmt.Sprintf("%d×%d", h.Answer.Picture.Width, h.Answer.Picture.Height)
	w := p.colW - 1
	if p.caption < 2 {
		return []string{bar + sides(model, when, w, name, facts)}
	}
	return []string{bar + name.On(termtext.Fit(model, w)), bar + sides(size, when, w, facts, facts)}
}

// sides sets two texts at the ends of a line of w cells; the first is cut where
// there is no room for both, the second goes where there is none for it.
func sides(left, right string, w int, a, b themes.Style) string {
	n := ansi.StringWidth(right)
	if n+4 > w {
		return a.On(termtext.Fit(left, w))
	}
	return a.On(termtext.Fit(left, w-n-1)) + b.On(" "+right)
}
