package graphics

import (
	"image"
	"strconv"

	"github.com/charmbracelet/colorprofile"
)

// CellMode is how a cell is divided.
type CellMode int

// Quadrants divide a cell into 2x2 parts, Halves into 1x2. Every font has both.
const (
	Quadrants CellMode = iota
	Halves
)

// CellOptions say how a picture is drawn as cells. The zero value has no colors, and nothing can be drawn without them.
type CellOptions struct {
	Profile    colorprofile.Profile // TrueColor or ANSI256; [RenderCells] draws nothing with fewer colors
	Mode       CellMode
	CellAspect float64 // height of a cell over its width in pixels; 0 is 2
}

// CellPicture is a picture made of text: H lines, each exactly W cells wide, with styles closed at the end of every
// line.
type CellPicture struct {
	W, H  int
	Lines []string
}

// RenderCells draws img within w by h cells, keeping its shape. It reports false when
// there is nothing to draw: fewer than 256 colours, no room, or no pixels. What is
// transparent stays the terminal's own background.
//
// With 256 colours the picture is always drawn in half blocks, dithered: a
// quadrant has only two colours for its four parts.
func RenderCells(img image.Image, w, h int, o CellOptions) (CellPicture, bool) {
	if img == nil || o.Profile != colorprofile.TrueColor && o.Profile != colorprofile.ANSI256 {
		return CellPicture{}, false
	}
	cols, rows := FitCells(img.Bounds().Dx(), img.Bounds().Dy(), w, h, o.CellAspect)
	if cols == 0 {
		return CellPicture{}, false
	}
	var d cellWriter
	switch {
	case o.Profile == colorprofile.ANSI256:
		d.parts = dither(average(img, cols, 2*rows))
		d.across = 1
	case o.Mode == Halves:
		d.parts = partsOf(average(img, cols, 2*rows))
		d.across = 1
	default:
		d.parts = partsOf(average(img, 2*cols, 2*rows))
		d.across = 2
	}
	c := CellPicture{W: cols, H: rows, Lines: make([]string, rows)}
	for y := range rows {
		c.Lines[y] = d.line(y, cols)
	}
	return c, true
}

// cellPart is the color of a part of a cell; clear parts show the background.
type cellPart struct {
	r, g, b uint8
	index   uint8 // in the palette of 256, when indexed
	indexed bool
	solid   bool // not transparent
}

// partsOf returns the pixels of a shrunk picture as parts.
func partsOf(img *image.RGBA) []cellPart {
	parts := make([]cellPart, len(img.Pix)/4)
	for i := range parts {
		p := img.Pix[i*4 : i*4+4 : i*4+4]
		switch a := uint32(p[3]); {
		case a == 255:
			parts[i] = cellPart{r: p[0], g: p[1], b: p[2], solid: true}
		case a >= 128:
			parts[i] = cellPart{r: uint8(uint32(p[0]) * 255 / a), g: uint8(uint32(p[1]) * 255 / a),
				b: uint8(uint32(p[2]) * 255 / a), solid: true}
		}
	}
	return parts
}

// cellWriter writes the parts of cells as text, changing colours only where they
// change.
type cellWriter struct {
	parts  []cellPart
	across int // parts of a cell from left to right: 1 or 2
	buf    []byte
	fg, bg cellPart
}

// line returns one line of cells.
func (d *cellWriter) line(y, cols int) string {
	d.buf = d.buf[:0]
	d.fg, d.bg = cellPart{}, cellPart{}
	stride := cols * d.across
	upper, lower := d.parts[2*y*stride:(2*y+1)*stride], d.parts[(2*y+1)*stride:(2*y+2)*stride]
	for x := range cols {
		var mask int
		var fg, bg cellPart
		if d.across == 1 {
			mask, fg, bg = splitHalves(upper[x], lower[x])
		} else {
			mask, fg, bg = split([4]cellPart{upper[2*x], upper[2*x+1], lower[2*x], lower[2*x+1]})
		}
		d.cell(mask, fg, bg)
	}
	if d.fg.solid || d.bg.solid {
		d.buf = append(d.buf, "\x1b[m"...)
	}
	return string(d.buf)
}

// blocks are the glyphs of the parts in the foreground: 1 upper left, 2 upper
// right, 4 lower left, 8 lower right.
var blocks = [16]string{" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"}

// cell writes one cell.
func (d *cellWriter) cell(mask int, fg, bg cellPart) {
	switch {
	case mask == 15 && fg == d.bg: // the same colour is already the background
		mask, fg, bg = 0, cellPart{}, fg
	case mask == 15 && fg != d.fg: // one colour: as background
		mask, fg, bg = 0, cellPart{}, fg
	case mask != 0 && mask != 15 && fg.solid && bg.solid && (fg == d.bg || bg == d.fg):
		mask, fg, bg = 15-mask, bg, fg
	}
	needFG := mask != 0 && fg != d.fg
	needBG := mask != 15 && bg != d.bg
	if needFG || needBG {
		d.buf = append(d.buf, "\x1b["...)
		if needBG {
			d.buf = bg.appendTo(d.buf, '4')
			d.bg = bg
			if needFG {
				d.buf = append(d.buf, ';')
			}
		}
		if needFG {
			d.buf = fg.appendTo(d.buf, '3')
			d.fg = fg
		}
		d.buf = append(d.buf, 'm')
	}
	d.buf = append(d.buf, blocks[mask]...)
}

// appendTo appends the SGR parameters of a colour; ground is '3' or '4'.
func (p cellPart) appendTo(buf []byte, ground byte) []byte {
	if !p.solid {
		return append(buf, ground, '9')
	}
	buf = append(buf, ground, '8', ';')
	if p.indexed {
		return strconv.AppendUint(append(buf, '5', ';'), uint64(p.index), 10)
	}
	buf = append(buf, '2', ';')
	buf = append(strconv.AppendUint(buf, uint64(p.r), 10), ';')
	buf = append(strconv.AppendUint(buf, uint64(p.g), 10), ';')
	return strconv.AppendUint(buf, uint64(p.b), 10)
}
