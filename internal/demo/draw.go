//go:build !windows

package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The size of a cell in pixels, and of the text in it.
const (
	cellWidth, cellHeight = 9, 18
	fontSize              = 15
	baseline              = 14 // pixels from the top of a cell
	marginX, marginY      = 6, 3
)

// canvas is a picture of a terminal while it is drawn.
type canvas struct {
	*image.RGBA
	background, foreground color.Color // the terminal's
	plain, bold            font.Face
	left                   placeholder // the one drawn last
}

// placeholder is which part of a picture a cell shows, and the highest byte of the id of the picture.
type placeholder struct{ row, column, top int }

func loadFace(ttf []byte) (font.Face, error) {
	f, err := opentype.Parse(ttf)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: fontSize, DPI: 72, Hinting: font.HintingFull})
}

// draw returns a picture of the screen in at most 256 colors, which keeps its file small.
func (t *terminal) draw() (image.Image, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	plain, err := loadFace(dejavusansmono.TTF)
	if err != nil {
		return nil, fmt.Errorf("load the font: %w", err)
	}
	bold, err := loadFace(dejavusansmonobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("load the bold font: %w", err)
	}
	box := image.Rect(-marginX, -marginY, columns*cellWidth+marginX, rows*cellHeight+marginY)
	c := &canvas{RGBA: image.NewRGBA(box),
		background: t.screen.BackgroundColor(), foreground: t.screen.ForegroundColor(), plain: plain, bold: bold}
	draw.Draw(c, c.Bounds(), image.NewUniform(c.background), c.Bounds().Min, draw.Src)
	for y := range rows {
		for x := range columns {
			cell := t.screen.CellAt(x, y)
			if cell == nil {
				continue
			}
			box := image.Rect(x*cellWidth, y*cellHeight, (x+max(cell.Width, 1))*cellWidth, (y+1)*cellHeight)
			if !t.drawPlaceholder(c, cell, box) {
				c.drawCell(cell, box)
			}
		}
	}
	c.Rect = c.Rect.Sub(c.Rect.Min)
	return withPalette(c.RGBA), nil
}

// drawCell draws the background and the text of a cell.
func (c *canvas) drawCell(cell *uv.Cell, box image.Rectangle) {
	fg, bg := cell.Style.Fg, cell.Style.Bg
	if fg == nil {
		fg = c.foreground
	}
	if bg == nil {
		bg = c.background
	}
	if cell.Style.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	draw.Draw(c, box, image.NewUniform(bg), image.Point{}, draw.Src)
	face := c.plain
	if cell.Style.Attrs&uv.AttrBold != 0 {
		face = c.bold
	}
	r := slices.Concat([]rune(cell.Content), []rune{' '})[0]
	switch {
	case r == ' ':
	case r >= 0x2800 && r <= 0x28ff:
		c.drawBraille(r, box, fg)
	case r >= 0x2580 && r <= 0x259f && c.drawBlock(r, box, fg):
	default:
		d := font.Drawer{Dst: c, Src: image.NewUniform(fg), Face: face,
			Dot: fixed.P(box.Min.X, box.Min.Y+baseline)}
		d.DrawString(cell.Content)
	}
}

// quadrants are the quarters that block characters from U+2596 on fill: upper left 1, upper right 2, lower left 4,
// lower right 8.
var quadrants = [...]int{4, 8, 1, 13, 9, 7, 11, 2, 6, 14}

// drawBlock draws a block that fills whole quarters of its cell, and tells whether the character is one.
func (c *canvas) drawBlock(r rune, box image.Rectangle, fg color.Color) bool {
	quarters := map[rune]int{'▀': 3, '▄': 12, '█': 15, '▌': 5, '▐': 10}[r]
	if r >= 0x2596 {
		quarters = quadrants[r-0x2596]
	}
	middle := image.Pt((box.Min.X+box.Max.X+1)/2, (box.Min.Y+box.Max.Y)/2)
	for i, quarter := range []image.Rectangle{
		{box.Min, middle}, image.Rect(middle.X, box.Min.Y, box.Max.X, middle.Y),
		image.Rect(box.Min.X, middle.Y, middle.X, box.Max.Y), {middle, box.Max},
	} {
		if quarters&(1<<i) != 0 {
			draw.Draw(c, quarter, image.NewUniform(fg), image.Point{}, draw.Src)
		}
	}
	return quarters != 0
}

// drawBraille draws the dots of a Braille pattern.
func (c *canvas) drawBraille(r rune, box image.Rectangle, fg color.Color) {
	for i, dot := range []image.Point{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
		if int(r-0x2800)&(1<<i) != 0 {
			at := box.Min.Add(image.Pt(1+4*dot.X, 2+4*dot.Y))
			draw.Draw(c, image.Rectangle{at, at.Add(image.Pt(2, 2))}, image.NewUniform(fg), image.Point{}, draw.Src)
		}
	}
}

// drawPlaceholder draws the part of a picture that stands in a cell, and tells whether one does. The diacritics of the
// placeholder name row, column and the highest byte of the id, its color names the rest of the id.
func (t *terminal) drawPlaceholder(c *canvas, cell *uv.Cell, box image.Rectangle) bool {
	runes := []rune(cell.Content)
	if len(runes) == 0 || runes[0] != kitty.Placeholder {
		return false
	}
	// A placeholder without its diacritics continues the one on its left. The emulator loses those that come in a
	// later read.
	at := placeholder{c.left.row, c.left.column + 1, c.left.top}
	if len(runes) >= 4 {
		at = placeholder{diacriticIndex(runes[1]), diacriticIndex(runes[2]), diacriticIndex(runes[3])}
	}
	c.left = at
	low := 0
	if index, ok := cell.Style.Fg.(ansi.IndexedColor); ok {
		low = int(index)
	} else if index, ok := cell.Style.Fg.(ansi.BasicColor); ok {
		low = int(index)
	}
	p, ok := t.pictures[at.top<<24|low]
	if !ok {
		return true
	}
	size, b := p.cells, p.img.Bounds()
	part := image.Rect(at.column*b.Dx()/size.X, at.row*b.Dy()/size.Y, (at.column+1)*b.Dx()/size.X,
		(at.row+1)*b.Dy()/size.Y)
	xdraw.ApproxBiLinear.Scale(c, box, p.img, part.Add(b.Min), draw.Src, nil)
	return true
}

func diacriticIndex(r rune) int {
	for i := range 297 {
		if kitty.Diacritic(i) == r {
			return i
		}
	}
	return 0
}

// withPalette returns a picture in at most 256 colors: its most frequent ones, in steps of 8.
func withPalette(img *image.RGBA) *image.Paletted {
	counts := map[color.RGBA]int{}
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			counts[coarseColor(img.RGBAAt(x, y))]++
		}
	}
	var all []color.RGBA
	for c := range counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return int(a.R)<<16 + int(a.G)<<8 + int(a.B) - int(b.R)<<16 - int(b.G)<<8 - int(b.B)
	})
	palette := color.Palette{img.RGBAAt(0, 0)}
	for _, c := range all[:min(len(all), 255)] {
		palette = append(palette, c)
	}
	out := image.NewPaletted(img.Rect, palette)
	nearest := map[color.RGBA]uint8{}
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			c := img.RGBAAt(x, y)
			i, ok := nearest[c]
			if !ok {
				i = uint8(palette.Index(c))
				nearest[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	return out
}

func coarseColor(c color.RGBA) color.RGBA { return color.RGBA{c.R&^7 | 4, c.G&^7 | 4, c.B&^7 | 4, 255} }
