package paint

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/image/vector"
)

// canvas is the raster a picture is drawn on: sRGB without alpha, in float32 so that long gradients do not band.
type canvas struct {
	ctx context.Context
	raster
	width, height float64 // w and h of the raster
	unit          float64 // a thousandth of the side of a square of the same area, in pixels
	rng           *rand.Rand
	seed          uint32
	rasterizer    *vector.Rasterizer
	mask          []uint8
}

func newCanvas(ctx context.Context, w, h int, seed uint64) *canvas {
	return &canvas{
		ctx: ctx, raster: newRaster(w, h), width: float64(w), height: float64(h),
		unit:       math.Sqrt(float64(w)*float64(h)) / 1000,
		rng:        rand.New(rand.NewPCG(seed, seed^0x5DEECE66D)),
		seed:       uint32(seed ^ seed>>32),
		rasterizer: vector.NewRasterizer(1, 1),
	}
}

// uniform returns a random number between a and b.
func (c *canvas) uniform(a, b float64) float64 { return a + (b-a)*c.rng.Float64() }

// chance reports true with the probability p.
func (c *canvas) chance(p float64) bool { return c.rng.Float64() < p }

// isCanceled reports whether the request for the picture has ended.
func (c *canvas) isCanceled() bool { return c.ctx.Err() != nil }

// rows yields the rows from y0 up to y1 that lie on the canvas, until the request for the picture ends.
func (c *canvas) rows(y0, y1 int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for y := max(0, y0); y < min(c.h, y1) && !c.isCanceled(); y++ {
			if !yield(y) {
				return
			}
		}
	}
}

// mapPixels replaces every pixel by the result of f.
func (c *canvas) mapPixels(f func(x, y int, old rgb) rgb) {
	for y := range c.rows(0, c.h) {
		for x := range c.w {
			p := &c.pix[y*c.w+x]
			*p = f(x, y, *p)
		}
	}
}

// overlay blends the rows from y0 up to y1 with the colour and opacity that f returns.
func (c *canvas) overlay(y0, y1 int, f func(x, y int) (rgb, float64)) {
	for y := range c.rows(y0, y1) {
		for x := range c.w {
			if v, alpha := f(x, y); alpha > 0 {
				c.pix[y*c.w+x].blend(v, float32(alpha))
			}
		}
	}
}

// glow adds soft light around x, y that fades to nothing at the radius r.
func (c *canvas) glow(x, y, r float64, v rgb, strength float64) {
	inverse := 1 / (r * r)
	for j := range c.rows(int(y-r), int(y+r)+1) {
		dy := float64(j) - y
		for i := max(0, int(x-r)); i < min(c.w, int(x+r)+1); i++ {
			dx := float64(i) - x
			d := (dx*dx + dy*dy) * inverse
			if d >= 1 {
				continue
			}
			fall := 1 - d
			a := float32(strength * fall * fall * fall / (1 + 9*d))
			p := &c.pix[j*c.w+i]
			// Screen blending keeps the colour of strong lights from burning out.
			p.r += v.r * a * max(0, 1.15-p.r)
			p.g += v.g * a * max(0, 1.15-p.g)
			p.b += v.b * a * max(0, 1.15-p.b)
		}
	}
}

// fillStyle is what a shape is filled with: a linear gradient from the colour a at x0, y0 to the colour b at x1, y1, or
// the colour a alone where both are the same point.
type fillStyle struct {
	a, b           rgb
	x0, y0, x1, y1 float64
	alpha          float64
	isLight        bool // the colour is added to the picture instead of covering it
}

func solid(c rgb) fillStyle { return fillStyle{a: c, alpha: 1} }

func vgradient(a, b rgb, y0, y1 float64) fillStyle {
	return fillStyle{a: a, b: b, y0: y0, y1: y1, alpha: 1}
}
func hgradient(a, b rgb, x0, x1 float64) fillStyle {
	return fillStyle{a: a, b: b, x0: x0, x1: x1, alpha: 1}
}

func (s fillStyle) withAlpha(alpha float64) fillStyle { s.alpha *= alpha; return s }

