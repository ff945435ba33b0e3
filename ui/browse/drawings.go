package browse

import (
	"fmt"
	"image"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/graphics"
	"confab/ui/part"
)

// maxDrawing is how many pictures a dialog has drawn at a time: while one is decoded the file of the next is read.
const maxDrawing = 2

// Drawing is a picture drawn for a box of cells, or why there is none.
type Drawing struct {
	Lines   []string
	Cells   image.Point // that the lines take
	ID      int         // by which the terminal has the pixels for which the lines stand; 0 for none
	Problem string

	size   image.Point          // of the picture, in px
	box    image.Point          // it was drawn for
	colors colorprofile.Profile // it was drawn with
	pixels bool                 // the terminal draws it, now or once it has the pixels
}

type drawnMsg struct {
	file graphics.File
	Drawing
}

// drawings are the drawn pictures of a dialog, and those that are being drawn.
type drawings struct {
	look     Look
	owner    part.Receiver // gets the drawings
	tooLarge string        // said in place of a picture that is too large to be decoded
	aspect   float64       // of a cell, that pictures are drawn for
	done     map[graphics.File]Drawing
	asked    map[graphics.File]image.Point // the boxes of those that are being drawn
}

func newDrawings(owner part.Receiver, look Look, tooLarge string) drawings {
	return drawings{look: look, owner: owner, tooLarge: tooLarge, done: map[graphics.File]Drawing{},
		asked: map[graphics.File]image.Point{}}
}

// fitAspect drops all drawings when the shape of the terminal's cells has changed.
func (d *drawings) fitAspect() {
	if aspect := d.look.CellAspect(); aspect != d.aspect {
		d.aspect = aspect
		clear(d.done)
		clear(d.asked)
	}
}

// request asks for the picture of a file, unless it is drawn for this box and the terminal's colors or being drawn, or
// too many others are. A terminal that draws by ids gets the pictures that are placed, and nothing is read here; with
// waitForPixels the box stays blank until it has the picture.
func (d *drawings) request(f graphics.File, p *history.Picture, box image.Point, waitForPixels bool) tea.Cmd {
	ids := d.look.IDs()
	id := ids.ID(f)
	byID := p.Width > 0 && p.Height > 0 && (id != 0 || waitForPixels && ids != nil)
	former, drawn := d.done[f]
	colors := d.look.Colors()
	if drawn && former.box == box && former.colors == colors &&
		(former.Problem != "" || former.ID == id && former.pixels == (byID || id != 0)) {
		return nil
	}
	switch {
	case f.Path == "":
	case p.IsTooLarge:
		d.done[f] = Drawing{box: box, colors: colors, Problem: d.tooLarge}
	case byID:
		cols, rows := graphics.FitCells(p.Width, p.Height, box.X, box.Y, d.aspect)
		blank := Drawing{box: box, colors: colors, Cells: image.Pt(cols, rows), pixels: true, ID: id}
		if id != 0 {
			blank.Lines = graphics.Placeholders(id, cols, rows)
		}
		d.done[f] = blank
	case len(d.asked) < maxDrawing && d.asked[f] == image.Point{}:
		d.asked[f] = box
		owner, draw := d.owner, d.look.Draw(f, box)
		return func() tea.Msg {
			x := draw()
			x.box, x.colors, x.pixels = box, colors, x.ID != 0
			return part.Result{To: owner, Msg: drawnMsg{f, x}}
		}
	}
	return nil
}

// update keeps what was drawn, and why the terminal cannot show a picture's pixels.
func (d *drawings) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case drawnMsg:
		if d.asked[msg.file] == msg.box {
			delete(d.asked, msg.file)
			d.done[msg.file] = msg.Drawing
		}
	case graphics.PreviewMsg:
		if former, ok := d.done[msg.File]; ok && msg.Problem != "" {
			former.Lines, former.Problem = nil, msg.Problem
			d.done[msg.File] = former
		}
	}
}

// drawn returns the drawing of a picture for a box. ok is false while there is none, or when the terminal has lost the
// pixels that the drawing stands for: they are being sent again.
func (d *drawings) drawn(f graphics.File, box image.Point) (x Drawing, ok bool) {
	x, ok = d.done[f]
	return x, ok && x.box == box && (x.ID == 0 || x.ID == d.look.IDs().ID(f))
}

// fill returns the lines of a box with the drawing from corner on, or with words in the middle where nothing is drawn.
func (x Drawing) fill(box, corner image.Point, words []string, style themes.Style) []string {
	out := make([]string, box.Y)
	top := max((box.Y-len(words))/2, 0)
	left, right := strings.Repeat(" ", max(corner.X, 0)), strings.Repeat(" ", max(box.X-corner.X-x.Cells.X, 0))
	for y := range out {
		line := ""
		switch n := y - corner.Y; {
		case len(x.Lines) > 0 && n >= 0 && n < len(x.Lines):
			out[y] = left + x.Lines[n] + right
			continue
		case len(x.Lines) == 0 && y >= top && y-top < len(words):
			line = style.On(centered(words[y-top], box.X))
		}
		out[y] = termtext.Fit(line, box.X)
	}
	return out
}

// centered sets a text in the middle of a line of w cells.
func centered(s string, w int) string {
	return termtext.Fit(strings.Repeat(" ", max((w-termtext.Width(s))/2, 0))+s, w)
}

// Look is how dialogs of pictures draw what they do not know themselves.
type Look struct {
	IDs        func() *graphics.ImageIDs // ids of pictures where the terminal draws by them, else nil
	CellAspect func() float64            // the height of a cell over its width
	Colors     func() colorprofile.Profile
	// Draw returns what draws a picture's file for a box of cells, in a command.
	Draw     func(f graphics.File, box image.Point) func() Drawing
	When     func(t time.Time) string // a time as people say it, short
	IsRemote bool                     // the files are on another machine than the person
}

// drawFile returns what draws a picture's file for a box of cells, in a command, with the state that the terminal has
// now.
func drawFile(t *graphics.Terminal, f graphics.File, box image.Point) func() Drawing {
	load, id := t.Load(), t.IDs().ID(f)
	options := graphics.CellOptions{Profile: t.Profile(), CellAspect: t.CellAspect()}
	return func() Drawing {
		img, problem := load.Picture(f)
		if problem != "" {
			return Drawing{Problem: problem}
		}
		size := img.Bounds().Size()
		w, h := graphics.FitCells(size.X, size.Y, box.X, box.Y, options.CellAspect)
		x := Drawing{size: size, Cells: image.Pt(w, h)}
		if id != 0 {
			x.Lines, x.ID = graphics.Placeholders(id, w, h), id
			return x
		}
		small := load.ForCells(img, max(2*w, 4*h))
		cells, ok := graphics.RenderCells(small, box.X, box.Y, options)
		x.Lines, x.Cells = cells.Lines, image.Pt(cells.W, cells.H) // the small one may be of another shape
		if !ok {
			x.Problem = fmt.Sprintf("picture, %d×%d, %s; too few colors in this terminal: open it in another program",
				size.X, size.Y, f.Path)
		}
		return x
	}
}
