package paint

import "math"

// brushStamp is the mark of a brush: the opacity of the paint at every pixel.
type brushStamp struct {
	w, h int
	a    []float32
}

// brushStamps returns the marks of a brush for n directions over half a turn.
func (s *scene) brushStamps(size float64, n int) []brushStamp {
	out := make([]brushStamp, n)
	long, thick := size*1.9, size*0.62
	for i := range out {
		sin, cos := math.Sincos(float64(i) / float64(n) * math.Pi)
		r := int(math.Ceil(long)) + 1
		m := brushStamp{w: 2*r + 1, h: 2*r + 1, a: make([]float32, (2*r+1)*(2*r+1))}
		for y := -r; y <= r; y++ {
			for x := -r; x <= r; x++ {
				u, v := float64(x)*cos+float64(y)*sin, -float64(x)*sin+float64(y)*cos
				bristles := 0.62 + 0.38*valueNoise(u/size*1.1, v/size*9+float64(i)*7, s.seed)
				a := smoothstep(1, 0.72, math.Abs(u)/long) * smoothstep(1, 0.55, math.Abs(v)/thick)
				m.a[(y+r)*m.w+x+r] = float32(a * bristles)
			}
		}
		out[i] = m
	}
	return out
}

// brushStrokes repaints the picture with strokes that follow its edges. The size is given in units of the canvas;
// cover is the share of the picture that is repainted.
func (s *scene) brushStrokes(size, cover float64) {
	if s.canceled() {
		return
	}
	k := max(1.5, size*s.unit)
	marks := s.brushStamps(k, 16)
	src := append([]float32(nil), s.pix...)
	lum := func(x, y int) float32 {
		i := (min(s.h-1, max(0, y))*s.w + min(s.w-1, max(0, x))) * 3
		return 0.3*src[i] + 0.59*src[i+1] + 0.11*src[i+2]
	}
	step := k * 1.15
	d := max(1, int(k*0.6))
	for gy := 0.0; gy < s.height; gy += step {
		for gx := 0.0; gx < s.width; gx += step {
			if s.rng.Float64() > cover*1.1 {
				continue
			}
			x, y := int(gx+s.uniform(-0.6, 0.6)*step), int(gy+s.uniform(-0.6, 0.6)*step)
			if x < 0 || y < 0 || x >= s.w || y >= s.h {
				continue
			}
			dx := float64(lum(x+d, y) - lum(x-d, y))
			dy := float64(lum(x, y+d) - lum(x, y-d))
			angle := math.Pi * (0.06 + 0.5*(valueNoise(float64(x)/s.unit/90, float64(y)/s.unit/50, s.seed+7)-0.5))
			if math.Hypot(dx, dy) > 0.035 {
				angle = math.Atan2(dy, dx) + math.Pi/2
			}
			angle = math.Mod(angle+2*math.Pi, math.Pi)
			m := &marks[int(angle/math.Pi*16)%16]
			if math.Hypot(dx, dy) > 0.3 && size > 6 {
				continue // a broad brush would smear a hard edge
			}
			i := (y*s.w + x) * 3
			jitter := float32(s.uniform(-0.028, 0.028))
			s.stampAt(m, x, y, rgb{src[i] + jitter, src[i+1] + jitter, src[i+2] + jitter*0.7})
		}
		if s.canceled() {
			return
		}
	}
}

// restoreEdges mixes src over the picture where src has edges, which brush strokes blur.
func (s *scene) restoreEdges(src []float32, k float64) {
	d := max(1, int(math.Round(s.unit*1.6)))
	diff := func(i, j int) float32 {
		return max(abs32(src[i]-src[j]), abs32(src[i+1]-src[j+1]), abs32(src[i+2]-src[j+2]))
	}
	for y := d; y < s.h-d; y++ {
		for x := d; x < s.w-d; x++ {
			i := (y*s.w + x) * 3
			e := max(diff(i-3*d, i+3*d), diff(i-3*d*s.w, i+3*d*s.w))
			if e < 0.07 {
				continue
			}
			a := float32(k) * min(1, (e-0.07)*5)
			s.blend(i, rgb{src[i], src[i+1], src[i+2]}, a)
		}
	}
}

