package paint

import "math"

// applyStyle gives the picture the surface of its style.
func (s *scene) applyStyle() {
	src := append([]float32(nil), s.pix...)
	switch {
	case s.spec.style == "oil":
		s.brushStrokes(12, 1)
		s.brushStrokes(6, 0.9)
		s.brushStrokes(3.5, 0.5)
		s.restoreEdges(src, 0.72)
		s.grain(0.016)
	case s.spec.style == "watercolour":
		s.watercolour()
	case s.spec.style == "ink":
		s.inkWash()
	case s.spec.style == "pencil":
		s.pencil()
	case s.spec.style == "pixel":
		s.pixelate()
		return
	case s.spec.style == "neon":
		s.bloom(0.55)
		s.grain(0.02)
	case s.spec.style == "photo":
		s.bloom(0.25)
		s.grain(0.02)
	case s.flat:
		s.grain(0.022)
		s.posterMargin()
		return
	default:
		s.bloom(0.16)
		copy(src, s.pix)
		s.brushStrokes(8, 0.6)
		s.restoreEdges(src, 0.95)
		s.grain(0.014)
	}
	s.vignette(0.22)
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
	random := xorshift(s.seed | 1)
	for i := 0; i < len(s.pix); i += 3 {
		s.add(i, rgb{1, 1, 1}, float32(int32(random.next()))*(float32(strength)/(1<<31)))
	}
}

// bloom lets bright areas shine over their surroundings.
func (s *scene) bloom(strength float32) {
	const scale = 8 // the light is blurred in a smaller picture
	w, h := s.w/scale+1, s.h/scale+1
	small := make([]float32, w*h*3)
	for y := range s.h {
		for x := range s.w {
			i, j := (y*s.w+x)*3, ((y/scale)*w+x/scale)*3
			l := max(0, 0.3*s.pix[i]+0.59*s.pix[i+1]+0.11*s.pix[i+2]-0.58)
			for k := range 3 {
				small[j+k] += s.pix[i+k] * l
			}
		}
	}
	r := max(2, int(s.unit*34/scale))
	boxBlur(small, w, h, r)
	boxBlur(small, w, h, r)
	norm := strength * 2.4 / (scale * scale)
	for k := range 3 {
		light := &noiseGrid{w: w + 1, h: h + 1, step: scale, v: make([]float32, (w+1)*(h+1))}
		for i := range light.v {
			light.v[i] = small[(min(i/(w+1), h-1)*w+min(i%(w+1), w-1))*3+k] * norm
		}
		for y := range s.h {
			for x := range s.w {
				i := (y*s.w+x)*3 + k
				s.pix[i] += light.sample(x, y) * max(0, 1.1-s.pix[i])
			}
		}
	}
}

// boxBlur replaces every pixel of v by the mean of 2r+1 pixels, first along the rows, then along the columns.
func boxBlur(v []float32, w, h, r int) {
	line := make([]float32, max(w, h))
	blurLine := func(start, step, n int) {
		var sum float32
		for i := -r; i <= r; i++ {
			sum += v[start+min(n-1, max(0, i))*step]
		}
		for i := range n {
			line[i] = sum / float32(2*r+1)
			sum += v[start+min(n-1, i+r+1)*step] - v[start+max(0, i-r)*step]
		}
		for i := range n {
			v[start+i*step] = line[i]
		}
	}
	for k := range 3 {
		for y := range h {
			blurLine(y*w*3+k, 3, w)
		}
		for x := range w {
			blurLine(x*3+k, w*3, h)
		}
	}
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
