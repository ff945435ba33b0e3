package paint

// drawObject draws an object that stands on x, y, or has its middle there if it flies.
func (s *scene) drawObject(o object, x, y, size, depth float64) {
	switch o.name {
	case "lighthouse":
		s.lighthouse(o, x, y, size)
	case "house":
		s.house(o, x, y, size, depth)
	case "castle":
		s.castle(x, y, size, depth)
	case "windmill":
		s.windmill(x, y, size, depth)
	case "tree":
		s.broadleafTree(x, y, size, depth)
	case "tent":
		s.tent(o, x, y, size)
	case "boat":
		s.boat(o, x, y, size)
	case "balloon":
		s.balloon(x, y, size, o.colorOr(hex(0xd9483b)))
	case "rocket":
		s.rocket(x, y, size)
	case "cat", "fox", "dog", "rabbit":
		s.sittingAnimal(o, x, y, size)
	case "person":
		s.groundShadow(x-s.lightSide*size*0.25, y, size*0.35, size*0.03, 0.3, 0.4)
		fallthrough
	default:
		isMirrored := s.lightSide < 0 && o.name != "owl"
		s.drawFigure(o.name, figure{x: x, y: y, size: size, mirror: isMirrored, depth: depth, colors: o.recolored()})
	}
}

// buildingSize returns the usual size of what stands on the horizon, in units of the canvas.
func (s *scene) buildingSize(name string) float64 {
	return map[string]float64{"lighthouse": 330, "house": 150, "castle": 300, "windmill": 230, "tree": 300}[name]
}

// groundObjects draws the objects of the prompt that stand on the ground.
func (s *scene) groundObjects(crest crestLine) {
	isWaterside := s.spec.place == "sea" || s.spec.place == "lake"
	slots, next := []float64{0.32, 0.66, 0.5, 0.16, 0.82}, 0
	if isWaterside && s.spec.has("lighthouse", "house", "castle", "windmill") {
		next = 1 // the building on the far shore stays visible
	}
	for _, kind := range []struct {
		name             string
		minSize, maxSize float64
		offset           float64 // how far the foot stands below the crest
		depth            float64
		plural           int     // how many are drawn for a plural
		shrink           float64 // by how much each is smaller than the one before
	}{
		{"castle", 300, 390, 10, 0.06, 3, 0.2}, {"windmill", 230, 299, 10, 0.06, 3, 0.2},
		{"house", 150, 195, 10, 0.06, 3, 0.2}, {"lighthouse", 330, 429, 10, 0.06, 3, 0.2},
		{"tree", 300, 390, 10, 0.06, 3, 0.2}, {"tent", 200, 200, 30, 0, 1, 0},
		{"cactus", 90, 230, 0, 0, 1, 0}, {"deer", 200, 270, 25, 0.06, 1, 0}, {"person", 150, 210, 40, 0.03, 1, 0},
		{"fox", 330, 420, 0, 0, 2, 0.22}, {"cat", 330, 420, 0, 0, 2, 0.22}, {"dog", 330, 420, 0, 0, 2, 0.22},
		{"rabbit", 330, 420, 0, 0, 2, 0.22}, {"owl", 380, 380, 0, 0, 1, 0},
	} {
		o, ok := s.spec.find(kind.name)
		isBuilding := kind.shrink == 0.2
		isPlaced := s.spec.place == "sea" || s.spec.place == "city" ||
			s.spec.place == "lake" && kind.name != "tree" && kind.name != "windmill"
		if !ok || isBuilding && isPlaced {
			continue
		}
		if kind.name == "cactus" {
			s.cacti(crest)
			continue
		}
		for i := range o.count(kind.plural) {
			x := s.subjectX(slots[next%len(slots)] + s.uniform(-0.03, 0.03))
			next++
			y := min(s.height*0.95, crest(x)+s.unit*10) + s.unit*(kind.offset-10)
			if isSitting := kind.offset == 0; isSitting {
				y = s.height * 0.95
				if s.spec.place == "city" || isWaterside {
					y = crest(x) + s.unit*4
				}
			}
			if kind.name == "owl" {
				y = s.height * 0.93
			}
			size := kind.maxSize
			if kind.minSize < kind.maxSize {
				size = s.uniform(kind.minSize, kind.maxSize)
			}
			s.drawObject(o, x, y, s.unit*size*(1-kind.shrink*float64(i)), kind.depth)
		}
	}
	s.foregroundFlowers()
}

