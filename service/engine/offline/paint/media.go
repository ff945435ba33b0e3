package paint

import (
	"math"
	"slices"
)

// Brush repaints the picture with strokes of pairs of a size and a cover, and then restores as much of its edges.
func (s *scene) Brush(edges float64, strokes ...float64) {
	src := s.clone()
	for pair := range slices.Chunk(strokes, 2) {
		s.brushStrokes(pair[0], pair[1])
	}
	s.restoreEdges(src, edges)
}

// brushStrokes repaints the picture with strokes that follow its edges. The size is given in units of the canvas;
// cover is the share of the picture that is repainted.
func (s *scene) brushStrokes(size, cover float64) {
	k := max(1.5, size*s.unit)
	src := s.clone()
	step, d := k*1.15, max(1, int(k*0.6))
	bristles := newPath()
	for i := range 4 {
		y := -0.45 + 0.3*float64(i)
		length := 1.9 - 0.3*hashNoise(i, 1, s.seed)
		bristles.polygon(-length, y, -1.2, y-0.19, 1.1, y-0.2, length, y, 1.2, y+0.19, -1.1, y+0.2)
	}
	for gy := 0.0; gy < s.height && !s.isCanceled(); gy += step {
		for gx := 0.0; gx < s.width; gx += step {
			x, y := int(gx+s.uniform(-0.6, 0.6)*step), int(gy+s.uniform(-0.6, 0.6)*step)
			dx := src.at(x+d, y).luma() - src.at(x-d, y).luma()
			dy := src.at(x, y+d).luma() - src.at(x, y-d).luma()
			contrast := math.Hypot(dx, dy)
			if s.chance(1-cover*1.1) || contrast > 0.3 && size > 6 {
				continue // a broad brush would smear a hard edge
			}
			angle := math.Pi * (0.06 + 0.5*(valueNoise(float64(x)/s.unit/90, float64(y)/s.unit/50, s.seed+7)-0.5))
			if contrast > 0.035 {
				angle = math.Atan2(dy, dx) + math.Pi/2
			}
			c := *src.at(x, y)
			c.add(rgb{1, 1, 0.7}, float32(s.uniform(-0.028, 0.028)))
			stroke := pathAt(float64(x), float64(y), k).rotate(angle).addPath(bristles)
			s.fill(stroke, solid(c).withAlpha(0.75))
		}
	}
}

// restoreEdges mixes src over the picture where src has edges, which brush strokes blur.
func (s *scene) restoreEdges(src raster, k float64) {
	d := max(1, int(math.Round(s.unit*1.6)))
	difference := func(a, b *rgb) float32 {
		return float32(max(math.Abs(float64(a.r-b.r)), math.Abs(float64(a.g-b.g)), math.Abs(float64(a.b-b.b))))
	}
	for y := range s.rows(d, s.h-d) {
		for x := d; x < s.w-d; x++ {
			e := max(difference(src.at(x-d, y), src.at(x+d, y)), difference(src.at(x, y-d), src.at(x, y+d)))
			if e >= 0.07 {
				s.at(x, y).blend(*src.at(x, y), float32(k)*min(1, (e-0.07)*5))
			}
		}
	}
}

// Watercolour turns the picture into watercolour on paper: warped edges, darker rims, granulation and a ragged margin.
func (s *scene) Watercolour() {
	src := s.clone()
	warp := func(seed uint32) *noiseGrid {
		return s.noiseGrid(s.h, 4, func(x, y float64) float64 { return fbm(x/s.unit/26, y/s.unit/26, 3, seed) - 0.5 })
	}
	warpX, warpY := warp(s.seed+1), warp(s.seed+2)
	paint := s.noiseGrid(s.h, 4, func(x, y float64) float64 { return fbm(x/s.unit/140, y/s.unit/140, 4, s.seed+3) })
	reach := float32(s.unit * 26)
	s.mapPixels(func(x, y int, _ rgb) rgb {
		return *src.at(x+int(warpX.sample(x, y)*reach), y+int(warpY.sample(x, y)*reach))
	})
	soft := s.clone()
	soft.boxBlur(max(1, int(s.unit*4)))
	paper := parseColor("#fbf7ee")
	s.mapPixels(func(x, y int, c rgb) rgb {
		rim := clamp(math.Abs(c.luma()-soft.at(x, y).luma())*3.2 - 0.05)
		tooth := hashNoise(x/2, y/2, s.seed)*0.6 + hashNoise(x, y, s.seed)*0.4
		wash := float64(paint.sample(x, y))
		thin := clamp(0.13 + 0.42*(wash-0.3) + 0.10*(tooth-0.5) + 0.25*c.luma()*c.luma())
		v := c.mix(paper, thin).mul(rgb{1, 1, 1}.mix(c, 0.5*rim))
		edge := smoothstep(26, 46, s.marginAt(x, y)+56*(wash-0.5))
		return paper.scale(0.985+0.03*tooth-0.015).mix(v, edge)
	})
}

