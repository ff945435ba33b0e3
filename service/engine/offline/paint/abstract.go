package paint

// Abstract draws flowing ribbons and discs, for prompts that name nothing.
func (s *scene) Abstract() {
	c := s.scheme("abstract")
	copy(c[1:4], s.colors)
	w, h := s.width, s.height
	s.fill(newPath().rect(0, 0, w, h), hgradient(c[3], c[2].mix(c[3], 0.4), 0, w))
	r := s.unit * s.uniform(180, 300)
	x, y := w*s.uniform(0.3, 0.7), h*s.uniform(0.25, 0.5)
	s.fill(newPath().ellipse(x, y, r, r), vgradient(c[4], c[5], y-r, y+r))
	if !s.isFlat {
		s.glow(x, y, r*2.1, c[4], 0.35)
	}
	n := 7 + s.rng.IntN(4)
	colors := ramp([]rgb{c[2], c[1], c[0]}, n)
	for i, color := range colors {
		if i%3 == 1 {
			color = color.mix(c[5], 0.55)
		}
		base, swell := h*lerp(0.34, 1, float64(i)/float64(n-1)), s.unit*s.uniform(40, 90)
		crest := s.hill(base, swell, s.unit*s.uniform(170, 300), color.mix(rgb{1, 1, 1}, 0.1), color.scale(0.78))
		var line []float64
		for x := -5.0; x <= w+8; x += 12 {
			line = append(line, x, crest(x)+s.unit*7)
		}
		s.fill(newPath().stroke(s.unit*2.2, line...), solid(color.mix(rgb{1, 1, 1}, 0.45)).withAlpha(0.6))
	}
	discs := scenes().Scatters["discs"]
	discs.colors = c
	s.drawScatter(discs)
}
