package browse

import (
	"cmp"
	"image"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/ui/graphics"
	"confab/ui/keys"
)

func (p *StartPage) pictureLines() []string {
	l := p.layout
	rows := make([]string, l.rows[picturesSection])
	for y := range rows {
		rows[y] = p.labelled(label("Pictures", y), "")
	}
	for _, i := range l.strip {
		for y, line := range p.pictureOf(i) {
			row := &rows[i.box.Min.Y-l.from[picturesSection]+y]
			*row = termtext.Fit(*row, i.box.Min.X) + line
		}
	}
	key := p.keyTo(p.env.Keys.Key(keys.Everywhere, keys.Pictures), "all")
	for y := range rows {
		blanks := max(p.w-1-ansi.StringWidth(key), 0)
		rows[y] = termtext.Fit(rows[y], blanks) + label(key, y)
	}
	return rows
}

// pictureOf draws a picture, or a sign until it is read.
func (p *StartPage) pictureOf(i stripItem) []string {
	x, ok := p.drawn(graphics.FileOf(p.pictures[i.picture].Answer.Picture), i.box.Size())
	words := []string{}
	if !ok {
		x, words = Drawing{}, []string{"…"}
	}
	return x.fill(i.box.Size(), image.Point{}, words, p.styles.Faint)
}

// placements returns the pictures and their positions.
func (p *StartPage) placements() []graphics.Placement {
	var all []graphics.Placement
	for _, i := range slices.Concat(p.layout.strip, p.layout.column) {
		f := graphics.FileOf(p.pictures[i.picture].Answer.Picture)
		x := p.done[f]
		if x.pixels || len(x.Lines) > 0 {
			all = append(all, graphics.Placement{File: f, At: i.box.Min,
				Cells: x.Cells, Clip: image.Rect(0, 0, p.paneW, p.h)})
		}
	}
	return all
}

// givePictures gives the section of pictures at most that many lines, or none.
func (p *StartPage) givePictures(l *startLayout, lines int) {
	strip := p.fitPictures(lines)
	if len(strip) == 0 {
		return
	}
	if height := strip[len(strip)-1].box.Max.Y; l.give(picturesSection, 0, height-l.rows[picturesSection]) ||
		height == l.rows[picturesSection] {
		l.strip = strip
	}
}

// fitPictures places the pictures in rows, as large as possible while enough of them fit.
func (p *StartPage) fitPictures(lines int) (strip []stripItem) {
	w := p.w - p.labelWidth() - startKey
	if lines < leastPicture || w < 24 || p.aspect <= 0 {
		return nil
	}
	best := 0 // height
	for rows := 1; rows <= pictureRows; rows++ {
		for height := leastPicture; height <= min((lines-rows+1)/rows, largestPicture); height++ {
			placed := p.placePictures(w, height, rows)
			more := cmp.Compare(min(len(placed), enoughPictures), min(len(strip), enoughPictures))
			if more > 0 || more == 0 && height > best {
				strip, best = placed, height
			}
		}
	}
	return strip
}

// placePictures places pictures of one height in rows of w cells. It leaves out those that cannot be shown.
func (p *StartPage) placePictures(w, height, rows int) (strip []stripItem) {
	x, y := 0, 0
	for i, h := range p.pictures {
		picture := h.Answer.Picture
		if p.done[graphics.FileOf(picture)].Problem != "" {
			continue
		}
		cols, size := w, image.Pt(cmp.Or(picture.Width, 16), cmp.Or(picture.Height, 9))
		for last := 0; cols != last; { // until the picture fills its box
			last = cols
			cols, _ = graphics.FitCells(size.X, size.Y, cols, height, p.aspect)
		}
		if x+cols > w {
			x, y = 0, y+height+1
		}
		if y >= rows*(height+1) {
			break
		}
		strip = append(strip, stripItem{i, image.Rect(x, y, x+cols, y+height)})
		x += cols + 2
	}
	return strip
}

// columnPictures places the pictures of the selected session that are in the strip under each other in the column of
// its preview, each under its prompt, where the newest turn of the session has one. They are as large as in the strip:
// a picture has one size at a time.
func (p *StartPage) columnPictures(strip []stripItem) (items []stripItem) {
	if !p.hasColumns() {
		return nil
	}
	session, y := p.sessions[p.at], 2 // under the name of the session
	for _, i := range strip {
		of := p.pictures[i.picture].Turn
		if len(items) == 0 && !strings.HasPrefix(of.Prompt, session.hit.LastPrompt) {
			continue
		}
		if size := i.box.Size(); of.Session == session.ID && y+1+size.Y <= p.h && size.X+2 <= p.previewWidth() {
			at := image.Pt(p.w+4, y+1)
			items = append(items, stripItem{i.picture, image.Rectangle{Min: at, Max: at.Add(size)}})
			y += 1 + size.Y + 1
		}
	}
	return items
}

// columnLines draws the pictures of [StartPage.columnPictures], without the lines above them.
func (p *StartPage) columnLines() (lines []string) {
	preview := previewer{styles: p.styles, w: p.previewWidth()}
	for _, i := range p.layout.column {
		lines = append(lines, preview.prompt(p.pictures[i.picture].Turn.Prompt, ""))
		for _, line := range p.pictureOf(i) {
			lines = append(lines, "  "+line)
		}
		lines = append(lines, "")
	}
	return lines
}
