package retouch

import (
	"image"
	"math"

	"github.com/anthonynsimon/bild/effect"

	"confab/service/engine/offline/paint"
)

// winter cools the light, lays snow on what looks towards the sky, and lets it
// fall.
func (s *sheet) winter(k float64) {
	w, h := s.img.Rect.Dx(), s.img.Rect.Dy()
	src := s.img
	luma := func(x, y int) float64 {
		i := min(h-1, max(0, y))*src.Stride + min(w-1, max(0, x))*4
		return (0.3*float64(src.Pix[i]) + 0.59*float64(src.Pix[i+1]) + 0.11*float64(src.Pix[i+2])) / 255
	}
	reach := max(2, int(5*s.unit()))
	s.each(func(r, g, b, u, v float64) (float64, float64, float64) {
		x, y := int(u*float64(w)), int(v*float64(h))
		l := 0.3*r + 0.59*g + 0.11*b
		// An edge that is brighter below than above is the top of something.
		top := smooth(0.02, 0.22, luma(x, y-reach)-luma(x, y+reach))
		living := smooth(0.02, 0.2, max(g-b, r-b))
		snow := min(0.88, (0.62*living*smooth(0.12, 0.6, l)*smooth(0.15, 0.7, v)+0.55*top*smooth(0.2, 0.55, v))*k)
		grey := lerp(l, 1, 0.10)
		r, g, b = lerp(r, grey*0.95, 0.50), lerp(g, grey*1.0, 0.46), lerp(b, grey*1.10, 0.42)
		white := 0.80 + 0.2*l
		return lerp(r, white*0.96, snow), lerp(g, white*0.985, snow), lerp(b, white*1.02, snow)
	})
	s.paint("snow")
}

// paint is a touch whose end is checked by the caller of the plan.
func (s *sheet) paint(what string) {
	_ = paint.ApplyEffect(s.ctx, s.img, what, s.seed) // it fails only when the context has ended, which the plan sees
}

func (s *sheet) autumn(k float64) {
	s.each(func(r, g, b, _, _ float64) (float64, float64, float64) {
		leaf := smooth(0.02, 0.2, g-max(b, r*0.86)) * min(1, 0.82*k)
		nr, ng, nb := lerp(r, min(1, g*1.22+0.05), leaf), lerp(g, g*0.70, leaf), lerp(b, b*0.45, leaf)
		return nr*1.05 + 0.01, ng, nb * 0.90
	})
}

func (s *sheet) green(k float64) {
	s.each(func(r, g, b, _, _ float64) (float64, float64, float64) {
		warm := smooth(0.02, 0.25, max(r, g)-b) * min(1, 0.7*k)
		l := 0.3*r + 0.59*g + 0.11*b
		return lerp(r, l*0.78, warm) * 1.02, lerp(g, min(1, l*1.28), warm) * 1.03, lerp(b, l*0.50, warm)
	})
}

// sunset lays a sky from violet to amber over the light of the picture.
func (s *sheet) sunset(k float64) {
	amount := min(0.9, 0.62*k)
	s.each(func(r, g, b, _, y float64) (float64, float64, float64) {
		t := smooth(0, 0.75, y)
		cr, cg, cb := lerp(0.62, 1.0, t), lerp(0.38, 0.62, t), lerp(0.66, 0.34, t)
		soft := func(base, over float64) float64 { // soft light
			if over < 0.5 {
				return base - (1-2*over)*base*(1-base)
			}
			return base + (2*over-1)*(math.Sqrt(base)-base)
		}
		nr, ng, nb := soft(r, cr), soft(g, cg), soft(b, cb)
		nr, ng, nb = nr*lerp(0.9, 1.12, t), ng*lerp(0.80, 0.96, t), nb*lerp(0.98, 0.72, t)
		return lerp(r, nr, amount*1.1), lerp(g, ng, amount*1.1), lerp(b, nb, amount*1.1)
	})
}

