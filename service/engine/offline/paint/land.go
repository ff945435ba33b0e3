package paint

import "math"

// Mountains draws mountains that stand below the horizon; the highest is from low to high.
func (s *scene) Mountains(below, low, high, depth float64) {
	tall := s.uniform(low, high)
	k := scenes().Scatters["mountains"]
	if s.has("winter", "mountains", "lake") {
		k.Figures = scenes().Scatters["snowy-mountains"].Figures
	}
	k.Count = 2 + int(1.8*s.width/s.unit/tall)
	foot := below * s.unit / (s.height - s.horizon)
	k.Y = [2]float64{foot, foot}
	k.Size = [2]float64{tall * k.Size[0], tall * k.Size[1]}
	k.Depth = [2]float64{depth, depth - 0.08}
	k.colors = []rgb{s.color("rock").mix(s.color("farHill"), 0.3+0.5*depth)}
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

// Hills draws rows of wooded hills from the horizon to the lower edge of the picture.
func (s *scene) Hills(rows, wooded float64) {
	for i := 0.0; i < rows; i++ {
		t := i / (rows - 1)
		depth := 0.62 * math.Pow(1-t, 1.5)
		base := lerp(s.horizon, s.height*0.84, math.Pow(t, 1.4))
		c := s.color("farHill").mix(s.color("ground"), 0.25+0.75*t)
		c = c.mix(s.color("foliage"), 0.35*hashNoise(int(i), 5, s.seed))
		top, low := s.pal.shade(c, depth).mix(s.color("sunlight"), 0.12), s.pal.shade(c.scale(0.72), depth*0.8)
		if s.isFlat {
			low = top.mix(low, 0.6)
		}
		s.crest = s.hill(base, s.unit*lerp(16, 42, t), s.unit*lerp(150, 420, t), top, low)
		if i == rows-1 {
			break
		}
		if i > 0 && !s.has("winter", "mountains") {
			s.fields(lerp(26, 110, t), depth)
		}
		s.treeGroups(depth, lerp(14, 60, t)*s.unit, wooded)
	}
}

// FramingTree draws a tree at the side of the picture.
func (s *scene) FramingTree() {
	x, tall := s.subjectX(s.uniform(0.84, 0.95)), s.unit*s.uniform(240, 360)
	s.tree(x, s.crest(x)+s.unit*14, tall, 0.03, 0)
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

// Dunes draws a desert.
func (s *scene) Dunes() {
	sand := parseColor("#e0a866")
	if s.has("day") {
		sand = parseColor("#eec17f")
	}
	for i := range 5 {
		t := float64(i) / 4
		depth, base := 0.55*(1-t), lerp(s.horizon+s.unit*8, s.height*0.86, math.Pow(t, 1.2))
		lit := s.pal.shade(sand, depth).mix(s.color("sunlight"), 0.12)
		s.crest = s.hill(base, s.unit*lerp(4, 20, t), s.unit*lerp(240, 620, t), lit, lit)
		k, size := scenes().Scatters["dunes"], lerp(110, 420, t)
		k.Count = 2 + int(s.width/s.unit/size)
		k.Size, k.Depth, k.colors = [2]float64{size, size}, [2]float64{depth, depth}, []rgb{sand}
		s.drawScatter(k)
	}
}

// fields draws patches of crops on a hill below its crest.
func (s *scene) fields(tall, depth float64) {
	k := scenes().Scatters["fields"]
	k.Stretch = [2]float64{k.Stretch[0] * tall, k.Stretch[1] * tall}
	k.Depth = [2]float64{depth, depth}
	s.drawScatter(k)
}