func abs32(v float32) float32 { return max(v, -v) }

// stampAt paints one mark around cx, cy.
func (s *scene) stampAt(m *brushStamp, cx, cy int, c rgb) {
	r := m.w / 2
	for j := max(0, r-cy); j < m.h && cy-r+j < s.h; j++ {
		row := m.a[j*m.w : (j+1)*m.w]
		x0 := max(0, r-cx)
		i := ((cy-r+j)*s.w + cx - r + x0) * 3
		for x := x0; x < m.w && cx-r+x < s.w; x++ {
			if a := row[x]; a > 0.02 {
				s.blend(i, c, a)
			}
			i += 3
		}
	}
}

// watercolour turns the picture into watercolour on paper: warped edges, darker rims, granulation and a ragged margin.
func (s *scene) watercolour() {
	src := append([]float32(nil), s.pix...)
	warp := func(seed uint32) *noiseGrid {
		return newNoiseGrid(s.w, s.h, 4, func(x, y float64) float64 { return fbm(x/s.unit/26, y/s.unit/26, 3, seed) - 0.5 })
	}
	warpX, warpY := warp(s.seed+1), warp(s.seed+2)
	paint := newNoiseGrid(s.w, s.h, 4, func(x, y float64) float64 { return fbm(x/s.unit/140, y/s.unit/140, 4, s.seed+3) })
	reach := float32(s.unit * 26)
	for y := range s.h {
		for x := range s.w {
			sx := min(s.w-1, max(0, x+int(warpX.sample(x, y)*reach)))
			sy := min(s.h-1, max(0, y+int(warpY.sample(x, y)*reach)))
			copy(s.pix[(y*s.w+x)*3:(y*s.w+x)*3+3], src[(sy*s.w+sx)*3:(sy*s.w+sx)*3+3])
		}
	}
	if s.canceled() {
		return
	}
	soft := append([]float32(nil), s.pix...)
	boxBlur(soft, s.w, s.h, max(1, int(s.unit*4)))
	paper := hex(0xfbf7ee)
	s.mapPixels(func(x, y int, c rgb) rgb {
		i := (y*s.w + x) * 3
		b := rgb{soft[i], soft[i+1], soft[i+2]}
		rim := clamp(math.Abs(c.luma()-b.luma())*3.2 - 0.05)
		tooth := hashNoise(x/2, y/2, s.seed)*0.6 + hashNoise(x, y, s.seed)*0.4
		wash := float64(paint.sample(x, y))
		thin := clamp(0.16 + 0.42*(wash-0.3) + 0.10*(tooth-0.5) + 0.25*c.luma()*c.luma())
		v := c.saturate(1.12).mix(paper, thin).mul(rgb{1, 1, 1}.mix(c, 0.5*rim))
		mx := min(float64(x), s.width-float64(x), float64(y), s.height-float64(y)) / s.unit
		edge := smoothstep(26, 46, mx+56*(wash-0.5))
		return paper.scale(0.985+0.03*tooth-0.015).mix(v, edge)
	})
}

