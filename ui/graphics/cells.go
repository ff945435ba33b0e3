package graphics

import (
	"image"
	"strconv"

	"github.com/charmbracelet/colorprofile"

	"confab/internal/pixels"
)

// CellOptions say how a picture is drawn as cells. The zero value has no colors, and nothing can be drawn without them.
type CellOptions struct {
	Profile    colorprofile.Profile // TrueColor or ANSI256; [RenderCells] draws nothing with fewer colors
	CellAspect float64              // height of a cell over its width in pixels; 0 is 2
}

// CellPicture is a picture made of text: H lines, each exactly W cells wide, with styles closed at the end of every
// line.
type CellPicture struct {
	W, H  int
	Lines []string
}

// RenderCells draws img within w by h cells, keeping its shape: in quadrants of a cell, or with 256 colors in dithered
// half blocks, because a cell has only two colors for its parts. It reports false when there is nothing to draw: fewer
// than 256 colors, no cells, or no pixels. Transparent parts show the terminal's own background.
func RenderCells(img image.Image, w, h int, o CellOptions) (CellPicture, bool) {
	if img == nil || o.Profile != colorprofile.TrueColor && o.Profile != colorprofile.ANSI256 {
		return CellPicture{}, false
	}
	cols, rows := FitCells(img.Bounds().Dx(), img.Bounds().Dy(), w, h, o.CellAspect)
	if cols == 0 {
		return CellPicture{}, false
	}
	var d cellWriter
	if o.Profile == colorprofile.ANSI256 {
		d.parts, d.partsAcross = dither(pixels.Scale(img, cols, 2*rows)), 1
	} else {
		d.parts, d.partsAcross = partsOf(pixels.Scale(img, 2*cols, 2*rows)), 2
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

// cellWriter writes the parts of cells as text and changes the colors of the text only where they differ.
type cellWriter struct {
	parts       []cellPart
	partsAcross int // of a cell, from left to right: 1 or 2
	buf         []byte
	fg, bg      cellPart
}

// line returns one line of cells.
func (d *cellWriter) line(y, cols int) string {
	d.buf = d.buf[:0]
	d.fg, d.bg = cellPart{}, cellPart{}
	stride := cols * d.partsAcross
	upper, lower := d.parts[2*y*stride:(2*y+1)*stride], d.parts[(2*y+1)*stride:(2*y+2)*stride]
	for x := range cols {
		var mask int
		var fg, bg cellPart
		if d.partsAcross == 1 {
			mask, fg, bg = splitHalves(upper[x], lower[x])
		} else {
			mask, fg, bg = splitQuadrants([4]cellPart{upper[2*x], upper[2*x+1], lower[2*x], lower[2*x+1]})
		}
		d.cell(mask, fg, bg)
	}
	if d.fg.solid || d.bg.solid {
		d.buf = append(d.buf, "\x1b[m"...)
	}
	return string(d.buf)
}

// blocks has the glyph for each set of parts in the foreground: 1 upper left, 2 upper right, 4 lower left, 8 lower
// right.
var blocks = [16]string{" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"}

// cell writes one cell.
func (d *cellWriter) cell(mask int, fg, bg cellPart) {
	switch {
	case mask == 15 && (fg == d.bg || fg != d.fg): // one color is drawn as a blank on that background
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

// appendTo appends the SGR parameters of a color; ground is '3' or '4'.
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

// maxSameDistance is the largest squared distance of two colors that look the same. Drawing them as one halves the
// bytes of skies and walls.
const maxSameDistance = 3 * 4 * 4

// splitQuadrants divides the four parts of a cell into a foreground and a background, so that the two colors are as
// close to the four as they can be. Transparent parts become the background.
func splitQuadrants(p [4]cellPart) (mask int, fg, bg cellPart) {
	solid := 0
	for i := range p {
		if p[i].solid {
			solid |= 1 << i
		}
	}
	if solid != 15 {
		return solid, mean(&p, solid), cellPart{}
	}
	if distance(p[0], p[1]) <= maxSameDistance && distance(p[0], p[2]) <= maxSameDistance &&
		distance(p[0], p[3]) <= maxSameDistance {
		return 15, mean(&p, 15), cellPart{}
	}
	best, least := 15, spread(&p, 15)
	for m := 1; m < 8; m++ { // the other masks are these with the grounds exchanged
		if n := spread(&p, m) + spread(&p, 15-m); n < least {
			best, least = m, n
		}
	}
	fg, bg = mean(&p, best), mean(&p, 15-best)
	if best == 15 || distance(fg, bg) <= maxSameDistance {
		return 15, mean(&p, 15), cellPart{}
	}
	return best, fg, bg
}

// spread returns how far the parts in mask are from their mean, as the sum of the squared distances.
func spread(p *[4]cellPart, mask int) int {
	center, sum := mean(p, mask), 0
	for i := range p {
		if mask&(1<<i) != 0 {
			sum += distance(p[i], center)
		}
	}
	return sum
}

// mean returns the mean color of the parts in mask.
func mean(p *[4]cellPart, mask int) cellPart {
	var r, g, b, n int
	for i := range p {
		if mask&(1<<i) != 0 {
			r, g, b, n = r+int(p[i].r), g+int(p[i].g), b+int(p[i].b), n+1
		}
	}
	if n == 0 {
		return cellPart{}
	}
	return cellPart{r: uint8((r + n/2) / n), g: uint8((g + n/2) / n), b: uint8((b + n/2) / n), solid: true}
}

// splitHalves divides an upper and a lower half into foreground and background.
func splitHalves(upper, lower cellPart) (mask int, fg, bg cellPart) {
	switch {
	case upper == lower && upper.solid:
		return 15, upper, cellPart{}
	case !upper.solid && !lower.solid:
		return 0, cellPart{}, cellPart{}
	case !upper.solid:
		return 12, lower, cellPart{}
	}
	return 3, upper, lower
}

func distance(a, b cellPart) int {
	r, g, bl := int(a.r)-int(b.r), int(a.g)-int(b.g), int(a.b)-int(b.b)
	return r*r + g*g + bl*bl
}

// dither maps the pixels of a shrunk picture to the 240 colors of the palette of 256 that no theme changes, and spreads
// most of each error to the neighbors (Floyd and Steinberg): without that skies show bands. Dark pixels spread less:
// the step from black to the darkest red, green or blue is large, and night scenes would be full of bright dots.
func dither(img *image.RGBA) []cellPart {
	w := img.Rect.Dx()
	parts := partsOf(img)
	here, below := make([][3]int, w+2), make([][3]int, w+2)
	for y := 0; y*w < len(parts); y++ {
		row := parts[y*w : (y+1)*w]
		step, x := 1, 0
		if y%2 == 1 { // alternating directions, or the errors draw lines
			step, x = -1, w-1
		}
		for range row {
			p := &row[x]
			if p.solid {
				e := here[x+1]
				want := [3]int{clamp(int(p.r) + e[0]/16), clamp(int(p.g) + e[1]/16), clamp(int(p.b) + e[2]/16)}
				*p = nearest(want)
				got := [3]int{int(p.r), int(p.g), int(p.b)}
				share := min(max(want[0], want[1], want[2]), fullShare)
				for c := range 3 {
					off := (want[c] - got[c]) * 3 * share / (4 * fullShare)
					here[x+1+step][c] += off * 7
					below[x+1-step][c] += off * 3
					below[x+1][c] += off * 5
					below[x+1+step][c] += off
				}
			}
			x += step
		}
		here, below = below, here
		clear(below)
	}
	return parts
}

// fullShare is the brightness from which three quarters of an error are spread; all of it would make noise.
const fullShare = 128

func clamp(v int) int { return min(max(v, 0), 255) }

// levels are the six values of a channel in the cube of the palette.
var levels = [6]int{0, 95, 135, 175, 215, 255}

// nearest returns the color of the palette's cube and greys that is nearest.
func nearest(want [3]int) cellPart {
	cube, values := 0, [3]int{}
	for i, v := range want {
		level := (v - 35) / 40 // the levels are 40 apart, but for the first one
		switch {
		case v < 48:
			level = 0
		case v < 115:
			level = 1
		}
		cube, values[i] = cube*6+level, levels[level]
	}
	step := min(max((want[0]+want[1]+want[2])/3-3, 0)/10, 23)
	wanted, grey := paletteColor(0, want), paletteColor(232+step, [3]int{8 + 10*step, 8 + 10*step, 8 + 10*step})
	color := paletteColor(16+cube, values)
	if distance(wanted, grey) < distance(wanted, color) {
		return grey
	}
	return color
}

// paletteColor returns a color of the palette of 256.
func paletteColor(index int, rgb [3]int) cellPart {
	r, g, b := uint8(rgb[0]), uint8(rgb[1]), uint8(rgb[2])
	return cellPart{r: r, g: g, b: b, index: uint8(index), indexed: true, solid: true}
}
