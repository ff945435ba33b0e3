package export

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"

	"golang.org/x/image/draw"

	"confab/history"
	"confab/internal/decodelimit"
	"confab/service/problem"
)

const (
	usualTile  = 320        // px of a picture's longer side
	leastTile  = 64         // px of it where there are many
	margin     = 12         // px around a tile
	captionPx  = 15         // size of the letters
	lineHeight = 20         // px of a caption's line
	mostLines  = 8          // of the reason in the place of a picture
	maxSheet   = 16_000_000 // px of a sheet
	maxDecoded = 40_000_000 // px of a picture
	maxSide    = 1 << 14    // px of a side that is scaled with care
)

// ContactSheet writes a PNG with the pictures of the run in a grid, each with its model, nonce and time below it. The
// prompt stands above, or, when there are several, below each picture too. An answer without a picture, or with one
// that cannot be shown, is there with the reason. A sheet has at most 16 megapixels: with many answers the pictures
// get smaller. When a text has letters that the built-in font lacks, fonts are looked for in the folders; without one,
// such letters are drawn as boxes.
func ContactSheet(ctx context.Context, out io.Writer, run Run, o Options, fontFolders []string) error {
	cells := slices.DeleteFunc(slices.Clone(run.Cells), func(c Cell) bool { return c.Answer.Kind == history.KindText })
	if !slices.ContainsFunc(cells, func(c Cell) bool { return c.Answer.Picture != nil }) {
		return problem.Usage("there is no picture here to put on a contact sheet")
	}
	isSingle := !slices.ContainsFunc(cells, func(c Cell) bool { return c.Turn.Prompt != cells[0].Turn.Prompt })
	g, err := newGrid(len(cells), isSingle)
	if err != nil {
		return err
	}
	s := &contactSheet{grid: g, o: o, img: image.NewRGBA(image.Rect(0, 0, g.w, g.h))}
	if s.fonts, err = newCaptionFonts(fontFolders); err != nil {
		return err
	}
	draw.Draw(s.img, s.img.Bounds(), image.NewUniform(color.RGBA{0xf6, 0xf8, 0xfa, 0xff}), image.Point{}, draw.Src)
	title := run.Name
	if isSingle {
		title = cells[0].Turn.Prompt
	}
	s.fonts.draw(s.img, image.Pt(margin, margin+captionPx), s.w-2*margin, title, strong)
	for i, c := range cells {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.put(ctx, i, c)
	}
	return png.Encode(out, s.img)
}

// grid is how a sheet is divided.
type grid struct {
	columns, tile int
	captions      int // lines below a picture
	w, h          int // px of the sheet
}

// head is how much room the title takes, in px.
const head = lineHeight + margin

// The colors of texts.
var (
	strong = color.RGBA{0x1f, 0x23, 0x28, 0xff}
	muted  = color.RGBA{0x59, 0x63, 0x6e, 0xff}
	danger = color.RGBA{0xb4, 0x23, 0x18, 0xff}
)

// newGrid makes about as many columns as rows, and tiles as large as fit. isSingle says that all have the same prompt.
func newGrid(n int, isSingle bool) (grid, error) {
	captions := 3
	if isSingle {
		captions = 2
	}
	columns := int(math.Ceil(math.Sqrt(float64(n))))
	rows := (n + columns - 1) / columns
	for tile := usualTile; tile >= leastTile; tile = tile * 3 / 4 {
		g := grid{columns: columns, tile: tile, captions: captions}
		g.w, g.h = columns*(tile+margin)+margin, head+rows*g.step()+margin
		if g.w <= maxSheet/g.h {
			return g, nil
		}
	}
	return grid{}, problem.Usage("%d pictures are more than one contact sheet can show", n)
}

// step is from the top of a row to that of the next, in px.
func (g grid) step() int { return g.tile + g.captions*lineHeight + 2*margin }

