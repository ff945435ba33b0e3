package paint

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"

	"golang.org/x/image/vector"
)

// canvas is what a picture is drawn on: sRGB without alpha, in float32 so
// that long gradients do not band.
type canvas struct {
	ctx  context.Context
	w, h int
	u    float64 // a thousandth of the side of a square of the same area, px
	pix  []float32
	rng  *rand.Rand
	seed uint32
	ras  *vector.Rasterizer
	mask []uint8
}

func newCanvas(ctx context.Context, w, h int, seed uint64) *canvas {
	return &canvas{
		ctx: ctx, w: w, h: h,
		u:    math.Sqrt(float64(w)*float64(h)) / 1000,
		pix:  make([]float32, w*h*3),
		rng:  rand.New(rand.NewPCG(seed, seed^0x5DEECE66D)),
		seed: uint32(seed ^ seed>>32),
		ras:  vector.NewRasterizer(1, 1),
	}
}

// between is a random number in a..b.
func (c *canvas) between(a, b float64) float64 { return a + (b-a)*c.rng.Float64() }

// chance is true once in 1/p.
func (c *canvas) chance(p float64) bool { return c.rng.Float64() < p }

func (c *canvas) get(x, y int) rgb {
	i := (y*c.w + x) * 3
	return rgb{c.pix[i], c.pix[i+1], c.pix[i+2]}
}

func (c *canvas) set(x, y int, v rgb) {
	i := (y*c.w + x) * 3
	c.pix[i], c.pix[i+1], c.pix[i+2] = v.r, v.g, v.b
}

// ink is what a shape is filled with: one colour, or two mixed along a line.
type ink struct {
	a, b           rgb
	x0, y0, x1, y1 float64
	graded         bool
	alpha          float64
	light          bool // added instead of covering
}

func solid(c rgb) ink { return ink{a: c, alpha: 1} }

func (k ink) faint(alpha float64) ink { k.alpha *= alpha; return k }

// down is a gradient from a at y0 to b at y1.
func down(a, b rgb, y0, y1 float64) ink {
	return ink{a: a, b: b, y0: y0, y1: y1, graded: true, alpha: 1}
}

// across is a gradient from a at x0 to b at x1.
func across(a, b rgb, x0, x1 float64) ink {
	return ink{a: a, b: b, x0: x0, x1: x1, graded: true, alpha: 1}
}

// fill covers the inside of p (non-zero winding) with k.
func (c *canvas) fill(p *path, k ink) {
	if len(p.segs) == 0 {
		return
	}
	box := image.Rect(int(math.Floor(p.x0)), int(math.Floor(p.y0)), int(math.Ceil(p.x1))+1, int(math.Ceil(p.y1))+1).Intersect(image.Rect(0, 0, c.w, c.h))
	if box.Empty() {
		return
	}
	bw, bh := box.Dx(), box.Dy()
	if len(c.mask) < bw*bh {
		c.mask = make([]uint8, max(bw*bh, 4096))
	}
	m := &image.Alpha{Pix: c.mask[:bw*bh], Stride: bw, Rect: image.Rect(0, 0, bw, bh)}
	c.ras.Reset(bw, bh)
	c.ras.DrawOp = draw.Src
	p.trace(c.ras, float64(box.Min.X), float64(box.Min.Y))
	c.ras.Draw(m, m.Rect, image.NewUniform(color.Opaque), image.Point{})
	c.blend(box, m.Pix, k)
}

func (c *canvas) blend(box image.Rectangle, mask []uint8, k ink) {
	bw := box.Dx()
	dx, dy := k.x1-k.x0, k.y1-k.y0
	length := dx*dx + dy*dy
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := mask[(y-box.Min.Y)*bw : (y-box.Min.Y+1)*bw]
		out := c.pix[(y*c.w+box.Min.X)*3 : (y*c.w+box.Max.X)*3]
		col := k.a
		slanted := k.graded && dx != 0
		if k.graded && !slanted && length > 0 {
			col = k.a.mix(k.b, (float64(y)-k.y0)*dy/length)
		}
		for x, cover := range row {
			if cover == 0 {
				continue
			}
			if slanted {
				col = k.a.mix(k.b, ((float64(x+box.Min.X)-k.x0)*dx+(float64(y)-k.y0)*dy)/length)
			}
			a := float32(cover) * float32(k.alpha) / 255
			o := out[x*3 : x*3+3 : x*3+3]
			if k.light {
				o[0] += col.r * a
				o[1] += col.g * a
				o[2] += col.b * a
				continue
			}
			o[0] += (col.r - o[0]) * a
			o[1] += (col.g - o[1]) * a
			o[2] += (col.b - o[2]) * a
		}
	}
}

// glow adds a soft light around x, y that fades to nothing at r.
func (c *canvas) glow(x, y, r float64, col rgb, strength float64) {
	x0, x1 := max(0, int(x-r)), min(c.w, int(x+r)+1)
	y0, y1 := max(0, int(y-r)), min(c.h, int(y+r)+1)
	inv := 1 / (r * r)
	for j := y0; j < y1; j++ {
		dy := float64(j) - y
		for i := x0; i < x1; i++ {
			dx := float64(i) - x
			d := (dx*dx + dy*dy) * inv
			if d >= 1 {
				continue
			}
			fall := 1 - d
			a := float32(strength * fall * fall * fall / (1 + 9*d))
			k := (j*c.w + i) * 3
			// A screen keeps the colour of strong lights from burning out.
			c.pix[k] += col.r * a * max(0, 1.15-c.pix[k])
			c.pix[k+1] += col.g * a * max(0, 1.15-c.pix[k+1])
			c.pix[k+2] += col.b * a * max(0, 1.15-c.pix[k+2])
		}
	}
}

// stopped says whether nobody waits for the picture any more.
func (c *canvas) stopped() bool { return c.ctx.Err() != nil }
