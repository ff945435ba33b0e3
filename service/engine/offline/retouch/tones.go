package retouch

import (
	"image"
	"image/color"
	"math"

	"github.com/anthonynsimon/bild/adjust"
	"github.com/anthonynsimon/bild/effect"
)

func (s *sheet) grey()   { s.img = opaque(effect.Grayscale(s.img)) }
func (s *sheet) invert() { s.img = opaque(effect.Invert(s.img)) }

func (s *sheet) brighten(k float64) { s.img = adjust.Brightness(s.img, clampTo(k, 0.6)) }
func (s *sheet) contrast(k float64) { s.img = adjust.Contrast(s.img, clampTo(k, 0.6)) }
func (s *sheet) saturate(k float64) { s.img = adjust.Saturation(s.img, clampTo(k, 0.9)) }

func clampTo(k, most float64) float64 { return min(most, max(-most, k)) }

func (s *sheet) sepia(k float64) {
	before := s.img
	s.img = mixed(before, opaque(effect.Sepia(s.img)), min(1, 0.75+0.25*k))
	if !s.lite {
		s.vignette(0.3)
	}
}

// temperature shifts between blue and amber.
func (s *sheet) temperature(k float64) {
	s.each(func(r, g, b float64, _, _ float64) (float64, float64, float64) {
		return r * (1 + 0.16*k), g * (1 + 0.02*k), b * (1 - 0.17*k)
	})
}

func (s *sheet) tint(c color.RGBA, k float64) {
	tr, tg, tb := float64(c.R)/255, float64(c.G)/255, float64(c.B)/255
	amount := min(0.85, 0.45*k)
	s.each(func(r, g, b float64, _, _ float64) (float64, float64, float64) {
		l := 0.3*r + 0.59*g + 0.11*b
		f := l * 1.6
		return lerp(r, tr*f, amount), lerp(g, tg*f, amount), lerp(b, tb*f, amount)
	})
}

// each maps every px: channels from 0 to 1, and the place as parts of the
// width and height.
func (s *sheet) each(f func(r, g, b, x, y float64) (float64, float64, float64)) {
	w, h := s.img.Rect.Dx(), s.img.Rect.Dy()
	out := image.NewRGBA(s.img.Rect)
	for y := range h {
		if s.ctx.Err() != nil {
			return
		}
		in, to := s.img.Pix[y*s.img.Stride:], out.Pix[y*out.Stride:]
		v := float64(y) / float64(h)
		for x := range w {
			i := x * 4
			r, g, b := f(float64(in[i])/255, float64(in[i+1])/255, float64(in[i+2])/255, float64(x)/float64(w), v)
			to[i], to[i+1], to[i+2], to[i+3] = byteOf(r), byteOf(g), byteOf(b), 255
		}
	}
	s.img = out
}

func byteOf(v float64) uint8 { return uint8(min(255, max(0, v*255+0.5))) }

func lerp(a, b, t float64) float64 { return a + (b-a)*t }

func smooth(a, b, x float64) float64 {
	t := min(1, max(0, (x-a)/(b-a)))
	return t * t * (3 - 2*t)
}

// opaque makes sure that an effect left no transparency behind.
func opaque(img image.Image) *image.RGBA {
	out, ok := img.(*image.RGBA)
	if !ok || out.Rect.Min != (image.Point{}) {
		b := img.Bounds()
		out = image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		for y := range b.Dy() {
			for x := range b.Dx() {
				out.Set(x, y, img.At(b.Min.X+x, b.Min.Y+y))
			}
		}
	}
	for i := 3; i < len(out.Pix); i += 4 {
		out.Pix[i] = 255
	}
	return out
}

// mixed is a with t of b over it; both have one size.
func mixed(a, b *image.RGBA, t float64) *image.RGBA {
	out := image.NewRGBA(a.Rect)
	k := int(t * 256)
	for i := range out.Pix {
		out.Pix[i] = uint8((int(a.Pix[i])*(256-k) + int(b.Pix[i])*k) >> 8)
	}
	return out
}