// at returns where the picture of the tile i is drawn.
func (g grid) at(i int) image.Rectangle {
	x := margin + i%g.columns*(g.tile+margin)
	y := head + margin + i/g.columns*g.step()
	return image.Rect(x, y, x+g.tile, y+g.tile)
}

// contactSheet is a sheet that is being drawn.
type contactSheet struct {
	grid
	o     Options
	img   *image.RGBA
	fonts *captionFonts
}

// put draws one answer.
func (s *contactSheet) put(ctx context.Context, i int, c Cell) {
	at := s.at(i)
	draw.Draw(s.img, at, image.NewUniform(color.RGBA{0xe4, 0xe8, 0xec, 0xff}), image.Point{}, draw.Src)
	if why := s.picture(ctx, at, c); why != "" {
		lines := s.fonts.wrap(why, at.Dx()-2*margin, mostLines)
		y := at.Min.Y + (at.Dy()-len(lines)*lineHeight)/2 + captionPx
		for i, line := range lines {
			s.fonts.draw(s.img, image.Pt(at.Min.X+margin, y+i*lineHeight), at.Dx()-2*margin, line, danger)
		}
	}
	first, second := captionOf(c)
	y := at.Max.Y + lineHeight - 3
	s.fonts.draw(s.img, image.Pt(at.Min.X, y), at.Dx(), first, strong)
	if s.captions > 2 {
		y += lineHeight
		s.fonts.draw(s.img, image.Pt(at.Min.X, y), at.Dx(), c.Turn.Prompt, muted)
	}
	s.fonts.draw(s.img, image.Pt(at.Min.X, y+lineHeight), at.Dx(), second, muted)
}

// captionOf returns the first and the last line below a picture.
func captionOf(c Cell) (first, second string) {
	a := c.Answer
	first = a.Model
	if c.Number > 0 {
		first = fmt.Sprintf("%d · %s", c.Number, a.Model)
	}
	facts := c.Turn.Facts(a, -1)
	if sample := facts.Text(history.FactSample); sample != "" {
		first += " · " + sample
	}
	return oneLine(first), oneLine(facts.Only(history.FactTime, history.FactNonce).Join(" · "))
}

// picture draws the picture of an answer within a square, or says why not.
func (s *contactSheet) picture(ctx context.Context, at image.Rectangle, c Cell) string {
	a := c.Answer
	switch {
	case a.Picture == nil && c.failure() != "":
		return c.failure()
	case a.Picture == nil:
		return string(a.State)
	case a.Picture.IsTooLarge:
		return "too large to be shown"
	case s.o.Picture == nil:
		return "not at hand"
	}
	b, err := s.o.Picture(ctx, a)
	if err != nil {
		return "the file cannot be read"
	}
	img, err := decodelimit.Decode(ctx, b, maxDecoded)
	if err != nil {
		return "not a picture that can be shown"
	}
	// The kernel looks at every pixel; sampling would lose fine lines. Its memory grows with the longer side (x/image
	// v0.47.0).
	var scaler draw.Scaler = draw.BiLinear
	if max(img.Bounds().Dx(), img.Bounds().Dy()) > maxSide {
		scaler = draw.ApproxBiLinear
	}
	scaler.Scale(s.img, fit(img.Bounds(), at), img, img.Bounds(), draw.Over, nil)
	return ""
}

// fit returns the largest rectangle of the picture's shape in the middle of a square, of at least one pixel each way.
func fit(picture, square image.Rectangle) image.Rectangle {
	w, h := picture.Dx(), picture.Dy()
	if w >= h {
		w, h = square.Dx(), max(square.Dx()*h/w, 1)
	} else {
		w, h = max(square.Dy()*w/h, 1), square.Dy()
	}
	x, y := square.Min.X+(square.Dx()-w)/2, square.Min.Y+(square.Dy()-h)/2
	return image.Rect(x, y, x+w, y+h)
}
