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

// tree draws a conifer with the given probability, and otherwise a broad-leaved tree, with its foot at x, y. In the
// mountains and in winter it is always a conifer.
func (s *scene) tree(x, y, tall, depth, conifers float64) {
	if s.has("mountains", "winter") || s.chance(conifers) {
		s.conifer(x, y, tall*1.2, depth)
	} else {
		s.broadleafTree(x, y, tall, depth)
	}
}

func (s *scene) conifer(x, y, tall, depth float64) {
	name := "conifer"
	if tall < s.unit*70 {
		name = "small-conifer"
	}
	s.drawFigure(name, figure{x: x, y: y, size: tall, stretch: s.uniform(0.95, 1.15), depth: depth})
}

// broadleafTree draws a broad-leaved tree of the given height with its foot at x, y.
func (s *scene) broadleafTree(x, y, tall, depth float64) {
	name, leaf := "broadleaf-tree", s.color("foliage")
	if tall < s.unit*90 {
		name = "small-broadleaf-tree"
	}
	switch {
	case s.has("winter"):
		name = "bare-tree"
	case s.has("spring") && (s.has("tree") || s.chance(0.6)):
		leaf = parseColor("#f0a9c0")
	case s.has("autumn"):
		leaf = s.scheme("autumn-leaf")[0]
	}
	s.drawFigure(name, figure{
		x: x, y: y, size: tall, stretch: s.uniform(0.9, 1.1), depth: depth, colors: map[string]rgb{"leaf": leaf},
	})
}

// Forest draws rows of trees from far to near.
func (s *scene) Forest() {
	conifers := 1.0
	if s.has("autumn", "spring") || s.chance(0.3) {
		conifers = 0.25
	}
	for i := range 6 {
		t := float64(i) / 5
		depth := 0.82 * math.Pow(1-t, 1.2)
		base := lerp(s.horizon+s.unit*6, s.height*0.93, math.Pow(t, 1.5))
		size := s.unit * lerp(210, 640, math.Pow(t, 1.2))
		c := s.pal.shade(s.color("ground~foliage,.5*.85"), depth*0.9)
		s.crest = s.hill(base, s.unit*lerp(6, 20, t), s.unit*240, c, c.scale(0.72))
		for x := -size * 0.3; x < s.width+size*0.3; x += size * lerp(0.17, 0.34, t) * s.uniform(0.6, 1.4) {
			// A clearing leaves room for the objects of the foreground.
			if t > 0.35 && math.Abs(x-s.subjectX(0.40)) < s.width*(0.10+0.22*t) {
				continue
			}
			s.tree(x, s.crest(x)+s.unit*3, size*0.82*s.uniform(0.7, 1.15), depth, conifers)
		}
		s.fogBank(base+s.unit*10, s.unit*lerp(40, 70, t), 0.42*(1-t))
	}
}
