package browse

import (
	"fmt"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
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
	p := g.place
	borders, _ := g.Hints()
	count := ""
	if g.found != 0 {
		count = g.count()
	}
	grid := frame.Lines(g.Box("Pictures", count, borders[0], p.w, p.h), g.lines())
	if p.sideW == 0 {
		return strings.Join(grid, "\n")
	}
	facts, place := g.facts()
	factsBox := g.Box("Facts", place, borders[1], p.sideW, p.h)
	factsBox.Focused = false
	return frame.Beside(grid, frame.Lines(factsBox, facts))
}

// Hints implements [action.Dialog].
func (g *Gallery) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	if _, ok := g.hit(); !ok {
		return g.BorderHints(g.Keys.Hints(keys.Gallery, keys.Close), g.place.w, g.place.sideW)
	}
	commands := []keys.Command{keys.Choose, keys.Close, keys.ViewLarge, keys.MarkPicture, keys.Export, keys.Edit,
		keys.Remove,
		keys.OpenPicture, keys.CopyPath, keys.EditChain}
	if len(g.marks) > 0 { // what is done with all of them comes first
		commands = slices.Insert(slices.DeleteFunc(commands, func(e keys.Command) bool { return e == keys.Export }), 1,
			keys.Export, keys.MarkNone)
	}
	if g.looks.Far {
		commands = append(commands, keys.FetchLine)
	}
	return g.BorderHints(g.Keys.Hints(keys.Gallery, commands...), g.place.w, g.place.sideW)
}

// Cursor implements [action.Dialog].
func (g *Gallery) Cursor() *tea.Cursor {
	if g.place.w < 8 || g.place.h < 3 {
		return nil
	}
	return g.filter.Cursor(4, 1)
}

// Pictures returns the thumbnails that are seen, where they are drawn.
func (g *Gallery) Pictures() []graphics.Placement {
	var all []graphics.Placement
	p := g.place
	inside := image.Rect(1, 1, max(p.w-1, 1), max(p.h-1, 1))
	for i := range p.rows * p.cols {
		h, ok := g.At(g.first*p.cols + i)
		if !ok {
			continue
		}
		t, ok := g.thumbs[h.Answer.Picture.Path]
		if !ok || !t.seen() || t.box != p.box() {
			continue
		}
		at := p.corner(i/p.cols, i%p.cols).Add(t.in(t.box))
		all = append(all, graphics.Placement{Path: h.Answer.Picture.Path, At: at, Cells: t.cells, Clip: inside})
	}
	return all
}

// lines are what is inside the border of the grid.
func (g *Gallery) lines() []string {
	p := g.place
	out := []string{g.Styles.Accent.On(">") + " " + g.filter.View(true)}
	if p.head > 1 {
		out = append(out, "")
	}
	if len(g.ids) == 0 || g.problem != "" {
		return append(out, g.nothing(p.w-4)...)
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
	facts, _ := g.facts()
	return append(out[:max(p.h-2-p.below, 0)], facts...)
}

// nothing is what is said in place of pictures.
func (g *Gallery) nothing(w int) []string {
	ink, text := g.Styles.Muted, "No picture has been made yet."
	switch {
	case g.problem != "":
		ink, text = g.Styles.Danger, g.problem
	case g.found == 0:
		text = "Reading…"
	case g.filter.Value() != "":
		text = "Nothing matches “" + g.filter.Value() + "”."
	}
	var out []string
	for _, line := range termtext.Wrap(termtext.Clean(text), max(w-4, 1)) {
		out = append(out, "  "+ink.On(line))
	}
	return out
}

// row draws a row of the grid.
func (g *Gallery) row(row int) []string {
	p := g.place
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
	p := g.place
	h, ok := g.At(i)
	out := make([]string, 0, p.picH+p.caption)
	if !ok {
		for range p.picH + p.caption {
			out = append(out, strings.Repeat(" ", p.colW))
		}
		if _, read := g.hits[g.ids[i]]; read && p.picH > 0 {
			out[p.picH/2] = g.Styles.Faint.On(centred("deleted", p.colW))
		}
		return out
	}
	out = append(out, g.picture(h)...)
	return append(out, g.caption(i, h)...)
}

// picture draws a thumbnail, or what stands in its place.
func (g *Gallery) picture(h history.PictureHit) []string {
	p := g.place
	t, ok := g.thumbs[h.Answer.Picture.Path]
	out := make([]string, p.picH)
	if !ok || t.box != p.box() || len(t.lines) == 0 || g.looks.stale(h.Answer.Picture.Path, t) {
		ink, words := g.Styles.Faint, []string{"…"}
		if ok && t.problem != "" {
			words = termtext.Wrap(termtext.Clean(t.problem), max(p.colW-1, 1))
		}
		for y := range out {
			line := ""
			if n := y - max((p.picH-len(words))/2, 0); n >= 0 && n < len(words) {
				line = centred(words[n], p.colW)
			}
			out[y] = ink.On(termtext.Fit(line, p.colW))
		}
		return out
	}
	at := t.in(p.box())
	left, right := strings.Repeat(" ", max(at.X, 0)), strings.Repeat(" ", max(p.colW-at.X-t.cells.X, 0))
	for y := range out {
		if n := y - at.Y; n >= 0 && n < len(t.lines) {
			out[y] = left + t.lines[n] + right
		} else {
			out[y] = strings.Repeat(" ", p.colW)
		}
	}
	return out
}

func centred(s string, w int) string {
	return termtext.Fit(strings.Repeat(" ", max((w-ansi.StringWidth(s))/2, 0))+s, w)
}

// caption says under a thumbnail which model made it, how large it is and when.
func (g *Gallery) caption(i int, h history.PictureHit) []string {
	p, s := g.place, g.Styles
	name, facts := s.Text, s.Muted
	bar := " "
	if i == g.at {
		name, facts, bar = s.Selected, s.Selected, s.Accent.Inherit(s.Selected).On("▌")
	}
	mark := ""
	if g.marked(h.Answer.ID) >= 0 {
		mark = "◆ "
	}
	model, when := mark+termtext.Line(h.Answer.Model), g.looks.When(h.Turn.Created)
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
