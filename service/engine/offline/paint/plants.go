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
	if s.spec.season == "winter" {
		s.drawFigure("bare-tree", figure{x: x, y: y, size: tall, depth: depth})
		return
	}
	s.drawFigure("trunk", figure{x: x, y: y, size: tall, depth: depth})
	leaf := s.pal.Foliage
	switch s.spec.season {
	case "spring":
		if s.spec.has("tree") || s.chance(0.6) {
			leaf = hex(0xf0a9c0)
		}
	case "autumn":
		leaf = s.autumnLeaf()
	}
	s.crown(x, y-tall*0.63, tall*0.36, s.pal.shade(leaf, depth), depth)
}

func (s *scene) autumnLeaf() rgb {
	return parseColors("#d0662a #e09a34 #b8452b #c98a3a")[s.rng.IntN(4)]
}

// crown draws foliage as many leaves that are dark below and bright above.
func (s *scene) crown(x, y, r float64, c rgb, depth float64) {
	dark, lit := c.scale(0.66), s.sunlit(c, 0.34*(1-depth))
	n := 7
	if r > s.unit*80 {
		n = 170
	} else if r > s.unit*24 {
		n = 40
	}
	base := newPath()
	for i := range 9 {
		a := float64(i)/9*2*math.Pi + s.uniform(-0.2, 0.2)
		k, d := s.uniform(0.30, 0.52), s.uniform(0.42, 0.66)
		base.ellipse(x+math.Cos(a)*r*d*1.1, y+math.Sin(a)*r*d*0.85, r*k, r*k*0.9)
	}
	base.ellipse(x, y, r*0.6, r*0.55)
	s.fill(base, vgradient(dark.mix(c, 0.5), dark, y-r, y+r))
	for i := range n {
		t := float64(i) / float64(n)
		a, d := s.uniform(0, 2*math.Pi), math.Sqrt(s.rng.Float64())*r*1.04
		bx, by := x+d*math.Cos(a)+s.lightSide*r*0.1*t, y+d*math.Sin(a)*0.82-r*0.16*t
		up := clamp(0.5 - (by-y)/r*0.55 + s.lightSide*(bx-x)/r*0.32)
		k := r * s.uniform(0.10, 0.24)
		if n > 100 {
			k *= 0.6
		}
		s.fill(newPath().ellipse(bx, by, k, k*0.82), solid(dark.mix(lit, up*s.uniform(0.7, 1.1))).withAlpha(0.9))
	}
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
