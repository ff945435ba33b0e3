package retouch

import (
	"image"
	"math"
)

// mapPixels replaces every pixel. Channels go from 0 to 1, x and y from 0 at the left and top to 1.
func (p *picture) mapPixels(f func(r, g, b, x, y float64) (float64, float64, float64)) {
	w, h := p.img.Rect.Dx(), p.img.Rect.Dy()
	out := image.NewRGBA(p.img.Rect)
	for y := range h {
		if p.ctx.Err() != nil {
			return
		}
		for x := range w {
			from, to := pixel(p.img, x, y), pixel(out, x, y)
			r, g, b := f(float64(from[0])/255, float64(from[1])/255, float64(from[2])/255,
				float64(x)/float64(w), float64(y)/float64(h))
			to[0], to[1], to[2], to[3] = toByte(r), toByte(g), toByte(b), 255
		}
	}
	p.img = out
}

// mapEdges is mapPixels for effects that depend on the edges of the picture.
func (p *picture) mapEdges(edges []float64, f func(r, g, b, edge float64) (float64, float64, float64)) {
	i := -1 // mapPixels goes row by row
	p.mapPixels(func(r, g, b, _, _ float64) (float64, float64, float64) {
		i++
		return f(r, g, b, edges[i])
	})
}

// pixel returns the channels of the pixel that is nearest to x, y.
func pixel(img *image.RGBA, x, y int) []uint8 {
	x, y = min(img.Rect.Dx()-1, max(0, x)), min(img.Rect.Dy()-1, max(0, y))
	return img.Pix[y*img.Stride+x*4:][:4]
}

func toByte(v float64) uint8 { return uint8(min(255, max(0, v*255+0.5))) }

func lerp(a, b, t float64) float64 { return a + (b-a)*t }

func smoothstep(a, b, x float64) float64 {
	t := min(1, max(0, (x-a)/(b-a)))
	return t * t * (3 - 2*t)
}

func luminance(r, g, b float64) float64 { return 0.3*r + 0.59*g + 0.11*b }

func luminanceAt(img *image.RGBA, x, y int) float64 {
	c := pixel(img, x, y)
	return luminance(float64(c[0]), float64(c[1]), float64(c[2])) / 255
}

// unit is a thousandth of the side of a square that has the area of the picture, in pixels.
func (p *picture) unit() float64 {
	return math.Sqrt(float64(p.img.Rect.Dx())*float64(p.img.Rect.Dy())) / 1000
}

// scaled returns so many units in whole pixels.
func (p *picture) scaled(units float64, least int) int {
	return max(least, int(math.Round(units*p.unit())))
}

// edges returns how much the brightness changes at every pixel, from 0 to about 1.
func edges(img *image.RGBA) []float64 {
	var out []float64
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			l := func(dx, dy int) float64 { return luminanceAt(img, x+dx, y+dy) }
			diagonal := 0.5 * (l(1, 1) - l(-1, -1))
			out = append(out, 1.6*math.Hypot(l(1, 0)-l(-1, 0)+diagonal, l(0, 1)-l(0, -1)+diagonal))
		}
	}
	return out
}

// boxBlur averages boxes of the given radius. Other than with a kernel, the cost does not depend on the radius.
func boxBlur(img *image.RGBA, radius, passes int) *image.RGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewRGBA(img.Rect)
	copy(out.Pix, img.Pix)
	line := make([]uint8, max(w, h))
	blurLine := func(start, step, n int) {
		at := func(i int) int { return start + min(n-1, max(0, i))*step }
		sum, width := 0, 2*radius+1
		for i := -radius; i <= radius; i++ {
			sum += int(out.Pix[at(i)])
		}
		for i := range n {
			line[i] = uint8((sum + radius) / width)
			sum += int(out.Pix[at(i+radius+1)]) - int(out.Pix[at(i-radius)])
		}
		for i := range n {
			out.Pix[at(i)] = line[i]
		}
	}
	for range passes {
		for channel := range 3 {
			for y := range h {
				blurLine(y*out.Stride+channel, 4, w)
			}
			for x := range w {
				blurLine(x*4+channel, out.Stride, h)
			}
		}
	}
	return out
}