// inkWash turns the picture into diluted black ink on rice paper, with a red seal.
func (s *scene) inkWash() {
	soft := append([]float32(nil), s.pix...)
	boxBlur(soft, s.w, s.h, max(1, int(s.unit*5)))
	wash := newNoiseGrid(s.w, s.h, 4, func(x, y float64) float64 { return fbm(x/s.unit/90, y/s.unit/90, 4, s.seed+3) })
	paper, black := hex(0xf3ebd9), hex(0x1c1a1c)
	low, high := 1.0, 0.0
	for i := 0; i < len(soft); i += 3 * 97 {
		l := rgb{soft[i], soft[i+1], soft[i+2]}.luma()
		low, high = min(low, l), max(high, l)
	}
	for y := range s.h {
		for x := range s.w {
			i := (y*s.w + x) * 3
			c, b := s.get(x, y).luma(), rgb{soft[i], soft[i+1], soft[i+2]}.luma()
			l := clamp((c-low)/(high-low+0.01) + (c-b)*1.3)
			w := float64(wash.sample(x, y))
			// The ink has three tones with soft transitions.
			d := clamp(1.06 - l*1.25 + 0.28*(w-0.5))
			d = 0.55*d + 0.45*(smoothstep(0.12, 0.3, d)*0.3+smoothstep(0.42, 0.56, d)*0.35+smoothstep(0.74, 0.84, d)*0.35)
			fibre := 0.985 + 0.03*hashNoise(x/3, y, s.seed) - 0.02*hashNoise(x, y/5, s.seed+1)
			mx := min(float64(x), s.width-float64(x), float64(y), s.height-float64(y)) / s.unit
			d *= smoothstep(12, 60, mx+70*(w-0.5))
			s.set(x, y, paper.scale(fibre).mix(black, d*0.94))
		}
	}
	size := s.unit * 34
	x, y := s.width-size*2.1, s.height-size*2.3
	if s.subjectLeft {
		x = size * 1.1
	}
	red := hex(0xb8322a)
	s.fill(newPath().rect(x, y, size, size), solid(red).withAlpha(0.92))
	for i := range 3 {
		s.fill(newPath().rect(x+size*0.16, y+size*(0.2+0.24*float64(i)), size*0.68, size*0.07), solid(paper))
	}
	s.fill(newPath().rect(x+size*0.46, y+size*0.16, size*0.08, size*0.68), solid(paper))
}

// pencil draws the edges as lines and hatches the dark areas.
func (s *scene) pencil() {
	src := append([]float32(nil), s.pix...)
	lum := func(x, y int) float64 {
		i := (min(s.h-1, max(0, y))*s.w + min(s.w-1, max(0, x))) * 3
		return rgb{src[i], src[i+1], src[i+2]}.luma()
	}
	paper, lead := hex(0xf7f4ec), hex(0x33343a)
	for y := range s.h {
		for x := range s.w {
			e := math.Hypot(lum(x+1, y)-lum(x-1, y), lum(x, y+1)-lum(x, y-1))
			l := lum(x, y)
			line := smoothstep(0.03, 0.16, e) * 0.85
			hatch := 0.0
			fx, fy := float64(x)/s.unit, float64(y)/s.unit
			for i, a := range []float64{0.75, 0.5, 0.28} {
				along := []float64{fx + fy, fx - fy*0.8, fy + fx*0.2}[i]
				wave := 0.5 + 0.5*math.Sin(along*(0.85+0.1*float64(i))+2*valueNoise(fx/30, fy/30, s.seed))
				hatch += smoothstep(a, a-0.28, l) * wave * wave * 0.42
			}
			tooth := 0.7 + 0.5*hashNoise(x, y, s.seed)
			s.set(x, y, paper.scale(0.985+0.02*hashNoise(x/2, y/2, s.seed)).mix(lead, clamp((line+hatch)*tooth)*0.92))
		}
	}
}

// pixelate reduces the picture to square blocks of few colours.
func (s *scene) pixelate() {
	q := max(2, int(math.Round(s.unit*1000/128)))
	for by := 0; by < s.h; by += q {
		for bx := 0; bx < s.w; bx += q {
			var sum rgb
			n := float32(0)
			for y := by; y < min(s.h, by+q); y++ {
				for x := bx; x < min(s.w, bx+q); x++ {
					c := s.get(x, y)
					sum.r, sum.g, sum.b, n = sum.r+c.r, sum.g+c.g, sum.b+c.b, n+1
				}
			}
			dither := (hashNoise(bx/q%2, by/q%2, 5) - 0.5) / 9
			level := func(v float32) float32 {
				return float32(clamp(math.Round((float64(v/n)+dither)*9) / 9))
			}
			c := rgb{level(sum.r), level(sum.g), level(sum.b)}
			for y := by; y < min(s.h, by+q); y++ {
				for x := bx; x < min(s.w, bx+q); x++ {
					s.set(x, y, c)
				}
			}
		}
	}
}