// unit is a thousandth of the side of a square of the picture's area, px.
func (s *sheet) unit() float64 {
	return math.Sqrt(float64(s.img.Rect.Dx())*float64(s.img.Rect.Dy())) / 1000
}

func (s *sheet) blur(k float64) {
	passes := 3 // three boxes are nearly a Gaussian
	if s.lite {
		passes = 1
	}
	s.img = softened(s.img, max(1, int(math.Round(5*k*s.unit()))), passes)
}

// softened is img blurred by boxes of radius r, at a cost that does not depend
// on r.
func softened(img *image.RGBA, r, passes int) *image.RGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewRGBA(img.Rect)
	copy(out.Pix, img.Pix)
	line := make([]uint8, max(w, h))
	run := func(start, step, n int) {
		sum, wide := 0, 2*r+1
		for i := -r; i <= r; i++ {
			sum += int(out.Pix[start+min(n-1, max(0, i))*step])
		}
		for i := range n {
			line[i] = uint8((sum + r) / wide)
			sum += int(out.Pix[start+min(n-1, i+r+1)*step]) - int(out.Pix[start+max(0, i-r)*step])
		}
		for i := range n {
			out.Pix[start+i*step] = line[i]
		}
	}
	for range passes {
		for ch := range 3 {
			for y := range h {
				run(y*out.Stride+ch, 4, w)
			}
			for x := range w {
				run(x*4+ch, out.Stride, h)
			}
		}
	}
	return out
}

func (s *sheet) sharpen(k float64) {
	if s.lite {
		s.img = opaque(effect.Sharpen(s.img))
		return
	}
	soft := softened(s.img, max(1, int(2*s.unit())), 2)
	out := image.NewRGBA(s.img.Rect)
	for i := range out.Pix { // an unsharp mask
		v := float64(s.img.Pix[i])
		out.Pix[i] = uint8(min(255, max(0, v+1.2*k*(v-float64(soft.Pix[i]))+0.5)))
	}
	s.img = out
}

func (s *sheet) emboss() { s.img = opaque(effect.Emboss(s.img)) }

func (s *sheet) posterise(levels int) {
	n := float64(levels - 1)
	step := func(v float64) float64 { return math.Round(v*n) / n }
	s.each(func(r, g, b, _, _ float64) (float64, float64, float64) { return step(r), step(g), step(b) })
}

func (s *sheet) pixelate(k float64) {
	q := max(2, int(math.Round(14*k*s.unit())))
	w, h := s.img.Rect.Dx(), s.img.Rect.Dy()
	out := image.NewRGBA(s.img.Rect)
	for by := 0; by < h; by += q {
		for bx := 0; bx < w; bx += q {
			var sum [3]int
			n := 0
			for y := by; y < min(h, by+q); y++ {
				for x := bx; x < min(w, bx+q); x++ {
					i := y*s.img.Stride + x*4
					sum[0], sum[1], sum[2], n = sum[0]+int(s.img.Pix[i]), sum[1]+int(s.img.Pix[i+1]), sum[2]+int(s.img.Pix[i+2]), n+1
				}
			}
			for y := by; y < min(h, by+q); y++ {
				for x := bx; x < min(w, bx+q); x++ {
					i := y*out.Stride + x*4
					out.Pix[i], out.Pix[i+1], out.Pix[i+2], out.Pix[i+3] = uint8(sum[0]/n), uint8(sum[1]/n), uint8(sum[2]/n), 255
				}
			}
		}
	}
	s.img = out
}

func (s *sheet) grain(k float64) {
	state := uint32(s.seed)*2654435761 | 1
	s.each(func(r, g, b, _, _ float64) (float64, float64, float64) {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		n := (float64(state)/(1<<32) - 0.5) * 0.16 * k
		return r + n, g + n, b + n
	})
}

func (s *sheet) vignette(k float64) {
	s.each(func(r, g, b, x, y float64) (float64, float64, float64) {
		d := ((x-0.5)*(x-0.5) + (y-0.5)*(y-0.5)) * 2
		f := 1 - min(0.95, k)*smooth(0.12, 1, d)
		return r * f, g * f, b * f
	})
}
