package paint

import "math"

// Vignette darkens the corners.
func (s *scene) Vignette(strength float64) {
	cx, cy := s.width/2, s.height/2
	inverse := 1 / (cx*cx + cy*cy)
	s.mapPixels(func(x, y int, old rgb) rgb {
		dx, dy := float64(x)-cx, float64(y)-cy
		d := (dx*dx + dy*dy) * inverse
		return old.scale(1 - strength*d*d)
	})
}

// Grain adds fine noise of the given strength.
func (s *scene) Grain(strength float64) {
	for i := range s.pix {
		s.pix[i].add(rgb{1, 1, 1}, float32(strength*(2*hashNoise(i, 2, s.seed)-1)))
	}
}

// Bloom lets bright areas shine over their surroundings.
func (s *scene) Bloom(strength float64) {
	const scale = 8 // the light is blurred in a smaller picture
	small := newRaster(s.w/scale+1, s.h/scale+1)
	for y := range s.rows(0, s.h) {
		for x := range s.w {
			c := s.pix[y*s.w+x]
			small.at(x/scale, y/scale).add(c, float32(max(0, c.luma()-0.58)))
		}
	}
	r := max(2, int(s.unit*34/scale))
	small.boxBlur(r)
	small.boxBlur(r)
	norm := float64(float32(strength)) * 2.4 / (scale * scale)
	s.mapPixels(func(x, y int, c rgb) rgb {
		light := small.interpolate(float64(x)/scale, float64(y)/scale).scale(norm)
		return rgb{
			c.r + light.r*max(0, 1.1-c.r), c.g + light.g*max(0, 1.1-c.g), c.b + light.b*max(0, 1.1-c.b),
		}
	})
}

// PosterMargin draws a margin of paper with rounded corners.
func (s *scene) PosterMargin() {
	margin, r, paper := s.unit*26, s.unit*14, parseColor("#f6f0e2")
	s.overlay(0, s.h, func(x, y int) (rgb, float64) {
		dx := max(margin+r-float64(x), float64(x)-(s.width-margin-r), 0)
		dy := max(margin+r-float64(y), float64(y)-(s.height-margin-r), 0)
		if dx == 0 && dy == 0 {
			return paper, 0
		}
		return paper, clamp(math.Hypot(dx, dy) - r)
	})
}
