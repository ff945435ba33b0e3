package paint

import "math"

// applyStyle gives the picture the surface of its style.
func (s *scene) applyStyle() {
	switch style := s.spec.style; {
	case style == "pixel":
		s.pixelate(7.8, 9)
		return
	case style == "neon":
		s.bloom(0.55)
		s.grain(0.02)
	case style == "photo":
		s.bloom(0.25)
		s.grain(0.02)
	case s.repaint(style):
	case s.flat:
		s.grain(0.022)
		s.posterMargin()
		return
	default:
		s.bloom(0.16)
		src := s.clone()
		s.brushStrokes(8, 0.6)
		s.restoreEdges(src, 0.95)
		s.grain(0.014)
	}
	s.vignette(0.22)
}

// repaint paints the picture with a technique, and reports whether it knows that.
func (s *scene) repaint(technique string) bool {
	switch technique {
	case "oil":
		src := s.clone()
		s.brushStrokes(12, 1)
		s.brushStrokes(6, 0.9)
		s.brushStrokes(3.5, 0.5)
		s.restoreEdges(src, 0.72)
		s.grain(0.016)
	case "watercolour":
		s.watercolour()
	case "ink":
		s.inkWash()
	case "pencil":
		s.pencil()
	default:
		return false
	}
	return true
}

// vignette darkens the corners.
func (s *scene) vignette(strength float64) {
	cx, cy := s.width/2, s.height/2
	inverse := 1 / (cx*cx + cy*cy)
	s.mapPixels(func(x, y int, old rgb) rgb {
		dx, dy := float64(x)-cx, float64(y)-cy
		d := (dx*dx + dy*dy) * inverse
		return old.scale(1 - strength*d*d)
	})
}

// grain adds fine noise of the given strength.
func (s *scene) grain(strength float64) {
	for i := range s.pix {
		s.pix[i].add(rgb{1, 1, 1}, float32(strength*(2*hashNoise(i, 2, s.seed)-1)))
	}
}

// bloom lets bright areas shine over their surroundings.
func (s *scene) bloom(strength float32) {
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
	norm := float64(strength) * 2.4 / (scale * scale)
	s.mapPixels(func(x, y int, c rgb) rgb {
		light := small.interpolate(float64(x)/scale, float64(y)/scale).scale(norm)
		return rgb{
			c.r + light.r*max(0, 1.1-c.r), c.g + light.g*max(0, 1.1-c.g), c.b + light.b*max(0, 1.1-c.b),
		}
	})
}

// posterMargin draws a margin of paper with rounded corners.
func (s *scene) posterMargin() {
	margin, r, paper := s.unit*26, s.unit*14, hex(0xf6f0e2)
	s.overlay(0, s.h, func(x, y int) (rgb, float64) {
		dx := max(margin+r-float64(x), float64(x)-(s.width-margin-r), 0)
		dy := max(margin+r-float64(y), float64(y)-(s.height-margin-r), 0)
		if dx == 0 && dy == 0 {
			return paper, 0
		}
		return paper, clamp(math.Hypot(dx, dy) - r)
	})
}