// foregroundFlowers draws the flowers of a meadow or of the prompt.
func (s *scene) foregroundFlowers() {
	o, isNamed := s.spec.find("flower")
	if !isNamed && (s.spec.place != "meadow" || s.spec.season == "winter" || s.spec.season == "autumn") {
		return
	}
	colors := hexColors(0xd9483b, 0xf2c744, 0xe98bb0, 0xf4f1ea, 0x8a63c4)
	if o.hasColor {
		colors = []rgb{o.color, o.color.mix(rgb{1, 1, 1}, 0.25), o.color.scale(0.85)}
	}
	small, large, isAlone := 26, 0, !s.spec.has("cat", "fox", "dog", "rabbit")
	if isNamed {
		small, large = 60, 5
		if isAlone {
			large = 7
		}
	}
	for i := range small {
		t := float64(i) / float64(small)
		x, y := s.uniform(0, 1)*s.width, lerp(s.height*0.86, s.height*1.02, t)
		s.flower(x, y, s.unit*lerp(28, 80, t), colors[s.rng.IntN(len(colors))], 6)
	}
	for i := range large {
		x := s.subjectX(0.12 + 0.76*(float64(i)+s.uniform(0.1, 0.9))/float64(large))
		if !isAlone {
			x = s.subjectX(0.55 + 0.42*s.rng.Float64())
		}
		size, c := s.unit*s.uniform(240, 520), colors[s.rng.IntN(len(colors))]
		s.flower(x, s.height*1.04, size, c, 6+s.rng.IntN(8))
	}
}

// airObjects draws the objects of the prompt that fly.
func (s *scene) airObjects() {
	if o, ok := s.spec.find("balloon"); ok {
		n := 1 + s.rng.IntN(2)
		if o.plural {
			n = 5
		}
		colors := hexColors(0xd9483b, 0xf2a93b, 0x3f77c2, 0x5f9e57, 0x8a4f9e)
		for i := range n {
			c := o.colorOr(colors[(i+s.rng.IntN(5))%5])
			r := s.unit * lerp(100, 34, float64(i)/5) * s.uniform(0.85, 1.15)
			x := s.subjectX(0.30 + 0.14*float64(i) + s.uniform(-0.05, 0.05))
			s.balloon(x, s.horizon*s.uniform(0.22, 0.58), r, c)
		}
	}
	if o, ok := s.spec.find("bird"); ok && s.spec.place != "sea" {
		if o.plural || len(s.spec.objects) > 1 {
			s.flock(9)
		} else {
			s.perchedBird(o, s.subjectX(0.42), s.height*0.58, s.unit*s.uniform(230, 280))
		}
	}
	if o, ok := s.spec.find("butterfly"); ok {
		for i, c := range hexColors(0xe8863a, 0x3f77c2, 0xf2c744, 0xb5476b) {
			x, y := s.uniform(0.15, 0.85)*s.width, s.uniform(0.4, 0.8)*s.height
			s.butterfly(x, y, s.unit*lerp(120, 40, float64(i)/4), o.colorOr(c))
		}
	}
	if s.spec.has("rocket") && s.spec.place != "space" {
		s.rocket(s.subjectX(0.34), s.horizon*0.5, s.unit*260)
	}
	if !s.spec.has("bird") && s.spec.place != "sea" && s.spec.time != "night" && s.chance(0.35) {
		s.flock(3 + s.rng.IntN(5))
	}
}
