package paint

import "math"

// tree draws a conifer with the given probability, and otherwise a broad-leaved tree, with its foot at x, y. In the
// mountains and in winter it is always a conifer.
func (s *scene) tree(x, y, tall, depth, conifers float64) {
	if s.spec.place == "mountains" || s.spec.season == "winter" || s.chance(conifers) {
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
	name, leaf := "broadleaf-tree", s.pal.Foliage
	if tall < s.unit*90 {
		name = "small-broadleaf-tree"
	}
	switch s.spec.season {
	case "winter":
		name = "bare-tree"
	case "spring":
		if s.spec.has("tree") || s.chance(0.6) {
			leaf = hex(0xf0a9c0)
		}
	case "autumn":
		leaf = parseColors("#d0662a #e09a34 #b8452b #c98a3a")[s.rng.IntN(4)]
	}
	s.drawFigure(name, figure{
		x: x, y: y, size: tall, stretch: s.uniform(0.9, 1.1), depth: depth, colors: map[string]rgb{"leaf": leaf},
	})
}

// forest draws rows of trees from far to near.
func (s *scene) forest() {
	conifers := 1.0
	if s.spec.season == "autumn" || s.spec.season == "spring" || s.chance(0.3) {
		conifers = 0.25
	}
	for i := range 6 {
		t := float64(i) / 5
		depth := 0.82 * math.Pow(1-t, 1.2)
		base := lerp(s.horizon+s.unit*6, s.height*0.93, math.Pow(t, 1.5))
		size := s.unit * lerp(210, 640, math.Pow(t, 1.2))
		c := s.pal.shade(s.pal.Ground.mix(s.pal.Foliage, 0.5).scale(0.85), depth*0.9)
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
	switch {
	case s.spec.season == "autumn":
		s.scatter("fallen-leaves", 1)
	case s.spec.season != "winter":
		s.scatter("grass", 0.8)
	}
}

// fogBank draws a band of haze around y.
func (s *scene) fogBank(y, half, strength float64) {
	if strength <= 0 {
		return
	}
	seed := s.rng.Uint32()
	opacity := s.noiseGrid(s.h, 16, func(x, _ float64) float64 {
		return 0.55 + 0.9*(fbm(x/s.unit/180, 1, 2, seed)-0.4)
	})
	s.overlay(int(y-half*2), int(y+half*2), func(x, row int) (rgb, float64) {
		d := (float64(row) - y) / half
		return s.pal.Haze, float64(float32(strength*math.Exp(-d*d)) * opacity.sample(x, 0))
	})
}