// InkWash turns the picture into diluted black ink on rice paper, with a red seal.
func (s *scene) InkWash() {
	soft := s.clone()
	soft.boxBlur(max(1, int(s.unit*5)))
	wash := s.noiseGrid(s.h, 4, func(x, y float64) float64 { return fbm(x/s.unit/90, y/s.unit/90, 4, s.seed+3) })
	paper, black := parseColor("#f3ebd9"), parseColor("#1c1a1c")
	low, high := 1.0, 0.0
	for i := 0; i < len(soft.pix); i += 97 {
		l := soft.pix[i].luma()
		low, high = min(low, l), max(high, l)
	}
	s.mapPixels(func(x, y int, old rgb) rgb {
		c, b := old.luma(), soft.at(x, y).luma()
		l := clamp((c-low)/(high-low+0.01) + (c-b)*1.3)
		w := float64(wash.sample(x, y))
		// The ink has three tones with soft transitions.
		d := clamp(1.06 - l*1.25 + 0.28*(w-0.5))
		d = 0.55*d + 0.45*(smoothstep(0.12, 0.3, d)*0.3+smoothstep(0.42, 0.56, d)*0.35+smoothstep(0.74, 0.84, d)*0.35)
		fibre := 0.985 + 0.03*hashNoise(x/3, y, s.seed) - 0.02*hashNoise(x, y/5, s.seed+1)
		d *= smoothstep(12, 60, s.marginAt(x, y)+70*(w-0.5))
		return paper.scale(fibre).mix(black, d*0.94)
	})
	size := s.unit * 34
	seal := figure{x: s.width - size*2.1, y: s.height - size*2.3, size: size, side: 1}
	if s.subjectLeft {
		seal.x = size * 1.1
	}
	s.drawFigure("seal", seal)
}

// Pencil draws the edges as lines and hatches the dark areas.
func (s *scene) Pencil() {
	src := s.clone()
	paper, lead := parseColor("#f7f4ec"), parseColor("#33343a")
	s.mapPixels(func(x, y int, old rgb) rgb {
		dx, dy := src.at(x+1, y).luma()-src.at(x-1, y).luma(), src.at(x, y+1).luma()-src.at(x, y-1).luma()
		line, l, hatch := smoothstep(0.03, 0.16, math.Hypot(dx, dy))*0.85, old.luma(), 0.0
		fx, fy := float64(x)/s.unit, float64(y)/s.unit
		for i, a := range []float64{0.75, 0.5, 0.28} {
			along := []float64{fx + fy, fx - fy*0.8, fy + fx*0.2}[i]
			wave := 0.5 + 0.5*math.Sin(along*(0.85+0.1*float64(i))+2*valueNoise(fx/30, fy/30, s.seed))
			hatch += smoothstep(a, a-0.28, l) * wave * wave * 0.42
		}
		tooth := 0.7 + 0.5*hashNoise(x, y, s.seed)
		white := paper.scale(0.985 + 0.02*hashNoise(x/2, y/2, s.seed))
		return white.mix(lead, clamp((line+hatch)*tooth)*0.92)
	})
}

// marginAt returns how far a pixel is from the nearest edge of the picture, in units of the canvas.
func (s *scene) marginAt(x, y int) float64 {
	return min(float64(x), s.width-float64(x), float64(y), s.height-float64(y)) / s.unit
}

// Pixelate reduces the picture to square blocks, size units long, whose channels have so many levels.
func (s *scene) Pixelate(size, levels float64) {
	q := max(2, int(math.Round(s.unit*max(7, size))))
	blocks := newRaster((s.w+q-1)/q, (s.h+q-1)/q)
	s.mapPixels(func(x, y int, c rgb) rgb {
		blocks.at(x/q, y/q).add(c, 1)
		return c
	})
	s.mapPixels(func(x, y int, _ rgb) rgb {
		n := float32(min(q, s.w-x/q*q) * min(q, s.h-y/q*q)) // pixels in the block
		dither := (hashNoise(x/q%2, y/q%2, 5) - 0.5) / levels
		level := func(sum float32) float32 {
			return float32(clamp(math.Round((float64(sum/n)+dither)*levels) / levels))
		}
		sum := blocks.at(x/q, y/q)
		return rgb{level(sum.r), level(sum.g), level(sum.b)}
	})
}

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