// night darkens, turns to blue, keeps warm lights and puts stars into an even
// sky.
func (s *sheet) night(k float64) {
	s.each(func(r, g, b, _, y float64) (float64, float64, float64) {
		l := 0.3*r + 0.59*g + 0.11*b
		dark := math.Pow(l, 1.35) * (0.46 - 0.06*min(2, k))
		dark *= lerp(0.72, 1.05, y) // the sky is deepest above
		nr, ng, nb := lerp(r*0.30, dark*0.66, 0.75), lerp(g*0.30, dark*0.82, 0.75), lerp(b*0.36, dark*1.45+0.03, 0.75)
		lamp := smooth(0.30, 0.62, r-b) * smooth(0.62, 0.9, l)
		return lerp(nr, r*0.98, lamp), lerp(ng, g*0.86, lamp), lerp(nb, b*0.6, lamp)
	})
	s.paint("stars")
	if !s.lite {
		s.vignette(0.35)
	}
}

// sketch is a pencil drawing: the picture divided by its own blurred negative.
func (s *sheet) sketch() {
	if s.lite {
		s.paint("pencil")
		return
	}
	grey := opaque(effect.Grayscale(s.img))
	soft := softened(opaque(effect.Invert(grey)), max(2, int(5*s.unit())), 2)
	out := image.NewRGBA(grey.Rect)
	for i := 0; i < len(out.Pix); i += 4 {
		base, over := float64(grey.Pix[i]), 255-float64(soft.Pix[i])
		v := 255.0
		if over > 0 {
			v = min(255, base*255/over)
		}
		v = 255 * math.Pow(v/255, 2.6)
		out.Pix[i], out.Pix[i+1], out.Pix[i+2], out.Pix[i+3] = uint8(lerp(44, 250, v/255)), uint8(lerp(44, 247, v/255)), uint8(lerp(50, 240, v/255)), 255
	}
	s.img = out
}

func (s *sheet) cartoon() {
	lines := edges(s.img)
	s.saturate(0.25)
	s.img = softened(s.img, max(1, int(2*s.unit())), 1)
	s.posterise(6)
	w := s.img.Rect.Dx()
	s.each(func(r, g, b, u, v float64) (float64, float64, float64) {
		x, y := int(u*float64(w)), int(v*float64(s.img.Rect.Dy()))
		f := 1 - 0.9*smooth(0.22, 0.5, lines[y*w+x])
		return r * f, g * f, b * f
	})
}

func (s *sheet) neon() {
	lines := edges(s.img)
	w := s.img.Rect.Dx()
	s.saturate(0.9)
	s.each(func(r, g, b, u, v float64) (float64, float64, float64) {
		x, y := int(u*float64(w)), int(v*float64(s.img.Rect.Dy()))
		e := smooth(0.06, 0.5, lines[y*w+x])
		m := max(r, g, b, 0.2)
		return r*0.18 + e*lerp(r/m, 1.0, 0.25), g*0.10 + e*g/m*0.9, b*0.30 + 0.04 + e*lerp(b/m, 1.0, 0.45)
	})
	glow := softened(s.img, max(2, int(6*s.unit())), 2)
	for i := range s.img.Pix {
		s.img.Pix[i] = uint8(min(255, int(s.img.Pix[i])+int(glow.Pix[i])*3/4))
	}
}

// edges is how much the brightness changes at every px, 0 to about 1.
func edges(img *image.RGBA) []float64 {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	l := func(x, y int) float64 {
		i := min(h-1, max(0, y))*img.Stride + min(w-1, max(0, x))*4
		return (0.3*float64(img.Pix[i]) + 0.59*float64(img.Pix[i+1]) + 0.11*float64(img.Pix[i+2])) / 255
	}
	out := make([]float64, w*h)
	for y := range h {
		for x := range w {
			out[y*w+x] = 1.6 * math.Hypot(l(x+1, y)-l(x-1, y)+0.5*(l(x+1, y+1)-l(x-1, y-1)), l(x, y+1)-l(x, y-1)+0.5*(l(x+1, y+1)-l(x-1, y-1)))
		}
	}
	return out
}
