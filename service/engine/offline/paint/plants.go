package paint

import "math"

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
