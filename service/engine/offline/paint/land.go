package paint

import "math"

// mountainRange draws mountains that stand below the horizon; the highest is about tall units high.
func (s *scene) mountainRange(below, tall, depth float64) {
	k := scenes().Scatters["mountains"]
	if s.spec.season == "winter" || s.spec.place == "mountains" || s.spec.place == "lake" {
		k.Figures = scenes().Scatters["snowy-mountains"].Figures
	}
	k.Count = 2 + int(1.8*s.width/s.unit/tall)
	foot := below * s.unit / (s.height - s.horizon)
	k.Y = [2]float64{foot, foot}
	k.Size = [2]float64{tall * k.Size[0], tall * k.Size[1]}
	k.Depth = [2]float64{depth, depth - 0.08}
	k.colors = []rgb{s.pal.Rock.mix(s.pal.FarHill, 0.3+0.5*depth)}
	s.drawScatter(k)
}

// hill draws rolling ground and returns its crest, which rises above and falls below base by swell pixels.
func (s *scene) hill(base, swell, length float64, top, bottom rgb) crestLine {
	seed := s.rng.Uint32()
	phase := s.uniform(0, 6)
	crest := func(x float64) float64 {
		t := x / length
		wave := swell * (0.65*math.Sin(t*2.1+phase) + 0.5*math.Sin(t*0.9+phase*1.7))
		return base + wave + swell*0.35*(fbm(t*2.2, 4, 3, seed)-0.5)
	}
	high := base - swell
	s.fill(s.below(crest), vgradient(top, bottom, high, min(s.height, high+swell*2+s.height*0.16)))
	return crest
}

// below returns the outline of what lies below a crest.
func (s *scene) below(crest crestLine) *path {
	p := newPath().moveTo(-4, s.height+4)
	for x := -4.0; x <= s.width+8; x += 6 {
		p.lineTo(x, crest(x))
	}
	return p.lineTo(s.width+8, s.height+4)
}

// hills draws rows of wooded hills from the horizon to the lower edge of the picture.
func (s *scene) hills(rows int, wooded float64) {
	isSnowy := s.spec.season == "winter"
	for i := range rows {
		t := float64(i) / float64(rows-1)
		depth := 0.62 * math.Pow(1-t, 1.5)
		base := lerp(s.horizon, s.height*0.84, math.Pow(t, 1.4))
		c := s.pal.FarHill.mix(s.pal.Ground, 0.25+0.75*t).mix(s.pal.Foliage, 0.35*hashNoise(i, 5, s.seed))
		top, low := s.sunlit(s.pal.shade(c, depth), 0.12), s.pal.shade(c.scale(0.72), depth*0.8)
		if s.flat {
			low = top.mix(low, 0.6)
		}
		s.crest = s.hill(base, s.unit*lerp(16, 42, t), s.unit*lerp(150, 420, t), top, low)
		if i == rows-1 {
			break
		}
		if i > 0 && !isSnowy && s.spec.place != "mountains" {
			s.fields(lerp(26, 110, t), depth)
		}
		s.treeGroups(depth, lerp(14, 60, t)*s.unit, wooded)
	}
	if !isSnowy {
		s.scatter("grass", 1)
	}
	if s.chance(0.75) { // a tree that frames the view
		x, tall := s.subjectX(s.uniform(0.84, 0.95)), s.unit*s.uniform(240, 360)
		s.tree(x, s.crest(x)+s.unit*14, tall, 0.03, 0)
	}
}

// treeGroups scatters trees in groups along the crest.
func (s *scene) treeGroups(depth, size, dense float64) {
	for range int(dense*s.width/size/3.5) / 3 {
		middle, conifers := s.uniform(-0.02, 1.02)*s.width, 0.0
		if s.chance(0.4) {
			conifers = 1
		}
		for range 1 + s.rng.IntN(4) {
			x, tall := middle+s.uniform(-1.6, 1.6)*size, size*s.uniform(0.6, 1.1)
			s.tree(x, s.crest(x)+tall*0.1, tall, depth, conifers)
		}
	}
}

// dunes draws a desert.
func (s *scene) dunes() {
	sand := hex(0xe0a866)
	if s.spec.time == "day" {
		sand = hex(0xeec17f)
	}
	for i := range 5 {
		t := float64(i) / 4
		depth, base := 0.55*(1-t), lerp(s.horizon+s.unit*8, s.height*0.86, math.Pow(t, 1.2))
		shaded := s.pal.shade(sand.mul(rgb{0.62, 0.48, 0.50}), depth)
		lit := s.sunlit(s.pal.shade(sand, depth), 0.12)
		s.dune(base, s.unit*lerp(22, 95, t), s.unit*lerp(240, 620, t), lit, shaded)
	}
}

// dune draws waves of sand with sharp crests, a lit side and a shaded side that runs down to the viewer in a curve.
func (s *scene) dune(base, tall, long float64, lit, shaded rgb) {
	phase := s.uniform(0, 1)
	seed := s.rng.Uint32()
	wave := func(x float64) float64 {
		v := x/long + phase + 0.25*valueNoise(x/long*0.7, 2, seed)
		k := int(math.Floor(v))
		t := v - math.Floor(v)
		if s.lightSide < 0 {
			t = 1 - t
		}
		a, b := 0.35+0.65*hashNoise(k, 1, seed), 0.66
		if t < b {
			return a * math.Pow(math.Sin(t/b*math.Pi/2), 1.4)
		}
		return a * math.Pow(1-(t-b)/(1-b), 1.3)
	}
	s.crest = func(x float64) float64 { return base - tall*wave(x) + tall*0.25*math.Sin(x/long*1.3) }
	pad := int(long)
	slope := make([]float32, s.w+2*pad+2)
	for i := range slope {
		x := float64(i - pad)
		slope[i] = float32((wave(x+2) - wave(x-2)) * long / 4 * -s.lightSide)
	}
	for x := range s.w {
		top := s.crest(float64(x))
		for y := max(0, int(top)); y < s.h; y++ {
			down := (float64(y) - top) / (tall * 2.2)
			bend := long * (0.20*math.Sqrt(max(0, down)) + 0.10*down) * -s.lightSide
			i := min(len(slope)-1, max(0, x+pad-int(bend)))
			shade := smoothstep(-0.5, 0.5, float64(slope[i]))
			shade = lerp(shade, 0.35, clamp(down*0.75))
			warp := 6 * valueNoise(float64(x)/s.unit/40, float64(y)/s.unit/14, seed)
			ripple := 0.035 * math.Sin(float64(y)*0.9/s.unit*0.35+warp)
			s.at(x, y).blend(lit.mix(shaded, shade+ripple), float32(clamp(float64(y)+1-top)))
		}
	}
}

// fields draws patches of crops on a hill below its crest.
func (s *scene) fields(tall, depth float64) {
	k := scenes().Scatters["fields"]
	k.Stretch = [2]float64{k.Stretch[0] * tall, k.Stretch[1] * tall}
	k.Depth = [2]float64{depth, depth}
	s.drawScatter(k)
}