// fill covers the inside of p (non-zero winding).
func (c *canvas) fill(p *path, style fillStyle) {
	x0, y0, x1, y1 := p.bounds()
	box := image.Rect(int(math.Floor(x0)), int(math.Floor(y0)), int(math.Ceil(x1))+1, int(math.Ceil(y1))+1)
	box = box.Intersect(image.Rect(0, 0, c.w, c.h))
	if len(p.polygons) == 0 || box.Empty() || c.isCanceled() {
		return
	}
	c.rasterizer.Reset(box.Dx(), box.Dy())
	c.rasterizer.DrawOp = draw.Src
	for _, polygon := range p.polygons {
		for i, v := range polygon {
			x, y := float32(v.x-float64(box.Min.X)), float32(v.y-float64(box.Min.Y))
			if i == 0 {
				c.rasterizer.MoveTo(x, y)
			} else {
				c.rasterizer.LineTo(x, y)
			}
		}
		c.rasterizer.ClosePath()
	}
	if len(c.mask) < box.Dx()*box.Dy() {
		c.mask = make([]uint8, box.Dx()*box.Dy())
	}
	mask := &image.Alpha{Pix: c.mask, Stride: box.Dx(), Rect: image.Rectangle{Max: box.Size()}}
	c.rasterizer.Draw(mask, mask.Rect, image.NewUniform(color.Opaque), image.Point{})
	c.fillMask(box, mask.Pix, style)
}

// fillMask covers box where mask, which has the size of box, is set.
func (c *canvas) fillMask(box image.Rectangle, mask []uint8, style fillStyle) {
	dx, dy := style.x1-style.x0, style.y1-style.y0
	length := dx*dx + dy*dy
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := mask[(y-box.Min.Y)*box.Dx() : (y-box.Min.Y+1)*box.Dx()]
		v := style.a
		if dx == 0 && length > 0 {
			v = style.a.mix(style.b, (float64(y)-style.y0)*dy/length)
		}
		for x, cover := range row {
			if cover == 0 {
				continue
			}
			x += box.Min.X
			if dx != 0 {
				v = style.a.mix(style.b, ((float64(x)-style.x0)*dx+(float64(y)-style.y0)*dy)/length)
			}
			a := float32(cover) * float32(style.alpha) / 255
			if style.isLight {
				c.pix[y*c.w+x].add(v, a)
			} else {
				c.pix[y*c.w+x].blend(v, a)
			}
		}
	}
}

// raster is a grid of pixels, row by row.
type raster struct {
	w, h int
	pix  []rgb
}

func newRaster(w, h int) raster { return raster{w: w, h: h, pix: make([]rgb, w*h)} }

func (r raster) clone() raster { return raster{r.w, r.h, slices.Clone(r.pix)} }

// at returns the pixel that is nearest to x, y.
func (r raster) at(x, y int) *rgb {
	return &r.pix[min(r.h-1, max(0, y))*r.w+min(r.w-1, max(0, x))]
}

// interpolate returns the colour between pixels.
func (r raster) interpolate(x, y float64) rgb {
	i, j := int(x), int(y)
	tx, ty := x-float64(i), y-float64(j)
	return r.at(i, j).mix(*r.at(i+1, j), tx).mix(r.at(i, j+1).mix(*r.at(i+1, j+1), tx), ty)
}

// boxBlur replaces every pixel by the mean of 2*radius+1 pixels, first along the rows, then along the columns.
func (r raster) boxBlur(radius int) {
	line := make([]rgb, max(r.w, r.h))
	blurLine := func(start, step, n int) {
		pixel := func(i int) rgb { return r.pix[start+min(n-1, max(0, i))*step] }
		var sum rgb
		for i := -radius; i <= radius; i++ {
			sum.add(pixel(i), 1)
		}
		width := float32(2*radius + 1)
		for i := range n {
			line[i] = rgb{sum.r / width, sum.g / width, sum.b / width}
			next, last := pixel(i+radius+1), pixel(i-radius)
			sum = rgb{sum.r + (next.r - last.r), sum.g + (next.g - last.g), sum.b + (next.b - last.b)}
		}
		for i := range n {
			r.pix[start+i*step] = line[i]
		}
	}
	for y := range r.h {
		blurLine(y*r.w, 1, r.w)
	}
	for x := range r.w {
		blurLine(x, r.w, r.h)
	}
}
